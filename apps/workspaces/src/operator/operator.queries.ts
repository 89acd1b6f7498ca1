import type { WorkspaceRole } from '@sheaf/kernel';
import { rowsOf, type Database } from '@sheaf/postgres';
import type { WorkspaceRecord } from '../workspace/workspaces.queries';

// Queries for the operator. They span all instances unless one is named.

export interface Page {
  limit: number;
  offset: number;
}

export interface InstanceRow {
  id: string;
  name: string;
  custom_domain: string | null;
  created_at: Date;
}

export async function instances(db: Database, { limit, offset }: Page): Promise<InstanceRow[]> {
  return rowsOf<InstanceRow>(db, 'select id, name, custom_domain, created_at from instance order by created_at, id limit ? offset ?', [
    limit,
    offset,
  ]);
}

/** Finds an instance by its id, its domain, or the slug or id of one of its workspaces. */
export async function instanceNamed(db: Database, name: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ id: string }>(
    db,
    `select id from instance where cast(id as text) = :name or custom_domain = :name
     union all
     select instance_id from workspace where slug = :name or cast(id as text) = :name
     limit 1`,
    { name },
  );
  return row?.id;
}

/** Finds a workspace by its id or slug. */
export async function workspaceNamed(db: Database, name: string): Promise<WorkspaceRecord | undefined> {
  const [row] = await rowsOf<WorkspaceRecord>(db, 'select * from workspace where cast(id as text) = :name or slug = :name limit 1', {
    name,
  });
  return row;
}

export async function workspaces(db: Database, instanceId: string | undefined, { limit, offset }: Page): Promise<WorkspaceRecord[]> {
  return rowsOf<WorkspaceRecord>(
    db,
    `select * from workspace where instance_id = coalesce(cast(:instance as uuid), instance_id)
      order by created_at, id limit :limit offset :offset`,
    { instance: instanceId ?? null, limit, offset },
  );
}

/** A person with their roles by workspace slug. */
export interface UserRow {
  id: string;
  email: string;
  name: string;
  has_password: boolean;
  roles: Record<string, WorkspaceRole>;
  created_at: Date;
}

export async function users(db: Database, instanceId: string | undefined, { limit, offset }: Page): Promise<UserRow[]> {
  return rowsOf<UserRow>(
    db,
    `select p.id, p.email, p.name, p.password_hash is not null as has_password, p.created_at,
            (select jsonb_object_agg(w.slug, m.role) from member m join workspace w on w.id = m.workspace_id
              where m.person_id = p.id and m.instance_id = coalesce(cast(:instance as uuid), m.instance_id)) as roles
       from person p
      where exists (select from member m where m.person_id = p.id and m.instance_id = coalesce(cast(:instance as uuid), m.instance_id))
      order by p.email limit :limit offset :offset`,
    { instance: instanceId ?? null, limit, offset },
  );
}

/** A key that was not revoked, with its owner. */
export interface OwnedKeyRow {
  id: string;
  instance_id: string;
  person_id: string | null;
  service_account_id: string | null;
  /** The person's address or the service account's name. */
  owner: string;
  scopes: string[] | null;
  name: string;
  prefix: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

const ownedKeys = `
  select k.id, k.instance_id, k.person_id, k.service_account_id, coalesce(p.email, a.name) as owner, a.scopes,
         k.name, k.prefix, k.created_at, k.last_used_at, k.expires_at
    from api_key k left join person p on p.id = k.person_id left join service_account a on a.id = k.service_account_id
   where k.revoked_at is null`;

export async function keys(
  db: Database,
  { instanceId, email }: { instanceId: string | undefined; email: string | undefined },
  { limit, offset }: Page,
): Promise<OwnedKeyRow[]> {
  return rowsOf<OwnedKeyRow>(
    db,
    `${ownedKeys} and k.instance_id = coalesce(cast(:instance as uuid), k.instance_id)
        and (cast(:email as text) is null or p.email = :email)
      order by k.created_at desc, k.id desc limit :limit offset :offset`,
    { instance: instanceId ?? null, email: email ?? null, limit, offset },
  );
}

export async function keyById(db: Database, id: string): Promise<OwnedKeyRow | undefined> {
  const [row] = await rowsOf<OwnedKeyRow>(db, `${ownedKeys} and k.id = ?`, [id]);
  return row;
}

export async function instanceOfServiceAccount(db: Database, id: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ instance_id: string }>(db, 'select instance_id from service_account where id = ? and deleted_at is null', [
    id,
  ]);
  return row?.instance_id;
}

export const personExists = async (db: Database, instanceId: string, id: string): Promise<boolean> =>
  (await rowsOf(db, 'select from person where instance_id = ? and id = ?', [instanceId, id])).length > 0;
