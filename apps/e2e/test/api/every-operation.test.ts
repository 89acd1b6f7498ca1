import { randomUUID } from 'node:crypto';
import { eventually, soonMs, startSubscriber, type Person, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { expectServedDocument, operations, pathOf } from '../../support/operations';
import { asOutsider } from '../../support/outsider';
import {
  acceptedInvitation,
  anyone,
  asMember,
  asOwner,
  asOwnerSignedIn,
  asServiceAccount,
  credentials,
  signIn,
} from '../../support/people';
import { isScope, newAddress, permissions, scopes, type Scope, type Shared } from '../../support/permissions';

const rows = operations.flatMap((operation) => {
  const row = permissions[operation.name];
  return row ? [{ ...row, ...operation }] : [];
});
const byName = <R extends { name: string }>(list: readonly R[]) => list.map((row) => [row.name, row] as const);
const error = (status: number, code: string) => ({ status, body: { error: { code } } });

let subscriber: Subscriber;
let shared: Shared;
let owner: Person;
let people: readonly [owner: Person, editor: Person, viewer: Person, outsider: Person];
let byScope: ReadonlyMap<Scope, Person>;
/** The id of the owner's request, per operation. */
const requestIds = new Map<string, string>();

function withOnly(scope: Scope): Person {
  const account = byScope.get(scope);
  if (!account) throw new Error(`There is no service account with the scope ${scope}.`);
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
    if (!first) throw new Error('no delivery has been planned yet');
    return first.id;
  });
  shared = { form, submission, delivery, subscriberUrl: subscriber.url };
});
afterAll(() => subscriber.close());

it('every operation is in the table of permissions', async () => {
  await expectServedDocument(anyone);
  expect(operations.map(({ name }) => name).filter((name) => !permissions[name])).toEqual([]);
});

describe.each(byName(rows.filter(({ needs }) => needs === 'anyone')))('%s', (_, { method, ...operation }) => {
  it('requires no credential and ignores an invalid one', async () => {
    const path = pathOf(operation);
    const without = await anyone.send(method, path);
    const withNonsense = await anyone.with('nonsense').send(method, path);
    expect((without.body as { error?: { code: string } }).error?.code).not.toBe('authentication_required');
    expect(withNonsense).toMatchObject({ status: without.status, body: without.body });
  });
});

describe.each(byName(rows.filter(({ needs }) => needs !== 'anyone')))('%s', (name, { method, needs, byRole, request, ...operation }) => {
  // Unknown ids and no body, because credentials and scopes are checked first.
  const path = pathOf(operation);

  it('requires a credential', async () => {
    expect(await anyone.send(method, path)).toMatchObject(error(401, 'authentication_required'));
  });

  it('requires a valid credential', async () => {
    expect(await anyone.with('shf_u_nonsense').send(method, path)).toMatchObject(error(401, 'unauthorized'));
  });

  if (needs === 'person' || needs === 'session') {
    it.each(scopes)('is forbidden for service accounts, even with the scope %s', async (scope) => {
      expect(await withOnly(scope).send(method, path)).toMatchObject(error(403, 'forbidden'));
    });
  } else if (needs !== 'anyone') {
    it.each(scopes.filter((scope) => scope !== needs))('is refused to a service account with only the scope %s', async (scope) => {
      expect(await withOnly(scope).send(method, path)).toMatchObject(error(403, 'insufficient_scope'));
    });

    it(`admits a service account with the scope ${needs} to the next check`, async () => {
      const { status, body } = await withOnly(needs).send(method, path);
      expect(status).not.toBe(401);
      expect(status).toBeLessThan(500);
      expect(body).not.toMatchObject({ error: { code: 'insufficient_scope' } });
    });
  }

  if (needs === 'session') {
    it('is forbidden for keys', async () => {
      expect(await asOwner.send(method, path)).toMatchObject(error(403, 'forbidden'));
    });
  }

  if (byRole) {
    it.each([
      ['owner', 0],
      ['editor', 1],
      ['viewer', 2],
      ['outsider', 3],
    ] as const)('answers the role %s as the contract specifies', async (__, role) => {
      const { values, body, query } = (await request?.(shared)) ?? {};
      const requestId = randomUUID();
      const reply = await people[role].send(method, pathOf(operation, values, query), body, { 'x-request-id': requestId });
      if (role === 0) requestIds.set(name, requestId);
      expect({ status: reply.status, body: reply.body }).toMatchObject(
        byRole[role] === 403 ? error(403, 'forbidden') : { status: byRole[role] },
      );
    });
  }
});

