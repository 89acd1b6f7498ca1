import { newId } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { freshDatabase, TestClock } from '@sheaf/testing';
import { Seals } from '../src/keys/seals';
import { migrations } from '../src/migrations';

const clock = new TestClock();
const [first, second, third] = ['first', 'second', 'third'].map((name) => `the ${name} secret of this deployment`) as [
  string,
  string,
  string,
];
let db: Database;
beforeAll(async () => {
  ({ db } = await freshDatabase(migrations));
});
afterAll(() => db.destroy());

const aProcess = (...secrets: string[]) => new Seals({ db, clock, settings: { WEBHOOK_SIGNING_SECRETS: secrets } });
const purpose = 'header authorization';
const weekMs = 7 * 86_400_000;

it('each process opens what another one has sealed, for the same instance and purpose alone', async () => {
  const instanceId = newId();
  const sealed = await aProcess(first).seal(instanceId, purpose, 'Bearer 5f2b');
  expect(sealed).not.toContain('5f2b');
  expect(await aProcess(first).open(instanceId, purpose, sealed)).toBe('Bearer 5f2b');
  await expect(aProcess(first).open(instanceId, 'header x-key', sealed)).rejects.toThrow();
  await expect(aProcess(first).open(newId(), purpose, sealed)).rejects.toThrow();
  await expect(aProcess(first).open(instanceId, purpose, `${sealed.slice(0, -2)}AA`)).rejects.toThrow();
});

it('the same value never looks the same twice', async () => {
  const instanceId = newId();
  const seals = aProcess(first);
  expect(await seals.seal(instanceId, purpose, 'x')).not.toBe(await seals.seal(instanceId, purpose, 'x'));
});

it('processes that seal for an instance for the first time at once use one key', async () => {
  const instanceId = newId();
  const processes = Array.from({ length: 5 }, () => aProcess(first));
  const sealed = await Promise.all(processes.map((one, at) => one.seal(instanceId, purpose, `value ${at}`)));
  const another = aProcess(first);
  expect(await Promise.all(sealed.map((each) => another.open(instanceId, purpose, each)))).toEqual(sealed.map((_, at) => `value ${at}`));
});

it('a copy of the database opens nothing without a secret of the deployment, and the error says nothing of the content', async () => {
  const instanceId = newId();
  const sealed = await aProcess(first).seal(instanceId, purpose, 'Bearer 5f2b');
  await expect(aProcess(third).open(instanceId, purpose, sealed)).rejects.toThrow(
    'none of WEBHOOK_SIGNING_SECRETS opens what webhooks keep sealed',
  );
});

it('a rotation of the secret loses nothing, at any step and whichever process has restarted', async () => {
  const instanceId = newId();
  const sealed = await aProcess(first).seal(instanceId, purpose, 'Bearer 5f2b');
  const opens = (...secrets: string[]) => aProcess(...secrets).open(instanceId, purpose, sealed);

  // Begun: some processes know both secrets, others only the first one. None has rewrapped yet.
  expect(await opens(first)).toBe('Bearer 5f2b');
  expect(await aProcess(second, first).rewrap()).toBeGreaterThan(0);
  expect(await aProcess(second, first).rewrap()).toBe(0);
  for (const secrets of [[first], [second, first], [second]]) expect(await opens(...secrets)).toBe('Bearer 5f2b');

  // Finished: the old one is removed once nobody starts with it any more.
  await aProcess(second).rewrap();
  expect(await opens(first)).toBe('Bearer 5f2b');
  clock.advance(weekMs + 1);
  await aProcess(second).rewrap();
  expect(await opens(second)).toBe('Bearer 5f2b');
  await expect(opens(first)).rejects.toThrow();
});

it('a process that was started with another secret by mistake removes nothing', async () => {
  const instanceId = newId();
  const sealed = await aProcess(first).seal(instanceId, purpose, 'Bearer 5f2b');
  clock.advance(weekMs + 1);
  await expect(aProcess(third).rewrap()).rejects.toThrow();
  expect(await aProcess(first).open(instanceId, purpose, sealed)).toBe('Bearer 5f2b');
});
