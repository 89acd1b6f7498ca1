import { commandOutbox } from '@sheaf/events';
import { newId, operatorIn } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { callAs, connectionsDieAt, eventually, refused, TestClock } from '@sheaf/testing';
import { createServiceAccount } from '../src/credentials/service-accounts';
import type { CommandDeps } from '../src/deps';
import { createInstance } from '../src/instances/create-instance';
import { eraseInstance } from '../src/instances/erase-instance';
import { addMember } from '../src/members/add-member';
import { createWorkspaceFor } from '../src/workspace/create-workspace';
import { startService } from './service';

const clock = new TestClock();
let db: Database;
let client: Awaited<ReturnType<typeof startService>>['client'];
let stop: () => Promise<void>;
let deps: CommandDeps;
beforeAll(async () => {
  ({ db, client, stop } = await startService(clock));
  deps = { db, outbox: commandOutbox(db), clock, settings: { INVITATION_DAYS: 7, SLUG_QUARANTINE_DAYS: 90 } };
});
afterAll(() => stop());

const by = (instanceId: string) => ({ caller: operatorIn(instanceId), call: { requestId: newId() } });
const tables = ['instance', 'workspace', 'person', 'member', 'session', 'api_key', 'service_account', 'invitation'];

/** An instance with two workspaces, an invited member and a service account, whose names have the marker. */
async function anInstance(marker: string) {
  const made = await db.transaction((trx) =>
    createInstance(
      trx,
      { name: marker, workspace: { name: marker, slug: newId() }, owner: { name: marker, email: `${marker}@example.org` } },
      clock.now(),
    ),
  );
  const asked = by(made.instance_id);
  const { workspace } = await createWorkspaceFor(deps, asked, {
    name: `Second ${marker}`,
    slug: undefined,
    color: undefined,
    owner: { email: `${marker}@example.org`, name: undefined },
  });
  await addMember(deps, asked, { workspaceId: workspace.id, email: `guest-${marker}@example.org`, name: undefined, role: 'viewer' });
  await createServiceAccount(deps, asked, { name: `Robot ${marker}`, scopes: [] });
  return made;
}

const tablesWith = async (text: string): Promise<string[]> => {
  const found: string[] = [];
  for (const table of tables) {
    const { rows } = await db.raw<{ rows: unknown[] }>('select from ?? as r where r::text like ? limit 1', [table, `%${text}%`]);
    if (rows.length > 0) found.push(table);
  }
  return found;
};

it('an erased instance is gone with its workspaces, people, service accounts and keys, and another one is untouched', async () => {
  const marker = `marker${newId()}`;
  const [gone, other] = [await anInstance(marker), await anInstance(`other${newId()}`)];
  expect(await tablesWith(marker)).toEqual(expect.arrayContaining(['instance', 'workspace', 'person', 'service_account']));

  expect(await eraseInstance(deps, by(gone.instance_id))).toEqual({ workspaces: 2, people: 2, service_accounts: 1 });

  expect(await tablesWith(marker)).toEqual([]);
  expect(await tablesWith(gone.instance_id)).toEqual([]);
  const signIn = { email: other.user.email, password: other.user.password };
  await expect(
    client.signIn(callAs({ kind: 'service', id: 'gateway' }), { instance_id: other.instance_id, ...signIn }),
  ).resolves.toMatchObject({ user: { email: other.user.email } });
  const erased = await db<{ type: string; instance_id: string }>('outbox').where({ instance_id: gone.instance_id }).select('type');
  expect(erased.filter(({ type }) => type === 'workspace.erased')).toHaveLength(2);
  await expect(eraseInstance(deps, by(gone.instance_id))).rejects.toEqual(refused('not_found'));
});

it.each(['before delete on workspace', 'before delete on person', 'before delete on service_account', 'before delete on instance'])(
  'an erasure that died %s goes on when it is repeated',
  async (point) => {
    const marker = `marker${newId()}`;
    const { instance_id: id } = await anInstance(marker);
    const breaking = await connectionsDieAt(db, point);
    await expect(eraseInstance(deps, by(id))).rejects.toThrow();
    await eventually(async () => expect(await breaking.deaths()).toBeGreaterThan(0));
    await breaking.end();
    await eraseInstance(deps, by(id));
    expect(await tablesWith(marker)).toEqual([]);
  },
);
