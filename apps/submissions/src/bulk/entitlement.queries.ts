import type { Client, FormAccess, FormRole, Scope, WorkspaceRole } from '@sheaf/kernel';
import { rowsOf, type Transaction } from '@sheaf/postgres';
import type { Doer } from '../submission/change-one';

/** The roles of a person, or the scopes of a service account. */
export interface Standing {
  roles: Record<string, WorkspaceRole>;
  scopes: Scope[];
}

/** An unfinished bulk change, and what its right follows from. */
export interface Entitled {
  id: string;
  doer: Doer;
  access: FormAccess;
}

/** Serializes what is heard of somebody and what they ask for, until this transaction ends. */
export const lockPrincipal = (trx: Transaction, id: string): Promise<unknown> =>
  rowsOf(trx, `select pg_advisory_xact_lock(hashtext('bulk change of'), hashtext(?))`, [id]);

export const hearStanding = (trx: Transaction, id: string, { roles, scopes }: Standing, at: Date): Promise<unknown> =>
  rowsOf(
    trx,
    `insert into heard_standing as h (principal_id, roles, scopes, at) values (:id, :roles, :scopes, :at)
     on conflict (principal_id) do update set roles = excluded.roles, scopes = excluded.scopes, at = excluded.at where h.at <= excluded.at`,
    { id, roles: JSON.stringify(roles), scopes: JSON.stringify(scopes), at },
  );

/** The standing that was heard of somebody since a time. */
export async function standingSince(trx: Transaction, id: string, since: Date): Promise<Standing | undefined> {
  const [row] = await rowsOf<Standing>(trx, 'select roles, scopes from heard_standing where principal_id = ? and at > ?', [id, since]);
  return row;
}

export const forgetStandings = (trx: Transaction, before: Date): Promise<unknown> =>
  rowsOf(trx, 'delete from heard_standing where at < ?', [before]);

/** Locks the unfinished bulk changes of somebody, or of a form, or of both, until this transaction ends. @param by when they were asked for at the latest */
export const lockUnfinished = (
  trx: Transaction,
  { callerId, formId, by }: { callerId?: string; formId?: string; by?: Date },
): Promise<Entitled[]> =>
  rowsOf(
    trx,
    `select id, doer, access from bulk_change
      where state in ('waiting', 'running') and (cast(:callerId as uuid) is null or caller_id = :callerId)
        and (cast(:formId as uuid) is null or form_id = :formId) and (cast(:by as timestamptz) is null or created_at <= :by)
      order by id for no key update`,
    { callerId: callerId ?? null, formId: formId ?? null, by: by ?? null },
  );

export const saveRight = (trx: Transaction, { id, doer, access }: Entitled): Promise<unknown> =>
  rowsOf(trx, 'update bulk_change set doer = :doer, access = :access, workspace_id = :workspaceId where id = :id', {
    id,
    doer: JSON.stringify(doer),
    access: JSON.stringify(access),
    workspaceId: access.workspaceId,
  });

/** Of all that the role of a caller follows from, what is about them. */
export const accessOf = ({ id }: Pick<Client, 'id'>, { workspaceId, creator, grants }: FormAccess): FormAccess => {
  const own: FormRole | undefined = grants[id];
  return { workspaceId, creator, grants: own === undefined ? {} : { [id]: own } };
};
