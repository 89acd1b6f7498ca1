import type { Client, User } from '@sheaf/kernel';
import { batchedLookUp, readOf, rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { FormAccessRow, FormRow, FormSummaryRow, SeenFormRow } from '../rows';

/** A form with the caller's grant and favourite, selected from `wanted`, which has an id, a caller and an instance. */
const seen = `
  select f.*,
         (select g.role from form_grant g where g.form_id = f.id and g.user_id = wanted.caller) as granted,
         exists (select from favorite v where v.form_id = f.id and v.principal_id = wanted.caller) as favorite`;

interface FormKey {
  id: string;
  caller: string;
  instance: string;
}

const seenForms = batchedLookUp(async (db, wanted: readonly FormKey[]): Promise<(SeenFormRow | undefined)[]> => {
  const keyOf = ({ id, caller, instance }: FormKey) => `${id} ${caller} ${instance}`;
  const unique = [...new Map(wanted.map((key) => [keyOf(key), key])).values()];
  const rows = await readOf<SeenFormRow & { caller: string }>(
    db,
    `${seen}, wanted.caller
       from unnest(cast(? as uuid[]), cast(? as uuid[]), cast(? as uuid[])) as wanted (id, caller, instance)
       join form f on f.id = wanted.id and f.instance_id = wanted.instance`,
    [unique.map(({ id }) => id), unique.map(({ caller }) => caller), unique.map(({ instance }) => instance)],
  );
  const found = new Map(rows.map(({ caller, ...row }) => [keyOf({ id: row.id, caller, instance: row.instance_id }), row]));
  return wanted.map((key) => found.get(keyOf(key)));
});

/** A form in the caller's instance, whatever their role on it. */
export const formSeenBy = (db: Database, caller: Client, id: string): Promise<SeenFormRow | undefined> =>
  seenForms(db, { id, caller: caller.id, instance: caller.instanceId });

/**
 * The same, locked until the end of the transaction. Every change to a form, its draft or its versions starts here, so changes are
 * serialized.
 */
export async function lockFormSeenBy(trx: Transaction, caller: Client, id: string): Promise<SeenFormRow | undefined> {
  const [row] = await rowsOf<SeenFormRow>(
    trx,
    `${seen}
       from (select cast(? as uuid) as id, cast(? as uuid) as caller, cast(? as uuid) as instance) as wanted
       join form f on f.id = wanted.id and f.instance_id = wanted.instance
        for no key update of f`,
    [id, caller.id, caller.instanceId],
  );
  return row;
}

/** Locks a form of any instance, for operators. */
export async function lockFormOfAnyInstance(trx: Transaction, id: string): Promise<FormRow | undefined> {
  return trx<FormRow>('form').where({ id }).forUpdate().first();
}

export async function insertForm(trx: Transaction, form: FormRow): Promise<void> {
  await trx('form').insert(form);
}

/** A request to create a form, as it is recognized when it is repeated. */
export interface Creation {
  key: Buffer;
  /** The same for requests for the same. */
  request: Buffer;
}

/** @returns false if the key is taken. Waits for a transaction that is taking it. */
export async function insertFormOnce(trx: Transaction, form: FormRow, { key, request }: Creation): Promise<boolean> {
  const taken = await trx('form')
    .insert({ ...form, creation_key: key, creation_request: request })
    .onConflict('creation_key')
    .ignore()
    .returning('id');
  return taken.length > 0;
}

export async function formCreatedWith(db: Database, key: Buffer): Promise<{ id: string; request: Buffer } | undefined> {
  const [form] = await rowsOf<{ id: string; request: Buffer }>(
    db,
    'select id, creation_request as request from form where creation_key = ?',
    [key],
  );
  return form;
}

export async function updateForm(trx: Transaction, id: string, changes: Partial<FormRow>): Promise<void> {
  await trx('form').where({ id }).update(changes);
}

export async function setFavorite(
  trx: Transaction,
  key: { form_id: string; principal_id: string },
  favorite: boolean,
  now: Date,
): Promise<void> {
  if (favorite)
    await trx('favorite')
      .insert({ ...key, created_at: now })
      .onConflict()
      .ignore();
  else await trx('favorite').where(key).delete();
}

/** `legal_hold`: nothing of the form may be erased. */
export async function formAccess(
  db: Database,
  instanceId: string,
  id: string,
): Promise<(FormAccessRow & { legal_hold: boolean }) | undefined> {
  const [row] = await rowsOf<FormAccessRow & { legal_hold: boolean }>(
    db,
    `select f.id, f.workspace_id, f.creator_kind, f.creator_id, f.status,
            coalesce((select jsonb_object_agg(g.user_id, g.role) from form_grant g where g.form_id = f.id), '{}') as grants,
            coalesce((select legal_hold from form_keeping k where k.form_id = f.id), false) as legal_hold
       from form f
      where f.id = ? and f.instance_id = ?`,
    [id, instanceId],
  );
  return row;
}

/** `formAccess` for several forms, in any order. */
export const accessOfForms = (db: Database, instanceId: string, ids: readonly string[]): Promise<FormAccessRow[]> =>
  readOf(
    db,
    `select f.id, f.workspace_id, f.creator_kind, f.creator_id, f.status, coalesce(g.grants, '{}') as grants
       from form f
       left join (select form_id, jsonb_object_agg(user_id, role) as grants from form_grant where form_id = any(cast(:ids as uuid[]))
                   group by form_id) g on g.form_id = f.id
      where f.id = any(cast(:ids as uuid[])) and f.instance_id = :instance`,
    { ids: [...ids], instance: instanceId },
  );

/** Forms that a user owns: through a workspace, as its creator there, or by a grant; after an id, in the order of their ids. */
export const ownedForms = (
  db: Database,
  { instanceId, id, roles }: Pick<User, 'instanceId' | 'id' | 'roles'>,
  { isEverywhere, afterId, limit }: { isEverywhere: boolean; afterId: string; limit: number },
): Promise<{ id: string; workspace_id: string; legal_hold: boolean }[]> =>
  readOf(
    db,
    `select f.id, f.workspace_id, coalesce((select legal_hold from form_keeping k where k.form_id = f.id), false) as legal_hold
       from form f
      where f.instance_id = :instanceId and f.id > :afterId
        and (cast(:isEverywhere as boolean)
             or f.workspace_id = any(cast(:owned as uuid[]))
             or (f.creator_kind = 'user' and f.creator_id = :id and f.workspace_id = any(cast(:joined as uuid[])))
             or exists (select from form_grant g where g.form_id = f.id and g.user_id = :id and g.role = 'owner'))
      order by f.id limit :limit`,
    {
      instanceId,
      id,
      isEverywhere,
      afterId,
      limit,
      owned: Object.entries(roles).flatMap(([workspace, role]) => (role === 'owner' || role === 'admin' ? workspace : [])),
      joined: Object.keys(roles),
    },
  );

/** The forms that a list may contain. */
export interface Reach {
  instanceId: string;
  workspaceId?: string;
  /** Restricts the list to forms granted to this user. */
  userId?: string;
}

export interface FormFilter {
  /** If absent, every status except trashed. */
  status?: string | undefined;
  /** A part of the title. Case and Unicode normalization do not matter. */
  q?: string | undefined;
  limit: number;
  offset: number;
}

/** A page of forms, the most recently updated first, and the total of all pages. */
export async function pageOfForms(db: Database, reach: Reach, filter: FormFilter): Promise<{ forms: FormSummaryRow[]; total: number }> {
  const conditions = ['f.instance_id = :instance', filter.status === undefined ? "f.status <> 'trashed'" : 'f.status = :status'];
  if (reach.workspaceId !== undefined) conditions.push('f.workspace_id = :workspace');
  if (reach.userId !== undefined) {
    conditions.push('exists (select from form_grant g where g.form_id = f.id and g.user_id = :user)');
  }
  if (filter.q !== undefined && filter.q !== '') conditions.push('folded(f.title) like folded(:title)');
  const matching = `from form f where ${conditions.join(' and ')}`;

  // A separate count, because a window function would read every row even if an index returns the first 25 in order, and past the end there
  // would be no row to carry the count.
  const rows = await rowsOf<{ total: number } & (FormSummaryRow | { id: null })>(
    db,
    `select counted.total, page.*
       from (select count(*) as total ${matching}) counted
       left join (select f.id, f.title, f.status, f.current_version, f.created_at, f.updated_at ${matching}
                   order by f.updated_at desc, f.id desc limit :limit offset :offset) page on true
      order by page.updated_at desc, page.id desc`,
    {
      instance: reach.instanceId,
      workspace: reach.workspaceId ?? null,
      user: reach.userId ?? null,
      status: filter.status ?? null,
      title: `%${escapeLike(filter.q ?? '')}%`,
      limit: filter.limit,
      offset: filter.offset,
    },
  );
  return { forms: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 };
}

/** Deletes some favourites of a person in an instance. @returns their number, at most the limit. */
export const deleteFavoritesOf = async (
  trx: Transaction,
  { id, instanceId }: { id: string; instanceId: string },
  limit: number,
): Promise<number> =>
  (
    await rowsOf(
      trx,
      `delete from favorite where principal_id = :id and form_id in (
         select v.form_id from favorite v join form f on f.id = v.form_id
          where v.principal_id = :id and f.instance_id = :instance order by v.form_id limit :limit)
       returning form_id`,
      { id, instance: instanceId, limit },
    )
  ).length;

/** Escapes text for LIKE. */
const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Deletes a locked form with everything that belongs to it. */
export async function deleteForm(trx: Transaction, id: string): Promise<void> {
  await rowsOf(trx, 'select erase_versions(?)', [id]);
  for (const table of ['draft', 'form_grant', 'favorite', 'form_settings', 'form_keeping', 'submission_view', 'export_preset'])
    await trx(table).where({ form_id: id }).delete();
  await trx('form').where({ id }).delete();
}
