import { commandOutbox } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { migrate } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
import { freshDatabase } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { tellGrants } from '../src/access/tell-grants';

const before = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === '0015_grants_to_tell'),
);

it('grants from a version that told too little of them are told three times, except those of owners', async () => {
  const { db } = await freshDatabase(before);
  try {
    const [instance_id, workspace_id] = [newId(), newId()];
    const created_at = new Date();
    const forms = [newId(), newId(), newId()];
    await db('form').insert(
      forms.map((id) => ({
        id,
        instance_id,
        workspace_id,
        creator_kind: 'user',
        creator_id: newId(),
        title: 'X',
        status: 'active',
        current_version: 0,
        publish_mode: 'draft',
        created_at,
        updated_at: created_at,
      })),
    );
    // More than fit into one transaction.
    const grants = forms.flatMap((form_id) =>
      Array.from({ length: 120 }, (_, index) => ({ form_id, user_id: newId(), role: index % 2 === 0 ? 'editor' : 'viewer', created_at })),
    );
    await db('form_grant').insert([...grants, { form_id: forms[0], user_id: newId(), role: 'owner', created_at }]);

    await migrate(db, migrations, silentLog());

    const deps = { outbox: commandOutbox(db), clock: { now: () => new Date() } };
    expect(await tellGrants(deps)).toBe(grants.length);
    expect(await tellGrants(deps)).toBe(0);
    const told = await db<{ type: string; body: string }>('outbox').where({ type: 'grant.changed' });
    const expected = grants.map(({ form_id, user_id, role }) => ({ form_id, workspace_id, user_id, role }));
    const order = (all: { user_id: string }[]) => all.sort((a, b) => a.user_id.localeCompare(b.user_id));
    expect(order(told.map(({ body }) => JSON.parse(body) as { user_id: string }))).toEqual(order(expected));

    expect(await tellGrants({ ...deps, clock: { now: () => new Date(Date.now() + 86_400_000) } })).toBe(2 * grants.length);
    expect(await db('grants_to_tell')).toEqual([]);
  } finally {
    await db.destroy();
  }
});
