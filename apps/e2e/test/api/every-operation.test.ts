import { randomUUID } from 'node:crypto';
import { eventually, startSubscriber, type Person, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { expectServedDocument, operations, pathOf } from '../../support/operations';
import { asOutsider } from '../../support/outsider';
import { anyone, asMember, asOwner, asOwnerSignedIn, asServiceAccount, credentials, signIn } from '../../support/people';
import { uploadedFile } from '../../support/uploads';

// The permissions, taken from the contract (sections 4 and 5, and its decisions) and from the operation list of the application's own
// interface, not from the code. Every operation that the gateway serves must be listed here.

const scopes = ['forms:read', 'forms:write', 'submissions:read', 'submissions:write', 'workspaces:manage', 'hooks:manage'] as const;
type Scope = (typeof scopes)[number];
const isScope = (needs: string): needs is Scope => (scopes as readonly string[]).includes(needs);

/** The status for each role on the form, held through its workspace; the outsider is an editor of another workspace. */
type ByRole = readonly [owner: number, editor: number, viewer: number, outsider: number];

interface Request {
  /** Values for the path parameters. */
  values?: Record<string, string>;
  body?: unknown;
}

interface Row {
  /** The scope that a service account needs, or the audience: people, people with a session, or anyone without a credential. */
  needs: Scope | 'person' | 'session' | 'anyone';
  /** Absent if the operation concerns only the caller. */
  byRole?: ByRole;
  /** Prepares the request, once for each role. */
  request?: () => Request | Promise<Request>;
  /** Why a change is not in the audit log, or that a read operation is. */
  audit?: `none: ${string}` | 'reading';
}

const everybody = (status: number): ByRole => [status, status, status, status];
const anyRole = (status: number): ByRole => [status, status, status, 403];
const ownerOrEditor = (status: number): ByRole => [status, status, 403, 403];
const ownerOnly = (status: number): ByRole => [status, 403, 403, 403];
/** Needs edit access to the caller's workspace. */
const editAccess = (status: number): ByRole => [status, status, 403, status];

let subscriber: Subscriber;
let shared: { form: string; submission: string; delivery: string };

const newForm = async () => ({ values: { id: await given.publishedForm() } });
const newSubmission = async () => ({ values: { id: shared.form, subId: await given.submission(shared.form) } });
const trashedSubmission = async () => {
  const made = await newSubmission();
  await asOwner.delete(`/api/v1/forms/${made.values.id}/submissions/${made.values.subId}`);
  return made;
};
const newFolder = async () => {
  const { body } = await asOwner.post('/api/v1/folders', { label: 'Inspections' });
  return { values: { id: (body as { id: string }).id } };
};
/** Subscribed to an event that is never sent. */
const quietWebhook = () => ({ event: 'submission.updated', target_url: `${subscriber.url}/${randomUUID()}` });
const newWebhook = async () => {
  const { body } = await asOwner.post(`/app/v1/forms/${shared.form}/webhooks`, quietWebhook());
  return { values: { id: shared.form, webhookId: (body as { id: string }).id } };
};
const draftOf = async (id: string) => ((await asOwner.get(`/app/v1/forms/${id}/draft`)).body as { revision: number }).revision;
const workspace = () => ({ values: { id: credentials.workspace_id } });
const sharedForm = () => ({
  values: { id: shared.form, subId: shared.submission, deliveryId: shared.delivery, form: shared.form, version: '1' },
});
/** A pending delivery cannot be redelivered. */
const settledDelivery = () =>
  eventually(async () => {
    const { body } = await asOwner.get(`/app/v1/forms/${shared.form}/deliveries/${shared.delivery}`);
    expect(body).toMatchObject({ state: 'succeeded' });
    return sharedForm();
  });

const newMember = async () => {
  const { body } = await owner.post(`/app/v1/workspaces/${credentials.workspace_id}/members`, { email: stranger(), role: 'viewer' });
  return { values: { id: credentials.workspace_id, userId: (body as { user_id: string }).user_id } };
};
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const stranger = () => `stranger-${randomUUID()}@example.org`;

const table: Record<string, Row> = {
  'GET /api/v1/auth/me': { needs: 'forms:read', byRole: everybody(200) },
  'PATCH /api/v1/auth/workspace': {
    needs: 'workspaces:manage',
    byRole: anyRole(200),
    request: () => ({ body: { workspace_id: credentials.workspace_id } }),
    audit: 'none: where somebody works is their own view',
  },

  'GET /api/v1/forms': { needs: 'forms:read', byRole: everybody(200) },
  'POST /api/v1/forms': { needs: 'forms:write', byRole: editAccess(201), request: () => ({ body: { title: 'Another' } }) },
  'GET /api/v1/forms/{id}': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'PATCH /api/v1/forms/{id}': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: () => ({ ...sharedForm(), body: { title: 'Renamed' } }),
  },
  'DELETE /api/v1/forms/{id}': { needs: 'forms:write', byRole: ownerOnly(204), request: newForm },
  'GET /api/v1/forms/{id}/fields': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'POST /api/v1/forms/{id}/duplicate': { needs: 'forms:write', byRole: anyRole(201), request: sharedForm },
  'POST /api/v1/forms/{id}/publish': { needs: 'forms:write', byRole: ownerOrEditor(200), request: newForm },

  'GET /api/v1/forms/{id}/submissions': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /api/v1/forms/{id}/submissions/{subId}': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'DELETE /api/v1/forms/{id}/submissions/{subId}': { needs: 'submissions:write', byRole: ownerOrEditor(204), request: newSubmission },
  'PATCH /api/v1/forms/{id}/submissions/{subId}/status': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: () => ({ ...sharedForm(), body: { status: 'approved' } }),
  },

  'GET /api/v1/folders': { needs: 'forms:read', byRole: everybody(200) },
  'POST /api/v1/folders': { needs: 'forms:write', byRole: editAccess(201), request: () => ({ body: { label: 'Inspections' } }) },
  'PATCH /api/v1/folders/{id}': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: async () => ({ ...(await newFolder()), body: { label: 'Visits' } }),
  },
  'DELETE /api/v1/folders/{id}': { needs: 'forms:write', byRole: ownerOnly(204), request: newFolder },

  'GET /api/v1/workspaces': { needs: 'workspaces:manage', byRole: everybody(200) },
  'GET /api/v1/workspaces/{id}/members': { needs: 'workspaces:manage', byRole: anyRole(200), request: workspace },

  'POST /api/v1/hooks/subscribe': {
    needs: 'hooks:manage',
    byRole: anyRole(201),
    request: () => ({
      body: { form_id: shared.form, target_url: `${subscriber.url}/quiet`, event: 'submission.updated', source: 'zapier' },
    }),
  },
  // Another person's subscription; subscribers may always delete their own.
  'DELETE /api/v1/hooks/{id}': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(204),
    request: async () => ({ values: { id: await given.subscription(shared.form, `${subscriber.url}/removed`, 'submission.updated') } }),
  },

  'POST /app/v1/sessions': { needs: 'anyone' },
  'GET /app/v1/sessions/current': { needs: 'session', byRole: everybody(200) },
  'DELETE /app/v1/sessions/current': { needs: 'session' },
  'POST /app/v1/invitations/{token}': { needs: 'anyone' },
  'GET /app/v1/api-keys': { needs: 'person', byRole: everybody(200) },
  'POST /app/v1/api-keys': { needs: 'session', byRole: everybody(201), request: () => ({ body: { name: 'Mine' } }) },
  // The owner's key: for everybody else it does not exist.
  'DELETE /app/v1/api-keys/{id}': {
    needs: 'session',
    byRole: [204, 404, 404, 404],
    request: async () => {
      const { body } = await (await asOwnerSignedIn()).post('/app/v1/api-keys', { name: 'Short-lived' });
      return { values: { id: (body as { id: string }).id } };
    },
  },
  'GET /app/v1/service-accounts': { needs: 'person', byRole: ownerOnly(200) },
  'POST /app/v1/service-accounts': { needs: 'session', byRole: ownerOnly(201), request: () => ({ body: { name: 'Robot', scopes: [] } }) },
  'DELETE /app/v1/service-accounts/{id}': {
    needs: 'session',
    byRole: ownerOnly(204),
    request: async () => ({ values: { id: (await asServiceAccount()).id } }),
  },
  'PATCH /app/v1/service-accounts/{id}': {
    needs: 'person',
    byRole: ownerOnly(200),
    request: async () => ({ values: { id: (await asServiceAccount()).id }, body: { name: 'Importer' } }),
  },
  'POST /app/v1/service-accounts/{id}/keys': {
    needs: 'session',
    byRole: ownerOnly(201),
    request: async () => ({ values: { id: (await asServiceAccount()).id }, body: {} }),
  },
  'DELETE /app/v1/service-accounts/{id}/keys/{keyId}': {
    needs: 'session',
    byRole: ownerOnly(204),
    request: async () => {
      const { body } = await owner.post('/app/v1/service-accounts', { name: 'Robot', scopes: [] });
      const { id, keys } = body as { id: string; keys: { id: string }[] };
      return { values: { id, keyId: keys[0]?.id ?? '' } };
    },
  },
  'GET /app/v1/me': { needs: 'session', byRole: everybody(200) },
  'PATCH /app/v1/me': { needs: 'session', byRole: everybody(200), request: () => ({ body: { avatar_url: null } }) },
  // The outsider is an editor in their own workspace.
  'POST /app/v1/workspaces': { needs: 'person', byRole: ownerOnly(201), request: () => ({ body: { name: 'Field work' } }) },
  'PATCH /app/v1/workspaces/{id}': {
    needs: 'person',
    byRole: ownerOnly(200),
    request: () => ({ ...workspace(), body: { color: '#336699' } }),
  },
  'POST /app/v1/workspaces/{id}/members': {
    needs: 'person',
    byRole: ownerOnly(201),
    request: () => ({ ...workspace(), body: { email: stranger(), role: 'viewer' } }),
  },
  'PATCH /app/v1/workspaces/{id}/members/{userId}': {
    needs: 'person',
    byRole: ownerOnly(200),
    request: async () => ({ ...(await newMember()), body: { role: 'editor' } }),
  },
  'DELETE /app/v1/workspaces/{id}/members/{userId}': { needs: 'person', byRole: ownerOnly(204), request: () => newMember() },
  'GET /app/v1/audit-log': { needs: 'person', byRole: ownerOnly(200) },
  'GET /app/v1/forms/{id}/draft': { needs: 'forms:read', byRole: ownerOrEditor(200), request: sharedForm },
  'PUT /app/v1/forms/{id}/draft': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: async () => ({ ...sharedForm(), body: { fields: [], revision: await draftOf(shared.form) } }),
  },
  'GET /app/v1/forms/{id}/versions': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/versions/{version}': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/restore': {
    needs: 'forms:write',
    byRole: ownerOnly(200),
    request: async () => {
      const made = await newForm();
      await asOwner.delete(`/api/v1/forms/${made.values.id}`);
      return made;
    },
  },
  'GET /app/v1/forms/{id}/grants': { needs: 'forms:read', byRole: ownerOrEditor(200), request: sharedForm },
  'PUT /app/v1/forms/{id}/grants/{userId}': {
    needs: 'forms:write',
    byRole: ownerOnly(200),
    request: async () => ({ values: { ...(await newForm()).values, userId: credentials.user.id }, body: { role: 'viewer' } }),
  },
  'DELETE /app/v1/forms/{id}/grants/{userId}': {
    needs: 'forms:write',
    byRole: ownerOnly(204),
    request: async () => {
      const { id } = (await newForm()).values;
      await asOwner.put(`/app/v1/forms/${id}/grants/${credentials.user.id}`, { role: 'viewer' });
      return { values: { id, userId: credentials.user.id } };
    },
  },
  'GET /app/v1/forms/{id}/webhooks': { needs: 'hooks:manage', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/webhooks': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(201),
    request: () => ({ ...sharedForm(), body: quietWebhook() }),
  },
  'PATCH /app/v1/forms/{id}/webhooks/{webhookId}': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(200),
    request: async () => ({ ...(await newWebhook()), body: { active: false } }),
  },
  'DELETE /app/v1/forms/{id}/webhooks/{webhookId}': { needs: 'hooks:manage', byRole: ownerOrEditor(204), request: () => newWebhook() },
  'POST /app/v1/forms/{id}/submissions/bulk-status': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: () => ({ ...sharedForm(), body: { submission_ids: [shared.submission], status: 'in_review' } }),
  },
  'GET /app/v1/forms/{id}/submissions/{subId}/history': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/submissions/trash': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/submissions/{subId}/restore': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: trashedSubmission,
  },
  'GET /app/v1/forms/{id}/submissions/spam': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'PUT /app/v1/forms/{id}/submissions/{subId}/spam': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: async () => ({ ...(await newSubmission()), body: { spam: true } }),
  },
  'GET /app/v1/forms/{id}/submissions/export': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm, audit: 'reading' },
  'GET /app/v1/forms/{id}/files/{fileId}': {
    needs: 'submissions:read',
    byRole: anyRole(200),
    request: async () => {
      const id = await given.publishedForm({ fields: [{ key: 'cv', label: 'Your CV', type: 'file' }] });
      const fileId = await uploadedFile(id, 'cv');
      await given.submission(id, { cv: fileId });
      return { values: { id, fileId } };
    },
    audit: 'reading',
  },
  'GET /app/v1/forms/{id}/deliveries': { needs: 'hooks:manage', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/deliveries/{deliveryId}/redeliver': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(202),
    request: settledDelivery,
  },
  'POST /app/v1/forms/{id}/deliveries/redeliver': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(202),
    request: async () => ({ ...(await settledDelivery()), body: { from: minutesFromNow(-10), to: minutesFromNow(10) } }),
  },
  'GET /app/v1/forms/{id}/deliveries/{deliveryId}': { needs: 'hooks:manage', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/webhook-keys': { needs: 'person', byRole: everybody(200) },
  'POST /app/v1/webhook-keys/rotate': {
    needs: 'session',
    byRole: ownerOnly(200),
    audit: 'none: while the last rotation lasts, asking again changes nothing',
  },
  // No payment exists: payments are not set up in this system.
  'GET /app/v1/forms/{id}/submissions/{subId}/payment': { needs: 'submissions:read', byRole: anyRole(404), request: sharedForm },

  'GET /.well-known/webhook-keys.json': { needs: 'anyone' },
  'GET /public/v1/forms/{form}': { needs: 'anyone' },
  'POST /public/v1/forms/{form}/submissions': { needs: 'anyone', audit: 'none: respondents are nobody whom the log could name' },
  'POST /public/v1/payments/stripe': { needs: 'anyone', audit: 'none: the payment of the submission says it' },
  'POST /public/v1/forms/{form}/files': { needs: 'anyone', audit: 'none: respondents are nobody whom the log could name' },
};

