import { newId, type Caller } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { aUser, callAs, TestClock } from '@sheaf/testing';
import { hashPassword } from '../src/sessions/password';
import { startService } from './service';

const clock = new TestClock();
const gateway: Caller = { kind: 'service', id: 'gateway' };
const instanceId = newId();
// Lower than the defaults, because each attempt takes time.
const perAddress = 15;
const perAccount = 25;
const right = 'correct horse battery';
let db: Database;
let client: Client<WorkspacesDefinition>;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ db, client, stop } = await startService(clock, {
    SIGN_IN_FAILURES_PER_ADDRESS: perAddress,
    SIGN_IN_FAILURES_PER_ACCOUNT: perAccount,
  }));
  await db('instance').insert({ id: instanceId, name: 'Test', created_at: clock.now() });
});
afterAll(() => stop());

interface Account {
  id: string;
  email: string;
}

async function newAccount(): Promise<Account> {
  const now = clock.now();
  const [id, workspace_id] = [newId(), newId()];
  const email = `${id}@example.org`;
  await db('workspace').insert({
    id: workspace_id,
    instance_id: instanceId,
    name: 'Main',
    slug: workspace_id,
    color: '',
    created_at: now,
    updated_at: now,
  });
  await db('person').insert({
    id,
    instance_id: instanceId,
    email,
    name: 'Olga',
    avatar_url: '',
    password_hash: await hashPassword(right),
    created_at: now,
  });
  await db('member').insert({ workspace_id, instance_id: instanceId, person_id: id, role: 'owner', is_default: true, created_at: now });
  return { id, email };
}

let addresses = 0;
const newAddress = () => `198.51.${(addresses += 1) >> 8}.${addresses & 255}`;

/** The result of signing in: the error code, or `in`. */
const attempt = (email: string, address: string, password = 'wrong') =>
  client.signIn({ ...callAs(gateway), address }, { instance_id: instanceId, email, password }).then(
    () => 'in',
    (error: unknown) => (error as { code: string }).code,
  );
const attempts = async (count: number, email: string, address: string | (() => string)) => {
  const answers: string[] = [];
  for (let made = 0; made < count; made += 1) answers.push(await attempt(email, typeof address === 'string' ? address : address()));
  return answers;
};
const times = (count: number, code: string) => Array<string>(count).fill(code);

describe('failing to sign in', () => {
  it('ten times makes the next attempt wait, even with the correct password, and the answer says how long', async () => {
    const [{ email }, address] = [await newAccount(), newAddress()];
    expect(await attempts(11, email, address)).toEqual([...times(10, 'unauthorized'), 'too_many_requests']);

    await expect(client.signIn({ ...callAs(gateway), address }, { instance_id: instanceId, email, password: right })).rejects.toMatchObject(
      {
        code: 'too_many_requests',
        retryAfterSeconds: 30,
      },
    );
    clock.advance(30_000);
    expect(await attempt(email, address, right)).toBe('in');
  });

  it('again after the wait doubles it, but attempts during the wait do not extend it', async () => {
    const [{ email }, address] = [await newAccount(), newAddress()];
    await attempts(20, email, address);
    clock.advance(30_000);
    expect(await attempts(2, email, address)).toEqual(['unauthorized', 'too_many_requests']);
    clock.advance(59_000);
    expect(await attempt(email, address)).toBe('too_many_requests');
    clock.advance(1_000);
    expect(await attempt(email, address, right)).toBe('in');
  });

  it('is forgotten after the window, and by a success', async () => {
    const [{ email }, address] = [await newAccount(), newAddress()];
    await attempts(9, email, address);
    clock.advance(900_000);
    expect(await attempts(9, email, address)).toEqual(times(9, 'unauthorized'));
    expect(await attempt(email, address, right)).toBe('in');
    expect(await attempts(10, email, address)).toEqual(times(10, 'unauthorized'));
  });

  it('looks the same for an address without an account', async () => {
    expect(await attempts(11, `nobody-${newId()}@example.org`, newAddress())).toEqual([...times(10, 'unauthorized'), 'too_many_requests']);
  });

  it('counts concurrent attempts like sequential ones', async () => {
    const [{ email }, address] = [await newAccount(), newAddress()];
    const answers = await Promise.all(Array.from({ length: 30 }, () => attempt(email, address)));
    expect(answers.sort()).toEqual([...times(20, 'too_many_requests'), ...times(10, 'unauthorized')]);
  });

  it('too often from one address makes it wait for all accounts except those that have signed in from there', async () => {
    const [{ email }, { email: other }, address] = [await newAccount(), await newAccount(), newAddress()];
    expect(await attempt(email, address, right)).toBe('in');
    for (let made = 0; made < perAddress; made += 1) await attempt(`guess-${made}-${newId()}@example.org`, address);

    expect(await attempt(other, address, right)).toBe('too_many_requests');
    expect(await attempt(other, newAddress(), right)).toBe('in');
    expect(await attempt(email, address, right)).toBe('in');
  });

  it('from many addresses makes strangers wait, but not the owner at an address where they have signed in before', async () => {
    const [{ email }, home] = [await newAccount(), newAddress()];
    expect(await attempt(email, home, right)).toBe('in');
    expect(await attempts(perAccount, email, newAddress)).toEqual(times(perAccount, 'unauthorized'));

    expect(await attempt(email, newAddress(), right)).toBe('too_many_requests');
    expect(await attempt(email, home, right)).toBe('in');
  });

  it('counts for an IPv6 network as for one address', async () => {
    const { email } = await newAccount();
    let host = 0;
    const answers = await attempts(11, email, () => `2001:db8::${(host += 1).toString(16)}`);
    expect(answers.at(-1)).toBe('too_many_requests');
  });

  it('leaves no rows permanently', async () => {
    await attempts(5, `gone-${newId()}@example.org`, newAddress);
    clock.advance(40 * 24 * 60 * 60 * 1_000);
    for (let made = 0; made < perAddress; made += 1) await attempt(`now-${newId()}@example.org`, '203.0.113.99');
    for (const table of ['sign_in_throttle', 'sign_in_place']) expect(await db(table).where('expires_at', '<=', clock.now())).toEqual([]);
  });
});

it('guessing the current password in an open session is throttled like signing in', async () => {
  const { id, email } = await newAccount();
  const address = newAddress();
  const caller = aUser({ id, instanceId, via: 'session' });
  const change = (current_password: string) =>
    client.updateProfile(
      { ...callAs(caller), address },
      { patch: { current_password, password: 'another good one' }, set: ['current_password', 'password'] },
    );
  for (let made = 0; made < 10; made += 1) await expect(change('wrong')).rejects.toMatchObject({ code: 'bad_request' });
  await expect(change(right)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await attempt(email, address, right)).toBe('too_many_requests');
});
