import type { Client, FormRole, InstanceRole, Scope, WorkspaceRole } from '@sheaf/kernel';
import { rowsOf, type Transaction } from '@sheaf/postgres';
import type { SubscriptionRow } from '../subscription/subscriptions.queries';

/** A user or service account of an instance. */
export interface Principal {
  instanceId: string;
  kind: Client['kind'];
  id: string;
}

/** A principal's access: the roles of a person by workspace and in the instance, or the scopes of a service account. */
export interface Standing {
  roles: Record<string, WorkspaceRole>;
  /** Null if it is not known: the previous version of `workspaces` and of the gateway knows none. */
  instance_role: InstanceRole | 'none' | null;
  scopes: Scope[];
}

/** Until the end of the transaction, no other transaction can subscribe as this principal or handle a change of their access. */
export async function lockPrincipal(trx: Transaction, { id }: Pick<Principal, 'id'>): Promise<void> {
  await rowsOf(trx, 'select pg_advisory_xact_lock(hashtextextended(?, 1))', [id]);
}

export async function standingOf(trx: Transaction, { instanceId, id }: Omit<Principal, 'kind'>): Promise<Standing | undefined> {
  const [row] = await rowsOf<Standing>(
    trx,
    'select roles, instance_role, scopes from standing where instance_id = ? and principal_id = ?',
    [instanceId, id],
  );
  return row;
}

/** An event at the given time, or a caller token, which is ignored if an event has arrived since the given time. */
export type Source = { eventAt: Date } | { unlessEventSince: Date };

const sourceOf = (source: Source) =>
  'eventAt' in source ? { eventAt: source.eventAt, before: null } : { eventAt: null, before: source.unlessEventSince };

export async function upsertStanding(
  trx: Transaction,
  { instanceId, id }: Omit<Principal, 'kind'>,
  { roles, instance_role, scopes }: Standing,
  source: Source,
): Promise<void> {
  await rowsOf(
    trx,
    `insert into standing (instance_id, principal_id, roles, instance_role, scopes, told_at)
     values (:instance, :id, cast(:roles as jsonb), :role, cast(:scopes as text[]), cast(:eventAt as timestamptz))
     on conflict (instance_id, principal_id) do update
       set roles = excluded.roles, instance_role = coalesce(excluded.instance_role, standing.instance_role),
           scopes = excluded.scopes, told_at = excluded.told_at
      where excluded.told_at is not null or standing.told_at is null or standing.told_at <= cast(:before as timestamptz)`,
    { instance: instanceId, id, roles: JSON.stringify(roles), role: instance_role, scopes, ...sourceOf(source) },
  );
}

export interface KnownGrant {
  form_id: string;
  user_id: string;
  /** Null without a grant. */
  role: FormRole | null;
}

export async function grantOf(trx: Transaction, { formId, userId }: { formId: string; userId: string }): Promise<KnownGrant | undefined> {
  const [row] = await rowsOf<KnownGrant>(trx, 'select form_id, user_id, role from known_grant where form_id = ? and user_id = ?', [
    formId,
    userId,
  ]);
  return row;
}

export async function upsertGrant(trx: Transaction, grant: KnownGrant, source: Source): Promise<void> {
  await rowsOf(
    trx,
    `insert into known_grant (form_id, user_id, role, told_at) values (:form_id, :user_id, :role, cast(:eventAt as timestamptz))
     on conflict (form_id, user_id) do update set role = excluded.role, told_at = excluded.told_at
      where excluded.told_at is not null or known_grant.told_at is null or known_grant.told_at <= cast(:before as timestamptz)`,
    { ...grant, ...sourceOf(source) },
  );
}

/**
 * Locks the active subscriptions that a principal created or renewed, of one form or of all forms: those after the given id, in id order.
 */
export async function lockActiveOf(
  trx: Transaction,
  { instanceId, kind, id }: Principal,
  { formId, after, limit }: { formId: string | undefined; after: string | undefined; limit: number },
): Promise<SubscriptionRow[]> {
  const ofForm = formId === undefined ? '' : 'and form_id = :form';
  const idsHeldAs = (holder: 'subscriber' | 'renewed_by') => `
    (select id from subscription
      where ${holder}_id = :id and ${holder}_kind = :kind and instance_id = :instance and active and id > cast(:after as uuid) ${ofForm} order by id limit cast(:limit as int))`;
  return rowsOf<SubscriptionRow>(
    trx,
    `select * from subscription where id in (${idsHeldAs('subscriber')} union ${idsHeldAs('renewed_by')}) order by id limit cast(:limit as int) for update`,
    { id, kind, instance: instanceId, form: formId ?? null, after: after ?? '00000000-0000-0000-0000-000000000000', limit },
  );
}

/** Forgets the grants on a form that is erased. */
export const deleteGrantsOf = (trx: Transaction, formId: string): Promise<unknown> =>
  trx('known_grant').where({ form_id: formId }).delete();

/** The subscriptions that a principal created or renewed, active or not: those after the given id, in id order, locked. */
export const lockAllOf = (
  trx: Transaction,
  { instanceId, kind, id }: Principal,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<SubscriptionRow[]> => {
  const idsHeldAs = (holder: 'subscriber' | 'renewed_by') => `
    (select id from subscription
      where ${holder}_id = :id and ${holder}_kind = :kind and instance_id = :instance and id > cast(:after as uuid) order by id limit cast(:limit as int))`;
  return rowsOf<SubscriptionRow>(
    trx,
    `select * from subscription where id in (${idsHeldAs('subscriber')} union ${idsHeldAs('renewed_by')}) order by id limit cast(:limit as int) for update`,
    { id, kind, instance: instanceId, after: after ?? '00000000-0000-0000-0000-000000000000', limit },
  );
};

/**
 * Forgets some grants of a person. Grants do not know their instance, and people of early versions may have the same id in several: grants on
 * forms that have subscriptions in another instance stay.
 * @returns their number, at most the limit
 */
export const deleteGrantsOfPerson = async (trx: Transaction, { instanceId, id }: Omit<Principal, 'kind'>, limit: number): Promise<number> =>
  (
    await rowsOf(
      trx,
      `delete from known_grant where user_id = :id and form_id in (
         select form_id from known_grant g
          where user_id = :id and not exists (select from subscription s where s.form_id = g.form_id and s.instance_id <> :instance)
          order by form_id limit :limit)
       returning form_id`,
      { id, instance: instanceId, limit },
    )
  ).length;
