import { randomUUID } from 'node:crypto';
import { eventually, soonMs, startSubscriber, type HttpReply, type Person, type Subscriber } from '@sheaf/testing';
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
/** By the one scope that each lacks: whoever accepts any other scope accepts these. */
let byLack: ReadonlyMap<Scope, Person>;
let withAll: Person;
/** The id of the owner's request, per operation. */
const requestIds = new Map<string, string>();

function accountIn(accounts: ReadonlyMap<Scope, Person>, scope: Scope): Person {
  const account = accounts.get(scope);
  if (!account) throw new Error(`There is no service account for the scope ${scope}.`);
  return account;
}
const withOnly = (scope: Scope) => accountIn(byScope, scope);
const accountsBy = async (scopesOf: (scope: Scope) => readonly Scope[]): Promise<ReadonlyMap<Scope, Person>> =>
  new Map(await Promise.all(scopes.map(async (scope) => [scope, await asServiceAccount(...scopesOf(scope))] as const)));

beforeAll(async () => {
  subscriber = await startSubscriber();
  owner = await asOwnerSignedIn();
  people = [owner, await asMember('editor'), await asMember('viewer'), await asOutsider()];
  [byScope, byLack, withAll] = await Promise.all([
    accountsBy((scope) => [scope]),
    accountsBy((scope) => scopes.filter((other) => other !== scope)),
    asServiceAccount(...scopes),
  ]);

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

it.each(byName(rows.filter(({ needs }) => needs === 'anyone')))(
  '%s requires no credential and ignores an invalid one',
  async (_, { method, ...operation }) => {
    const path = pathOf(operation);
    const without = await anyone.send(method, path);
    const withNonsense = await anyone.with('nonsense').send(method, path);
    expect((without.body as { error?: { code: string } }).error?.code).not.toBe('authentication_required');
    expect(withNonsense).toMatchObject({ status: without.status, body: without.body });
  },
);

it.each(byName(rows.filter(({ needs }) => needs !== 'anyone')))(
  '%s checks credentials, then scopes, then roles',
  async (name, { method, needs, byRole, request, ...operation }) => {
    // Unknown ids and no body, because credentials and scopes are checked first.
    const path = pathOf(operation);
    const refuses = async (person: Person, status: number, code: string) =>
      expect(await person.send(method, path)).toMatchObject(error(status, code));
    const checks: Check[] = [
      ['without a credential', () => refuses(anyone, 401, 'authentication_required')],
      ['an invalid credential', () => refuses(anyone.with('shf_u_nonsense'), 401, 'unauthorized')],
    ];
    if (isScope(needs)) {
      checks.push([`a service account with every scope but ${needs}`, () => refuses(accountIn(byLack, needs), 403, 'insufficient_scope')]);
      // With unknown ids, because a service does not call another one for a form that it has cached. With known ones: further below.
      checks.push([`a service account with ${needs}`, async () => expectAdmitted(await withOnly(needs).send(method, path))]);
    } else {
      checks.push(['a service account with every scope', () => refuses(withAll, 403, 'forbidden')]);
    }
    if (needs === 'session') checks.push(['a key', () => refuses(asOwner, 403, 'forbidden')]);
    /** Made again only after a change: whoever reads or is refused leaves everything as it is. */
    let prepared: ReturnType<NonNullable<typeof request>> | undefined;
    for (const [index, role] of byRole ? (['owner', 'editor', 'viewer', 'outsider'] as const).entries() : []) {
      const check = async () => {
        const { values, body, query, headers } = (await (prepared ??= request?.(shared))) ?? {};
        const requestId = randomUUID();
        const person = people[index] ?? owner;
        const reply = await person.send(method, pathOf(operation, values, query), body, { ...headers, 'x-request-id': requestId });
        if (method !== 'GET' && reply.status < 400) prepared = undefined;
        if (role === 'owner') requestIds.set(name, requestId);
        const status = byRole?.[index];
        expect({ status: reply.status, body: reply.body }).toMatchObject(status === 403 ? error(403, 'forbidden') : { status });
      };
      checks.push([`the role ${role}`, check]);
    }
    expect(await faultsOf(checks)).toEqual([]);
  },
);

type Check = readonly [what: string, check: () => Promise<unknown>];

/** Makes all checks, so that a test of an operation names all that is wrong with it. */
async function faultsOf(checks: readonly Check[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, check] of checks)
    await check().catch((fault: unknown) => void faults.push(`${what}: ${fault instanceof Error ? fault.message : String(fault)}`));
  return faults;
}

function expectAdmitted({ status, body }: HttpReply): void {
  expect(status).not.toBe(401);
  expect(status).toBeLessThan(500);
  expect((body as { error?: { code: string } } | undefined)?.error?.code).not.toBe('insufficient_scope');
}

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
it.each(byName(rows.filter(({ needs }) => isScope(needs))))(
  '%s is accepted by every service from a service account with only its scope',
  async (_, { method, needs, besides, request, ...operation }) => {
    if (!isScope(needs)) throw new Error('not a scope');
    const account = besides ? await asServiceAccount(needs, besides) : withOnly(needs);
    const { values, body, query, headers } = (await request?.(shared)) ?? {};
    expectAdmitted(await account.send(method, pathOf(operation, values, query), body, headers));
  },
);

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

  it('has an entry for every change', async () => {
    expect(recorded.map(({ name }) => name).filter((name) => !requestIds.has(name))).toEqual([]);
    await eventually(async () => {
      const logged = await loggedRequestIds();
      expect(recorded.map(({ name }) => name).filter((name) => !logged.has(requestIds.get(name) ?? ''))).toEqual([]);
    });
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
