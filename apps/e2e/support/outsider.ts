import type { Person } from '@sheaf/testing';
import { Client } from 'pg';
import { workspacesDatabaseUrl } from './database';
import { acceptedInvitation, type Invited } from './people';

/**
 * An editor of another workspace of the same instance, signed in: somebody who may do a lot, but has no role on anything of the first
 * workspace. Moved there in the database, as there is no operation yet that makes a second workspace.
 */
export async function asOutsider(): Promise<Person> {
  const invited = await acceptedInvitation('editor');
  await inWorkspaces((db) => moveToOwnWorkspace(db, invited));
  // Signed in only now: what somebody may do is remembered for a while.
  return invited.signIn();
}

async function moveToOwnWorkspace(db: Client, { userId }: Invited): Promise<void> {
  await db.query(
    `with mine as (select workspace_id, instance_id, person_id from member where person_id = $1),
          made as (
            insert into workspace (id, instance_id, name, slug, color, created_at, updated_at)
            select gen_random_uuid(), instance_id, 'Elsewhere', 'elsewhere-' || person_id, '', now(), now() from mine
            returning id
          )
     insert into member (workspace_id, instance_id, person_id, role, is_default, created_at)
     select made.id, mine.instance_id, mine.person_id, 'editor', false, now() from mine, made`,
    [userId],
  );
  await db.query(`delete from member where person_id = $1 and is_default`, [userId]);
  await db.query(`update member set is_default = true where person_id = $1`, [userId]);
}

async function inWorkspaces<T>(work: (db: Client) => Promise<T>): Promise<T> {
  const connectionString = await workspacesDatabaseUrl(process.env.E2E_DATA_DIR ?? '');
  const db = new Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