const rows = operations.flatMap((operation) => {
  const row = table[operation.name];
  return row ? [{ ...row, ...operation }] : [];
});
const named = <R extends { name: string }>(list: readonly R[]) => list.map((row) => [row.name, row] as const);
const error = (status: number, code: string) => ({ status, body: { error: { code } } });

let owner: Person;
let people: readonly [owner: Person, editor: Person, viewer: Person, outsider: Person];
let byScope: ReadonlyMap<Scope, Person>;
/** Per operation, the id of the owner's request. */
const done = new Map<string, string>();

function withOnly(scope: Scope): Person {
  const account = byScope.get(scope);
  if (!account) throw new Error(`there is no service account with ${scope}`);
  return account;
}

beforeAll(async () => {
  subscriber = await startSubscriber();
  owner = await asOwnerSignedIn();
  people = [owner, await asMember('editor'), await asMember('viewer'), await asOutsider()];
  byScope = new Map(await Promise.all(scopes.map(async (scope) => [scope, await asServiceAccount(scope)] as const)));

  const form = await given.publishedForm();
  await given.subscription(form, subscriber.url);
  const submission = await given.submission(form);
  const delivery = await eventually(async () => {
    const { body } = await asOwner.get(`/app/v1/forms/${form}/deliveries`);
    const [first] = (body as { data: { id: string }[] }).data;
    if (!first) throw new Error('nothing has been planned yet');
    return first.id;
  });
  shared = { form, submission, delivery };
});
afterAll(() => subscriber.close());

