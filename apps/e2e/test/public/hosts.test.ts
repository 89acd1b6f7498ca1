import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, propertyRuns, soonMs } from '@sheaf/testing';
import { createInstance } from '../../support/instances';
import { unknownId, operations, pathOf } from '../../support/operations';
import { createInstanceFixture, type InstanceFixture } from '../../support/instance-fixture';
import { sharedSystem, type SharedSystem } from '../../support/shared-system';

const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });

let system: SharedSystem;
let first: InstanceFixture;
let second: InstanceFixture;

beforeAll(async () => {
  system = await sharedSystem('hosts');
  first = await createInstanceFixture(system.origin, 'my-workspace.sheaf.test', system.credentials);
  const credentials = await createInstance(system.dataDir, { slug: 'acme', domain: 'forms.acme.example' });
  second = await createInstanceFixture(system.origin, 'acme.sheaf.test', credentials);
});

/** The operations of people that require no credential. */
const open = new Set(['POST /app/v1/sessions', 'GET /app/v1/invitations/{token}', 'POST /app/v1/invitations/{token}']);

/** Each instance tried against the other. */
const directions: [string, () => { here: InstanceFixture; there: InstanceFixture }][] = [
  ['the first', () => ({ here: first, there: second })],
  ['the second', () => ({ here: second, there: first })],
];

