import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Credentials, eventually, newDataDir, removeDataDir, soonMs, System } from '@sheaf/testing';
import { createInstance } from '../../support/instances';
import { nobody, operations, pathOf } from '../../support/operations';
import { Visitor } from '../../support/visitor';

// A separate system, beside the one that all other tests share: here the host determines the instance.

const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });

/** One instance's people, and one item of each kind. */
interface Side {
  host: string;
  anyone: Visitor;
  byKey: Visitor;
  bySession: Visitor;
  byServiceAccount: Visitor;
  workspace: string;
  folder: string;
  form: string;
  slug: string;
  submission: string;
  hook: string;
}

let dataDir: string;
let system: System;
let first: Side;
let second: Side;

beforeAll(async () => {
  dataDir = await newDataDir();
  system = await System.start(dataDir, { SERVICE_DOMAIN: 'sheaf.test' });
  first = await fill('my-workspace.sheaf.test', system.credentials);
  second = await fill('acme.sheaf.test', await createInstance(dataDir, { slug: 'acme', domain: 'forms.acme.example' }));
});
afterAll(async () => {
  await system.stop();
  await removeDataDir(dataDir);
});

async function fill(host: string, { api_key, user, workspace_id }: Omit<Credentials, 'base_url'>): Promise<Side> {
  const anyone = new Visitor(system.origin, host);
  const byKey = anyone.with(api_key);
  const made = async (who: Visitor, path: string, body: object) => {
    const reply = await who.post(path, body);
    if (reply.status !== 201) throw new Error(`${path} answered ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body as { id: string; token: string; key: string };
  };
  const bySession = anyone.with((await made(anyone, '/app/v1/sessions', { email: user.email, password: user.password })).token);
  const scopes = ['forms:read', 'forms:write', 'submissions:read', 'submissions:write', 'workspaces:manage', 'hooks:manage'];
  const byServiceAccount = anyone.with((await made(bySession, '/app/v1/service-accounts', { name: 'Robot', scopes })).key);

  const { id: folder } = await made(byKey, '/api/v1/folders', { label: 'Visits' });
  const { id: form } = await made(byKey, '/api/v1/forms', { title: `At ${host}`, folder_id: folder });
  await byKey.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await byKey.patch(`/api/v1/forms/${form}`, { slug: 'survey' });
  await byKey.post(`/api/v1/forms/${form}/publish`);
  const { id: submission } = await made(anyone, `/public/v1/forms/${form}/submissions`, { data: { name: host } });
  const { id: hook } = await made(byKey, '/api/v1/hooks/subscribe', {
    form_id: form,
    target_url: 'http://127.0.0.1:9/',
    event: 'submission.deleted',
    source: 'make',
  });
  return { host, anyone, byKey, bySession, byServiceAccount, workspace: workspace_id, folder, form, slug: 'survey', submission, hook };
}

/** Operations that need no credential. */
const unguarded = new Set(['POST /app/v1/sessions', 'POST /app/v1/invitations/{token}']);

/** Each instance tried against the other. */
const directions: [string, () => { here: Side; there: Side }][] = [
  ['the first to the second', () => ({ here: first, there: second })],
  ['the second to the first', () => ({ here: second, there: first })],
];

describe.each(directions)('from %s instance', (_, sides) => {
  it('no key, session or service account works', async () => {
    const { here, there } = sides();
    for (const who of [here.byKey, here.bySession, here.byServiceAccount]) {
      expect(await who.get('/api/v1/auth/me')).toMatchObject({ status: 200 });
      expect(await who.at(there.host).get('/api/v1/auth/me')).toMatchObject(error(401, 'unauthorized'));
      expect(await who.at(there.host).get(`/api/v1/forms/${there.form}`)).toMatchObject(error(401, 'unauthorized'));
    }
  });

  it.each(
    operations
      .filter(({ name, path }) => !/^\/(?:public|\.well-known)\//.test(path) && !unguarded.has(name))
      .map((operation) => [operation.name, operation] as const),
  )('%s takes none of their credentials', async (_, operation) => {
    const { here, there } = sides();
    for (const who of [here.byKey, here.bySession, here.byServiceAccount]) {
      const reply = await who.at(there.host).send(operation.method, pathOf(operation), operation.body ? {} : undefined);
      expect(reply).toMatchObject(error(401, 'unauthorized'));
    }
  });

  it.each<[string, string, (there: Side) => string, object?]>([
    ['a form', 'GET', ({ form }) => `/api/v1/forms/${form}`],
    ['a form', 'PATCH', ({ form }) => `/api/v1/forms/${form}`, { title: 'Mine' }],
    ['a form', 'DELETE', ({ form }) => `/api/v1/forms/${form}`],
    ['the fields of a form', 'GET', ({ form }) => `/api/v1/forms/${form}/fields`],
    ['a copy of a form', 'POST', ({ form }) => `/api/v1/forms/${form}/duplicate`],
    ['a publication', 'POST', ({ form }) => `/api/v1/forms/${form}/publish`],
    ['a draft', 'GET', ({ form }) => `/app/v1/forms/${form}/draft`],
    ['a draft', 'PUT', ({ form }) => `/app/v1/forms/${form}/draft`, { fields: [], revision: 1 }],
    ['the submissions of a form', 'GET', ({ form }) => `/api/v1/forms/${form}/submissions`],
    ['a submission', 'GET', ({ form, submission }) => `/api/v1/forms/${form}/submissions/${submission}`],
    ['a submission', 'DELETE', ({ form, submission }) => `/api/v1/forms/${form}/submissions/${submission}`],
    [
      'the status of a submission',
      'PATCH',
      ({ form, submission }) => `/api/v1/forms/${form}/submissions/${submission}/status`,
      { status: 'approved' },
    ],
    ['a folder', 'PATCH', ({ folder }) => `/api/v1/folders/${folder}`, { label: 'Mine' }],
    ['a folder', 'DELETE', ({ folder }) => `/api/v1/folders/${folder}`],
    ['a subscription', 'DELETE', ({ hook }) => `/api/v1/hooks/${hook}`],
    ['the versions of a form', 'GET', ({ form }) => `/app/v1/forms/${form}/versions`],
    ['a version', 'GET', ({ form }) => `/app/v1/forms/${form}/versions/1`],
    ['a form to restore', 'POST', ({ form }) => `/app/v1/forms/${form}/restore`],
    ['the grants of a form', 'GET', ({ form }) => `/app/v1/forms/${form}/grants`],
    ['a grant', 'PUT', ({ form }) => `/app/v1/forms/${form}/grants/00000000-0000-7000-8000-000000000000`, { role: 'owner' }],
    ['the webhooks of a form', 'GET', ({ form }) => `/app/v1/forms/${form}/webhooks`],
    ['a webhook', 'PATCH', ({ form, hook }) => `/app/v1/forms/${form}/webhooks/${hook}`, { active: false }],
    ['a webhook', 'DELETE', ({ form, hook }) => `/app/v1/forms/${form}/webhooks/${hook}`],
    ['the deliveries of a form', 'GET', ({ form }) => `/app/v1/forms/${form}/deliveries`],
    [
      'the members of a workspace',
      'POST',
      ({ workspace }) => `/app/v1/workspaces/${workspace}/members`,
      { email: 'x@example.org', role: 'viewer' },
    ],
    ['the members of a workspace, or the workspace', 'PATCH', ({ workspace }) => `/app/v1/workspaces/${workspace}`, { name: 'Mine' }],
    [
      'the members of a workspace, with roles,',
      'PATCH',
      ({ workspace }) => `/app/v1/workspaces/${workspace}/members/${nobody}`,
      { role: 'viewer' },
    ],
  ])('%s is not there: %s', async (what, method, path, ...[body]: [body?: object]) => {
    // A rest parameter: if `body` were a named one, jest would pass its callback there in rows without a body.
    const { here, there } = sides();
    for (const who of what.startsWith('the members') ? [here.byKey] : [here.byKey, here.byServiceAccount]) {
      expect(await who.send(method, path(there), body)).toMatchObject(error(404, 'not_found'));
    }
  });

  it('a submission is not there under a form of the own instance either', async () => {
    const { here, there } = sides();
    expect(await here.byKey.get(`/api/v1/forms/${here.form}/submissions/${there.submission}`)).toMatchObject(error(404, 'not_found'));
  });

  it('nothing is named in a body', async () => {
    const { here, there } = sides();
    const subscription = { form_id: there.form, target_url: 'http://127.0.0.1:9/', event: 'submission.created', source: 'make' };
    expect(await here.byKey.post('/api/v1/hooks/subscribe', subscription)).toMatchObject(error(404, 'not_found'));
    for (const who of [here.byKey, here.byServiceAccount]) {
      expect(await who.post('/api/v1/forms', { folder_id: there.folder })).toMatchObject(error(400, 'bad_request'));
      expect(await who.patch(`/api/v1/forms/${here.form}`, { folder_id: there.folder })).toMatchObject(error(400, 'bad_request'));
      expect(await who.post('/api/v1/folders', { label: 'X', parent_id: there.folder })).toMatchObject(error(400, 'bad_request'));
      expect(await who.patch(`/api/v1/folders/${here.folder}`, { parent_id: there.folder })).toMatchObject(error(400, 'bad_request'));
    }
  });

  it('no workspace can be entered or looked into', async () => {
    const { here, there } = sides();
    for (const who of [here.byKey, here.bySession]) {
      expect(await who.patch('/api/v1/auth/workspace', { workspace_id: there.workspace })).toMatchObject(error(403, 'forbidden'));
      expect(await who.get(`/api/v1/workspaces/${there.workspace}/members`)).toMatchObject(error(403, 'forbidden'));
    }
    expect(await here.byKey.get('/api/v1/workspaces')).toMatchObject({ body: { total: 1, data: [{ id: here.workspace }] } });
  });

  it('the lists hold nothing, not even for a service account', async () => {
    const { here } = sides();
    expect(await here.byServiceAccount.get('/api/v1/forms')).toMatchObject({ body: { total: 1, data: [{ id: here.form }] } });
    expect(await here.byKey.get('/api/v1/folders')).toMatchObject({ body: { total: 1, data: [{ id: here.folder }] } });
  });

  it('respondents find no form by its id, and by a slug that both have the one of the host', async () => {
    const { here, there } = sides();
    expect(await here.anyone.get(`/public/v1/forms/${there.form}`)).toMatchObject(error(404, 'not_found'));
    expect(await here.anyone.post(`/public/v1/forms/${there.form}/submissions`, { data: { name: 'Ada' } })).toMatchObject(
      error(404, 'not_found'),
    );
    expect(await here.anyone.get(`/public/v1/forms/${here.slug}`)).toMatchObject({ status: 200, body: { id: here.form } });
  });
});

it('each has webhook keys of its own', async () => {
  const [ours, theirs] = await Promise.all([first, second].map(({ anyone }) => anyone.get('/.well-known/webhook-keys.json')));
  expect(ours).toMatchObject({ status: 200, body: { keys: [{ kty: 'OKP' }] } });
  expect(theirs?.body).not.toEqual(ours?.body);
});

it('nobody signs in to an instance that they are no member of', async () => {
  const { email, password } = system.credentials.user;
  expect(await first.anyone.post('/app/v1/sessions', { email, password })).toMatchObject({ status: 201 });
  expect(await second.anyone.post('/app/v1/sessions', { email, password })).toMatchObject(error(401, 'unauthorized'));
});

describe('a host', () => {
  it('may be a custom domain, in any case, with a port and with a final dot', async () => {
    for (const host of ['forms.acme.example', 'Forms.ACME.example', 'forms.acme.example:8080', 'forms.acme.example.']) {
      expect(await second.byKey.at(host).get(`/api/v1/forms/${second.form}`)).toMatchObject({ status: 200 });
      expect(await first.byKey.at(host).get('/api/v1/auth/me')).toMatchObject(error(401, 'unauthorized'));
    }
  });

  it.each([
    'sheaf.test',
    'nobody.sheaf.test',
    'a.acme.sheaf.test',
    'acme.sheaf.test.example',
    'acme.example',
    'localhost',
    '127.0.0.1',
    '',
  ])('that is nobody’s is not found, whoever calls: %j', async (host) => {
    for (const who of [second.anyone, second.byKey])
      expect(await who.at(host).get('/api/v1/auth/me')).toMatchObject(error(404, 'not_found'));
    expect(await second.anyone.at(host).get(`/public/v1/forms/${second.form}`)).toMatchObject(error(404, 'not_found'));
  });

  it.each(['%00', 'forms.acme.example:http', 'forms.acme.example:0', 'forms..example', 'x'.repeat(256)])(
    'that is none is refused before anybody looks for it: %j',
    async (host) => {
      for (const who of [second.anyone, second.byKey])
        expect(await who.at(host).get('/api/v1/auth/me')).toMatchObject(error(400, 'bad_request'));
    },
  );
});

it('a workspace that is given another slug is found at the new host, and no longer at the old one, within a second', async () => {
  const made = await first.byKey.post('/app/v1/workspaces', { name: 'Branch', slug: 'branch' });
  const { id } = made.body as { id: string };
  expect(made).toMatchObject({ status: 201, body: { slug: 'branch' } });
  const at = (host: string) => first.byKey.at(host).get('/api/v1/auth/me');
  expect(await at('moved.sheaf.test')).toMatchObject(error(404, 'not_found'));
  expect(await at('branch.sheaf.test')).toMatchObject({ status: 200 });

  expect(await first.byKey.patch(`/app/v1/workspaces/${id}`, { slug: 'acme' })).toMatchObject(error(400, 'bad_request'));
  expect(await first.byKey.patch(`/app/v1/workspaces/${id}`, { slug: 'moved' })).toMatchObject({ status: 200, body: { slug: 'moved' } });
  await eventually(async () => {
    expect(await at('branch.sheaf.test')).toMatchObject(error(404, 'not_found'));
    expect(await at('moved.sheaf.test')).toMatchObject({ status: 200 });
  }, soonMs);
});

describe('create-instance', () => {
  it('keeps the credentials to their owner', async () => {
    expect((await stat(join(dataDir, 'acme.json'))).mode & 0o777).toBe(0o600);
  });

  it('refuses a slug or a domain that is taken, a slug that is no part of a host name, and to overwrite credentials', async () => {
    await expect(createInstance(dataDir, { slug: 'my-workspace' })).rejects.toThrow('The slug belongs to another workspace.');
    await expect(createInstance(dataDir, { slug: 'other', domain: 'forms.acme.example' })).rejects.toThrow(
      'The domain belongs to another instance.',
    );
    await expect(createInstance(dataDir, { slug: 'Other_One' })).rejects.toThrow('--slug: must be');
    await expect(createInstance(dataDir, { slug: 'acme' })).rejects.toThrow('already exists');
  });
});

describe('a webhook', () => {
  const own = 'target_url: must not be an address of this deployment';

  it.each([
    'https://forms.acme.example/public/v1/forms/survey/submissions',
    'https://FORMS.acme.example.:443/x',
    'https://my-workspace.sheaf.test/x',
    'https://acme.sheaf.test/x',
    'http://acme.sheaf.test/x',
  ])('to a host of any instance is refused: %s', async (target_url) => {
    const { byKey, form } = first;
    const refused = { status: 400, body: { error: { code: 'bad_request', message: own } } };
    const event = 'submission.created';
    expect(await byKey.post('/api/v1/hooks/subscribe', { form_id: form, target_url, event, source: 'zapier' })).toMatchObject(refused);
    expect(await byKey.post(`/app/v1/forms/${form}/webhooks`, { target_url, event })).toMatchObject(refused);
    expect(await byKey.patch(`/app/v1/forms/${form}/webhooks/${first.hook}`, { target_url })).toMatchObject(refused);
  });

  it.each(['https://acme.sheaf.test:5678/hook', 'https://nobody.sheaf.test/x', 'https://sheaf.test/x'])(
    'to another port or another host is not: %s',
    async (target_url) => {
      const { body } = await first.byKey.post(`/app/v1/forms/${first.form}/webhooks`, { target_url, event: 'submission.created' });
      expect(body).not.toMatchObject({ error: { message: own } });
    },
  );

  it('to a host that an instance gets later is no longer sent, and the log says why', async () => {
    const { byKey, form } = first;
    const { port } = new URL(system.origin);
    const made = async (target_url: string) => {
      const { status, body } = await byKey.post(`/app/v1/forms/${form}/webhooks`, { target_url, event: 'submission.created' });
      expect({ status, body }).toMatchObject({ status: 201 });
      return (body as { id: string }).id;
    };
    const [later, nobodys] = [await made(`http://127.0.0.2:${port}/x`), await made(`http://127.0.0.3:${port}/x`)];
    await createInstance(dataDir, { slug: 'later', domain: '127.0.0.2' });

    await first.anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });

    const errorsOf = async (subscription: string) => {
      const { body } = await byKey.get(`/app/v1/forms/${form}/deliveries?subscription_id=${subscription}`);
      const [{ id }] = (body as { data: [{ id: string }] }).data;
      const delivery = await byKey.get(`/app/v1/forms/${form}/deliveries/${id}`);
      return (delivery.body as { attempts: { error: string | null }[] }).attempts.map(({ error: name }) => name);
    };
    await eventually(async () => expect(await errorsOf(later)).toContain('origin_not_allowed'));
    await eventually(async () => expect(await errorsOf(nobodys)).not.toEqual([]));
    expect(await errorsOf(nobodys)).not.toContain('origin_not_allowed');
  });
});