it('signing out ends only the session of the request', async () => {
  const [first, second] = [await signIn(credentials.user.email, credentials.user.password), owner];
  const requestId = randomUUID();
  expect(await first.send('DELETE', '/app/v1/sessions/current', undefined, { 'x-request-id': requestId })).toMatchObject({ status: 204 });
  requestIds.set('DELETE /app/v1/sessions/current', requestId);
  expect(await second.get('/app/v1/sessions/current')).toMatchObject({ status: 200 });
});

it('ending the other sessions leaves the session of the request', async () => {
  const { person, signIn: signInAgain } = await acceptedInvitation('viewer');
  const other = await signInAgain();
  const requestId = randomUUID();
  expect(await person.send('DELETE', '/app/v1/sessions', undefined, { 'x-request-id': requestId })).toMatchObject({ status: 204 });
  requestIds.set('DELETE /app/v1/sessions', requestId);
  expect(await person.get('/app/v1/sessions/current')).toMatchObject({ status: 200 });
  await eventually(async () => expect(await other.get('/app/v1/sessions/current')).toMatchObject(error(401, 'unauthorized')), soonMs);
});

// These tests run after the role tests because they change the same data.
describe.each(byName(rows.filter(({ needs }) => isScope(needs))))('%s', (_, { method, needs, request, ...operation }) => {
  // Also tries unknown ids, because a service does not call another one for a form that it has cached.
  it('is accepted by every service from a service account with only its scope', async () => {
    if (!isScope(needs)) throw new Error('not a scope');
    const { values, body, query } = (await request?.(shared)) ?? {};
    for (const path of [pathOf(operation), pathOf(operation, values, query)]) {
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
    const { body } = await owner.post(`/app/v1/workspaces/${credentials.workspace_id}/members`, { email: newAddress(), role: 'viewer' });
    const token = (body as { invitation_url: string }).invitation_url.split('/').at(-1) ?? '';
    const requests = [
      ['POST /app/v1/sessions', '/app/v1/sessions', { email: credentials.user.email, password: credentials.user.password }],
      ['POST /app/v1/invitations/{token}', `/app/v1/invitations/${token}`, { name: 'Vera', password: 'a good long password' }],
    ] as const;
    for (const [name, path, json] of requests) {
      const requestId = randomUUID();
      expect(await anyone.post(path, json, { 'x-request-id': requestId })).toMatchObject({ status: 201 });
      requestIds.set(name, requestId);
    }
  });

  it.each(byName(recorded))('has an entry for %s', async (name) => {
    const requestId = requestIds.get(name);
    if (requestId === undefined) throw new Error('no test made this request');
    await eventually(async () => expect((await loggedRequestIds()).has(requestId)).toBe(true));
  });

  it('has no entries for reads', async () => {
    const readers = rows.flatMap(({ name, method, audit }) => (method === 'GET' && audit === undefined ? [requestIds.get(name)] : []));
    const logged = await loggedRequestIds();
    expect(readers.filter((id) => id !== undefined && logged.has(id))).toEqual([]);
  });
});

/** Returns the ids of all requests in the audit log. */
async function loggedRequestIds(): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const { body } = await asOwner.get(`/app/v1/audit-log?limit=100&offset=${offset}`);
    const page = body as { data: { request_id: string }[]; total: number };
    for (const { request_id } of page.data) ids.add(request_id);
    total = page.total;
  }
  return ids;
}
