import { newId, type Caller } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { aUser, callAs, TestClock } from '@sheaf/testing';
import { cheapHash } from './cheap-hash';
import { startService } from './service';

const clock = new TestClock();
const gateway: Caller = { kind: 'service', id: 'gateway' };
const instanceId = newId();
// Lower than the defaults, because each attempt takes time.
const perAddress = 15;
const perAccount = 25;
const dayMs = 86_400_000;
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
    password_hash: await cheapHash(right),
    created_at: now,
  });
  await db('member').insert({ workspace_id, instance_id: instanceId, person_id: id, role: 'owner', is_default: true, created_at: now });
  return { id, email };
}

let addresses = 0;
const newAddress = () => `203.6.${(addresses += 1) >> 8}.${addresses & 255}`;

/** The result of signing in: the error code, or `in`. */
const attempt = (email: string, address: string, password = 'wrong', device?: string) =>
  client.signIn({ ...callAs(gateway), address }, { instance_id: instanceId, email, password, device }).then(
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
    const answers = await attempts(11, email, () => `2a01:4f8::${(host += 1).toString(16)}`);
    expect(answers.at(-1)).toBe('too_many_requests');
  });

  it('leaves no rows permanently', async () => {
    await attempts(5, `gone-${newId()}@example.org`, newAddress);
    clock.advance(40 * 24 * 60 * 60 * 1_000);
    for (let made = 0; made < perAddress; made += 1) await attempt(`now-${newId()}@example.org`, '203.6.255.99');
    for (const table of ['sign_in_throttle', 'sign_in_place']) expect(await db(table).where('expires_at', '<=', clock.now())).toEqual([]);
  });
});

describe('a browser that has signed in to an account', () => {
  it('signs in although strangers at the same address are locked out, and does not let them in', async () => {
    const [{ email }, office] = [await newAccount(), newAddress()];
    expect(await attempt(email, office, right, 'her-browser')).toBe('in');
    expect(await attempts(11, email, office)).toContain('too_many_requests');

    expect(await attempt(email, office, right, 'her-browser')).toBe('in');
    expect(await attempt(email, office, right)).toBe('too_many_requests');
    expect(await attempt(email, office, right, 'another-browser')).toBe('too_many_requests');
  });

  it('signs in from a new address while strangers guess every 15 minutes', async () => {
    const { email } = await newAccount();
    expect(await attempt(email, newAddress(), right, 'her-browser')).toBe('in');
    await attempts(perAccount, email, newAddress);
    for (let guess = 0; guess < 5; guess += 1) {
      clock.advance(14 * 60_000);
      expect(await attempt(email, newAddress())).toBe('unauthorized');
      expect(await attempt(email, newAddress(), right)).toBe('too_many_requests');
      expect(await attempt(email, newAddress(), right, 'her-browser')).toBe('in');
    }
  });

  it('waits after its own failures, and is known for this account only', async () => {
    const [{ email }, { email: other }, address] = [await newAccount(), await newAccount(), newAddress()];
    expect(await attempt(email, address, right, 'her-browser')).toBe('in');
    for (let made = 0; made < 10; made += 1) expect(await attempt(email, newAddress(), 'wrong', 'her-browser')).toBe('unauthorized');
    expect(await attempt(email, newAddress(), right, 'her-browser')).toBe('too_many_requests');

    await attempts(perAccount, other, newAddress);
    expect(await attempt(other, newAddress(), right, 'her-browser')).toBe('too_many_requests');
  });

  it('is forgotten after 90 days without signing in', async () => {
    const { email } = await newAccount();
    expect(await attempt(email, newAddress(), right, 'her-browser')).toBe('in');
    clock.advance(90 * dayMs);
    await attempts(perAccount, email, newAddress);
    expect(await attempt(email, newAddress(), right, 'her-browser')).toBe('too_many_requests');
  });

  it('is forgotten when the password changes, except for the one that changes it', async () => {
    const { id, email } = await newAccount();
    for (const device of ['the-thief', 'her-browser']) expect(await attempt(email, newAddress(), right, device)).toBe('in');
    const changed = 'another good one';
    await client.updateProfile(
      { ...callAs(aUser({ id, instanceId, via: 'session' })), address: newAddress() },
      { patch: { current_password: right, password: changed }, set: ['current_password', 'password'], device: 'her-browser' },
    );
    await attempts(perAccount, email, newAddress);

    expect(await attempt(email, newAddress(), changed, 'the-thief')).toBe('too_many_requests');
    expect(await attempt(email, newAddress(), changed, 'her-browser')).toBe('in');
  });
});

it('guessing for hours costs as much where the person signs in every hour as where nobody does', async () => {
  const [{ email }, { email: unused }, office] = [await newAccount(), await newAccount(), newAddress()];
  expect(await attempt(email, office, right, 'her-browser')).toBe('in');
  // From 30 days on, the address counts for nothing.
  clock.advance(31 * dayMs);
  const elsewhere = newAddress();
  const checked = { [email]: 0, [unused]: 0 };
  for (let minute = 0; minute < 2 * 60; minute += 5) {
    if (minute % 60 === 0) expect(await attempt(email, newAddress(), right, 'her-browser')).toBe('in');
    for (const [account, from] of [
      [email, office],
      [unused, elsewhere],
    ] as const)
      while ((await attempt(account, from)) === 'unauthorized') checked[account] = (checked[account] ?? 0) + 1;
    clock.advance(5 * 60_000);
  }
  expect(checked[email]).toBe(checked[unused]);
  // Ten at once and five while the wait grows to 15 minutes, which takes half an hour; then the same again.
  expect(checked[unused]).toBeLessThanOrEqual(4 * 15);
});

describe('a private address, behind which are many people,', () => {
  it.each(['10.0.0.7', '192.168.1.20', 'fd00::7', '127.0.0.1'])(
    'as %s is not locked out by failures for other accounts',
    async (address) => {
      const { email } = await newAccount();
      for (let made = 0; made < perAddress; made += 1) await attempt(`guess-${made}-${newId()}@example.org`, address);
      expect(await attempt(email, address, right)).toBe('in');
    },
  );

  it('counts the failures for an account like any other address', async () => {
    const { email } = await newAccount();
    expect(await attempts(11, email, '10.0.0.8')).toEqual([...times(10, 'unauthorized'), 'too_many_requests']);
  });
});

it('guessing the current password in an open session is throttled like signing in, and apart from it', async () => {
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
  expect(await attempt(email, address, right)).toBe('in');
});

it('strangers who guess a password do not keep its person from changing it', async () => {
  const { id, email } = await newAccount();
  const address = newAddress();
  await attempts(11, email, address);
  const patch = { current_password: right, password: 'another good one' };
  await client.updateProfile(
    { ...callAs(aUser({ id, instanceId, via: 'session' })), address },
    { patch, set: ['current_password', 'password'] },
  );
  expect(await attempt(email, newAddress(), 'another good one')).toBe('in');
});