it('stands in the table of who may do what', async () => {
  await expectServedDocument(anyone);
  expect(operations.map(({ name }) => name).filter((name) => !table[name])).toEqual([]);
});

describe.each(named(rows.filter(({ needs }) => needs === 'anyone')))('%s', (_, { method, ...operation }) => {
  it('asks for no credential, and looks at none', async () => {
    const path = pathOf(operation);
    const without = await anyone.send(method, path);
    const withNonsense = await anyone.with('nonsense').send(method, path);
    expect((without.body as { error?: { code: string } }).error?.code).not.toBe('authentication_required');
    expect(withNonsense).toMatchObject({ status: without.status, body: without.body });
  });
});

describe.each(named(rows.filter(({ needs }) => needs !== 'anyone')))('%s', (name, { method, needs, byRole, request, ...operation }) => {
  // Ids that do not exist, and no body: credentials and scopes are checked first.
  const empty = pathOf(operation);

  it('needs a credential', async () => {
    expect(await anyone.send(method, empty)).toMatchObject(error(401, 'authentication_required'));
  });

  it('needs one that is good', async () => {
    expect(await anyone.with('shf_u_nonsense').send(method, empty)).toMatchObject(error(401, 'unauthorized'));
  });

  if (needs === 'person' || needs === 'session') {
    it.each(scopes)('is not for a service account, whatever its scope: %s', async (scope) => {
      expect(await withOnly(scope).send(method, empty)).toMatchObject(error(403, 'forbidden'));
    });
  } else if (needs !== 'anyone') {
    it.each(scopes.filter((scope) => scope !== needs))('is refused to a service account that has the scope %s alone', async (scope) => {
      expect(await withOnly(scope).send(method, empty)).toMatchObject(error(403, 'insufficient_scope'));
    });

    it(`lets a service account with the scope ${needs} on to what comes next`, async () => {
      const { status, body } = await withOnly(needs).send(method, empty);
      expect(status).not.toBe(401);
      expect(status).toBeLessThan(500);
      expect(body).not.toMatchObject({ error: { code: 'insufficient_scope' } });
    });
  }

  if (needs === 'session') {
    it('is not for a key', async () => {
      expect(await asOwner.send(method, empty)).toMatchObject(error(403, 'forbidden'));
    });
  }

  if (byRole) {
    it.each([
      ['owner', 0],
      ['editor', 1],
      ['viewer', 2],
      ['outsider', 3],
    ] as const)('answers who has the role %s as the contract says', async (__, role) => {
      const { values, body } = (await request?.()) ?? {};
      const requestId = randomUUID();
      const reply = await people[role].send(method, pathOf(operation, values), body, { 'x-request-id': requestId });
      if (role === 0) done.set(name, requestId);
      expect({ status: reply.status, body: reply.body }).toMatchObject(
        byRole[role] === 403 ? error(403, 'forbidden') : { status: byRole[role] },
      );
    });
  }
});