describe.each(directions)('a caller of %s instance', (_, sides) => {
  it('has no valid key, session or service account in the other instance', async () => {
    const { here, there } = sides();
    for (const who of [here.byKey, here.bySession, here.byServiceAccount]) {
      expect(await who.get('/api/v1/auth/me')).toMatchObject({ status: 200 });
      expect(await who.at(there.host).get('/api/v1/auth/me')).toMatchObject(error(401, 'unauthorized'));
      expect(await who.at(there.host).get(`/api/v1/forms/${there.form}`)).toMatchObject(error(401, 'unauthorized'));
    }
  });

  it.each<[string, string, (there: InstanceFixture) => string, object?]>([
    ['a form', 'GET', ({ form }) => `/api/v1/forms/${form}`],
    ['a form', 'PATCH', ({ form }) => `/api/v1/forms/${form}`, { title: 'Mine' }],
    ['a form', 'DELETE', ({ form }) => `/api/v1/forms/${form}`],
    ['the fields of a form', 'GET', ({ form }) => `/api/v1/forms/${form}/fields`],
    ['a form to duplicate', 'POST', ({ form }) => `/api/v1/forms/${form}/duplicate`],
    ['a form to publish', 'POST', ({ form }) => `/api/v1/forms/${form}/publish`],
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
      'a workspace for a new member',
      'POST',
      ({ workspace }) => `/app/v1/workspaces/${workspace}/members`,
      { email: 'x@example.org', role: 'viewer' },
    ],
    ['a workspace', 'PATCH', ({ workspace }) => `/app/v1/workspaces/${workspace}`, { name: 'Mine' }],
    ['a member of a workspace', 'PATCH', ({ workspace }) => `/app/v1/workspaces/${workspace}/members/${unknownId}`, { role: 'viewer' }],
  ])('does not find %s of the other instance: %s', async (_, method, pathIn, ...[body]: [body?: object]) => {
    // A rest parameter, because jest passes its callback as the next named one in rows without a body.
    const { here, there } = sides();
    const path = pathIn(there);
    // Only people who are signed in manage workspaces and their members.
    for (const who of path.startsWith('/app/v1/workspaces/') ? [here.bySession] : [here.byKey, here.byServiceAccount]) {
      expect(await who.send(method, path, body)).toMatchObject(error(404, 'not_found'));
    }
  });

  it('does not find a submission of the other instance under their own form', async () => {
    const { here, there } = sides();
    expect(await here.byKey.get(`/api/v1/forms/${here.form}/submissions/${there.submission}`)).toMatchObject(error(404, 'not_found'));
  });

  it('cannot use ids of the other instance in request bodies', async () => {
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

  it('cannot switch to a workspace of the other instance or list its members', async () => {
    const { here, there } = sides();
    for (const who of [here.byKey, here.bySession]) {
      expect(await who.patch('/api/v1/auth/workspace', { workspace_id: there.workspace })).toMatchObject(error(403, 'forbidden'));
      expect(await who.get(`/api/v1/workspaces/${there.workspace}/members`)).toMatchObject(error(403, 'forbidden'));
    }
    expect(await here.byKey.get('/api/v1/workspaces')).toMatchObject({ body: { total: 1, data: [{ id: here.workspace }] } });
  });

  it('lists only forms and folders of their own instance, even as a service account', async () => {
    const { here } = sides();
    expect(await here.byServiceAccount.get('/api/v1/forms')).toMatchObject({ body: { total: 1, data: [{ id: here.form }] } });
    expect(await here.byKey.get('/api/v1/folders')).toMatchObject({ body: { total: 1, data: [{ id: here.folder }] } });
  });

  it('does not see forms of the other instance as a respondent, even under a slug that both use', async () => {
    const { here, there } = sides();
    expect(await here.anyone.get(`/public/v1/forms/${there.form}`)).toMatchObject(error(404, 'not_found'));
    expect(await here.anyone.post(`/public/v1/forms/${there.form}/submissions`, { data: { name: 'Ada' } })).toMatchObject(
      error(404, 'not_found'),
    );
    expect(await here.anyone.get(`/public/v1/forms/${here.slug}`)).toMatchObject({ status: 200, body: { id: here.form } });
  });
});

// In one direction, as a credential is refused before the operation is known.
describe('a caller of another instance', () => {
  it.each(
    operations
      .filter(({ name, path }) => !/^\/(?:public|\.well-known)\//.test(path) && !open.has(name))
      .map((operation, index) => [operation.name, operation, index] as const),
  )('cannot use %s of the other instance with any credential', async (_, operation, index) => {
    // Each operation gets one of them in turn, and all at night.
    const { numRuns: each } = propertyRuns(3);
    const callers = [first.byKey, first.bySession, first.byServiceAccount];
    for (const who of callers.filter((_caller, place) => (index + place) % callers.length < each)) {
      const reply = await who.at(second.host).send(operation.method, pathOf(operation), operation.body ? {} : undefined);
      expect(reply).toMatchObject(error(401, 'unauthorized'));
    }
  });
});

it('each instance has its own webhook keys', async () => {
  const [ours, theirs] = await Promise.all([first, second].map(({ anyone }) => anyone.get('/.well-known/webhook-keys.json')));
  expect(ours).toMatchObject({ status: 200, body: { keys: [{ kty: 'OKP' }] } });
  expect(theirs?.body).not.toEqual(ours?.body);
});

it('a person cannot sign in to an instance where they have no account', async () => {
  const { email, password } = system.credentials.user;
  expect(await first.anyone.post('/app/v1/sessions', { email, password })).toMatchObject({ status: 201 });
  expect(await second.anyone.post('/app/v1/sessions', { email, password })).toMatchObject(error(401, 'unauthorized'));
});

describe('a host', () => {
  it('may be a custom domain, in any case, with a port or a trailing dot', async () => {
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
    '127.0.0.9',
    '',
  ])('that belongs to no instance is not found, with or without a credential: %j', async (host) => {
    for (const who of [second.anyone, second.byKey])
      expect(await who.at(host).get('/api/v1/auth/me')).toMatchObject(error(404, 'not_found'));
    expect(await second.anyone.at(host).get(`/public/v1/forms/${second.form}`)).toMatchObject(error(404, 'not_found'));
  });

  it.each(['%00', 'forms.acme.example:http', 'forms.acme.example:0', 'forms..example', 'x'.repeat(256)])(
    'that is not valid is rejected before the lookup: %j',
    async (host) => {
      for (const who of [second.anyone, second.byKey])
        expect(await who.at(host).get('/api/v1/auth/me')).toMatchObject(error(400, 'bad_request'));
    },
  );
});

it('a workspace with a changed slug is at the new host, and no longer at the old one, within a second', async () => {
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
  it('writes the credentials into a file that only its owner can read', async () => {
    expect((await stat(join(system.dataDir, 'acme.json'))).mode & 0o777).toBe(0o600);
  });

  it('rejects a taken slug or domain and an invalid slug, and does not overwrite credentials', async () => {
    await expect(createInstance(system.dataDir, { slug: 'my-workspace' })).rejects.toThrow('The slug belongs to another workspace.');
    await expect(createInstance(system.dataDir, { slug: 'other', domain: 'forms.acme.example' })).rejects.toThrow(
      'The domain belongs to another instance.',
    );
    await expect(createInstance(system.dataDir, { slug: 'Other_One' })).rejects.toThrow('--slug: must be');
    await expect(createInstance(system.dataDir, { slug: 'acme' })).rejects.toThrow('already exists');
  });
});

describe('a webhook', () => {
  const ownAddress = 'target_url: must not be an address of this deployment';

  it.each([
    'https://forms.acme.example/public/v1/forms/survey/submissions',
    'https://FORMS.acme.example.:443/x',
    'https://my-workspace.sheaf.test/x',
    'https://acme.sheaf.test/x',
    'http://acme.sheaf.test/x',
  ])('to a host of any instance is rejected: %s', async (target_url) => {
    const { byKey, form } = first;
    const refused = { status: 400, body: { error: { code: 'bad_request', message: ownAddress } } };
    const event = 'submission.created';
    expect(await byKey.post('/api/v1/hooks/subscribe', { form_id: form, target_url, event, source: 'zapier' })).toMatchObject(refused);
    expect(await byKey.post(`/app/v1/forms/${form}/webhooks`, { target_url, event })).toMatchObject(refused);
    expect(await byKey.patch(`/app/v1/forms/${form}/webhooks/${first.hook}`, { target_url })).toMatchObject(refused);
  });

  it.each(['https://acme.sheaf.test:5678/hook', 'https://nobody.sheaf.test/x', 'https://sheaf.test/x'])(
    'to another port or another host is not rejected as one of this deployment: %s',
    async (target_url) => {
      const { body } = await first.byKey.post(`/app/v1/forms/${first.form}/webhooks`, { target_url, event: 'submission.created' });
      expect(body).not.toMatchObject({ error: { message: ownAddress } });
    },
  );

  it('to a host that later becomes one of an instance is no longer sent, and its attempts say why', async () => {
    const { byKey, form } = first;
    const { port } = new URL(system.origin);
    const createWebhook = async (target_url: string) => {
      const { status, body } = await byKey.post(`/app/v1/forms/${form}/webhooks`, { target_url, event: 'submission.created' });
      expect({ status, body }).toMatchObject({ status: 201 });
      return (body as { id: string }).id;
    };
    const [later, foreign] = [await createWebhook(`http://127.0.0.2:${port}/x`), await createWebhook(`http://127.0.0.3:${port}/x`)];
    await createInstance(system.dataDir, { slug: 'later', domain: '127.0.0.2' });

    await first.anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });

    const errorsOf = async (subscription: string) => {
      const { body } = await byKey.get(`/app/v1/forms/${form}/deliveries?subscription_id=${subscription}`);
      const [{ id }] = (body as { data: [{ id: string }] }).data;
      const delivery = await byKey.get(`/app/v1/forms/${form}/deliveries/${id}`);
      return (delivery.body as { attempts: { error: string | null }[] }).attempts.map(({ error: name }) => name);
    };
    await eventually(async () => expect(await errorsOf(later)).toContain('origin_not_allowed'));
    await eventually(async () => expect(await errorsOf(foreign)).not.toEqual([]));
    expect(await errorsOf(foreign)).not.toContain('origin_not_allowed');
  });
});
