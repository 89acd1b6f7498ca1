import type { FormRole } from '@sheaf/kernel';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { FormRow } from '../rows';

export interface GrantRow {
  form_id: string;
  user_id: string;
  role: FormRole;
  created_at: Date;
}

/** All grants of a form, the oldest first. FORMS_MAX_GRANTS bounds their number. */
export async function grantsOf(db: Database, formId: string): Promise<GrantRow[]> {
  return rowsOf<GrantRow>(db, 'select form_id, user_id, role, created_at from form_grant where form_id = ? order by created_at, user_id', [
    formId,
  ]);
}

/** The form must be locked, so that the maximum is exact. @returns the stored grant; undefined if it would exceed the maximum. */
export async function upsertGrant(trx: Transaction, grant: GrantRow, max: number): Promise<GrantRow | undefined> {
  const [row] = await rowsOf<GrantRow>(
    trx,
    `insert into form_grant as g (form_id, user_id, role, created_at)
     select cast(:form_id as uuid), cast(:user_id as uuid), :role, cast(:created_at as timestamptz)
      where exists (select from form_grant where form_id = :form_id and user_id = :user_id)
         or (select count(*) from form_grant where form_id = :form_id) < :at_most
     on conflict (form_id, user_id) do update set role = excluded.role
     returning g.form_id, g.user_id, g.role, g.created_at`,
    { ...grant, at_most: max },
  );
  return row;
}

/** @returns whether the grant existed. */
export async function deleteGrant(trx: Transaction, formId: string, userId: string): Promise<boolean> {
  return (await trx('form_grant').where({ form_id: formId, user_id: userId }).delete()) > 0;
}

/** Deletes some grants of a person in an instance. @returns the forms, at most the limit. */
export const deleteGrantsOf = (
  trx: Transaction,
  { id, instanceId }: { id: string; instanceId: string },
  limit: number,
): Promise<Pick<FormRow, 'id' | 'instance_id' | 'slug'>[]> =>
  rowsOf(
    trx,
    `with batch as (
       select g.form_id, f.instance_id, f.slug from form_grant g join form f on f.id = g.form_id
        where g.user_id = :id and f.instance_id = :instance order by g.form_id limit :limit for update of g
     ), gone as (
       delete from form_grant where user_id = :id and form_id in (select form_id from batch)
     )
     select form_id as id, instance_id, slug from batch`,
    { id, instance: instanceId, limit },
  );