it('lets anybody end their own session, and no more than that', async () => {
  const [first, second] = [await signIn(credentials.user.email, credentials.user.password), owner];
  const requestId = randomUUID();
  expect(await first.send('DELETE', '/app/v1/sessions/current', undefined, { 'x-request-id': requestId })).toMatchObject({ status: 204 });
  done.set('DELETE /app/v1/sessions/current', requestId);
  expect(await second.get('/app/v1/sessions/current')).toMatchObject({ status: 200 });
});

// Runs after the role tests, because it changes the same data.
describe.each(named(rows.filter(({ needs }) => isScope(needs))))('%s', (_, { method, needs, request, ...operation }) => {
  // Tries ids that do not exist as well: for a form that it has cached, a service does not call another one.
  it('is refused to a service account with its scope alone by no service either', async () => {
    if (!isScope(needs)) throw new Error('not a scope');
    const { values, body } = (await request?.()) ?? {};
    for (const path of [pathOf(operation), pathOf(operation, values)]) {
      const reply = await withOnly(needs).send(method, path, body);
      expect(reply.status).not.toBe(401);
      expect(reply.status).toBeLessThan(500);
      expect((reply.body as { error?: { code: string } } | undefined)?.error?.code).not.toBe('insufficient_scope');
    }
  });
});

