import type { Outbox } from '@sheaf/events';
import { newId, type User, type WorkspaceRole } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { aUser, callAs, freshDatabase, TestClock } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { rotateWebhookKeys, WebhookKeys } from '../src/keys/webhook-keys';

const overlapMs = 24 * 60 * 60 * 1_000;
// Nothing publishes its events, so the tests can see them.
const outbox: Outbox = { transaction: (work) => db.transaction(work) };
const secrets = ['the secret of this deployment, long enough'];
const clock = new TestClock();
let db: Database;

beforeAll(async () => {
  ({ db } = await freshDatabase(migrations));
});
afterAll(() => db.destroy());

const aProcess = (WEBHOOK_SIGNING_SECRETS = secrets) =>
  new WebhookKeys({ db, outbox, clock, settings: { WEBHOOK_SIGNING_SECRETS, WEBHOOK_KEY_OVERLAP_MS: overlapMs } });
const by = (instanceId: string, roles: Record<string, WorkspaceRole> = {}) => {
  const caller = aUser({ instanceId, roles });
  return { caller, call: callAs(caller) };
};
const kids = async (keys: WebhookKeys, instanceId: string) => (await keys.active(instanceId)).map(({ kid }) => kid);
const message = { id: 'one', timestamp: '1700000000', body: '{}' };

describe('the webhook keys of an instance', () => {
  it('consist of a single key before any rotation', async () => {
    const instanceId = newId();
    expect(await kids(aProcess(), instanceId)).toHaveLength(1);
    expect(await kids(aProcess(), instanceId)).toEqual(await kids(aProcess(), instanceId));
  });

  it('are two during a rotation, both of which sign, and only the new one afterwards', async () => {
    const instanceId = newId();
    const keys = aProcess();
    const [first] = await kids(keys, instanceId);

    const rotated = await keys.rotate(by(instanceId));
    const retires = new Date(clock.now().getTime() + overlapMs);
    expect(rotated).toMatchObject([{ retiresAt: undefined }, { kid: first, retiresAt: retires }]);
    expect((await keys.sign(instanceId, message)).split(' ')).toHaveLength(2);

    clock.advance(overlapMs);
    expect(await kids(keys, instanceId)).toEqual([rotated[0]?.kid]);
    expect(await kids(aProcess(), instanceId)).toEqual([rotated[0]?.kid]);
    expect((await keys.sign(instanceId, message)).split(' ')).toHaveLength(1);
  });

  it('are not rotated again while both sign, but can be afterwards', async () => {
    const instanceId = newId();
    const keys = aProcess();
    const rotated = (await keys.rotate(by(instanceId))).map(({ kid }) => kid);
    expect((await keys.rotate(by(instanceId))).map(({ kid }) => kid)).toEqual(rotated);
    clock.advance(overlapMs);
    expect(await keys.rotate(by(instanceId))).toHaveLength(2);
  });

  it('are rotated once by two concurrent requests', async () => {
    const instanceId = newId();
    const both = await Promise.allSettled([aProcess().rotate(by(instanceId)), aProcess().rotate(by(instanceId))]);
    expect(both.map(({ status }) => status)).toContain('fulfilled');
    expect(await db('webhook_key').where({ instance_id: instanceId })).toHaveLength(1);
    expect(await db('outbox').where({ instance_id: instanceId, type: 'audit.recorded' })).toHaveLength(1);
  });

  it('are derived from both secrets while the deployment has two', async () => {
    const instanceId = newId();
    const [before] = await kids(aProcess(), instanceId);
    const during = await kids(aProcess(['another secret of this deployment, long enough', ...secrets]), instanceId);
    expect(during).toHaveLength(2);
    expect(during[1]).toBe(before);
  });

  it('can be rotated by those who run the instance, and by nobody by right of a role in a workspace', async () => {
    const rotate = (given: Partial<User>) => {
      const { caller, call } = by(newId(), { [newId()]: 'owner' });
      return rotateWebhookKeys({ webhookKeys: aProcess() }, { caller: { ...caller, ...given }, call });
    };
    for (const instanceRole of ['owner', 'admin'] as const) await expect(rotate({ instanceRole })).resolves.toHaveLength(2);
    await expect(rotate({})).rejects.toMatchObject({ code: 'forbidden' });
  });
});