describe('the audit log', () => {
  const recorded = rows.filter(({ method, audit }) => audit === 'reading' || (method !== 'GET' && audit === undefined));

  beforeAll(async () => {
    const { body } = await owner.post(`/app/v1/workspaces/${credentials.workspace_id}/members`, { email: stranger(), role: 'viewer' });
    const token = (body as { invitation_url: string }).invitation_url.split('/').at(-1) ?? '';
    const unknown = [
      ['POST /app/v1/sessions', '/app/v1/sessions', { email: credentials.user.email, password: credentials.user.password }],
      ['POST /app/v1/invitations/{token}', `/app/v1/invitations/${token}`, { name: 'Vera', password: 'a good long password' }],
    ] as const;
    for (const [name, path, sent] of unknown) {
      const requestId = randomUUID();
      expect(await anyone.post(path, sent, { 'x-request-id': requestId })).toMatchObject({ status: 201 });
      done.set(name, requestId);
    }
  });

  it.each(named(recorded))('has an entry of the request %s', async (name) => {
    const requestId = done.get(name);
    if (requestId === undefined) throw new Error('nobody did it in these tests');
    await eventually(async () => expect((await requestsInTheLog()).has(requestId)).toBe(true));
  });

  it('has none of what only reads', async () => {
    const readers = rows.flatMap(({ name, method, audit }) => (method === 'GET' && audit === undefined ? [done.get(name)] : []));
    const known = await requestsInTheLog();
    expect(readers.filter((id) => id !== undefined && known.has(id))).toEqual([]);
  });
});

/** The ids of all requests in the audit log. */
async function requestsInTheLog(): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const { body } = await asOwner.get(`/app/v1/audit-log?limit=100&offset=${offset}`);
    const page = body as { data: { request_id: string }[]; total: number };
    for (const { request_id } of page.data) ids.add(request_id);
    total = page.total;
  }
  return ids;
}
