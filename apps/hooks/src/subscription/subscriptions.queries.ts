import { createHash } from 'node:crypto';
import type { DeactivationReason, Payload, RetrySchedule, WebhookOptions } from '@sheaf/contracts';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface SubscriptionRow {
  id: string;
  instance_id: string;
  /** Null for a webhook of a workspace or of the whole instance. */
  form_id: string | null;
  /** The workspace, or the form's workspace; null for the whole instance, and if an older version did not record that of a form. */
  workspace_id: string | null;
  event: string;
  more_events: string[];
  payload: Payload;
  /** The origin of links in named payloads. */
  link_origin: string | null;
  /** Null for the standard one. */
  retry: RetrySchedule | null;
  /** Null for a platform's subscription, and for a webhook with nothing but the above. */
  options: WebhookOptions | null;
  url: string;
  /** Null for a webhook created in the application. */
  source: string | null;
  /** Its creator, or the user who last changed where or what it sends. */
  subscriber_kind: 'user' | 'service_account';
  subscriber_id: string;
  /** Its creator, if the subscriber is another one. */
  creator_kind: 'user' | 'service_account' | null;
  creator_id: string | null;
  /** The form's creator; null if an older version did not record them. */
  form_creator_id: string | null;
  /** The last principal, other than the subscriber, who renewed the subscription. */
  renewed_by_kind: 'user' | 'service_account' | null;
  renewed_by_id: string | null;
  active: boolean;
  /** Null while it is active, and if an older version deactivated it. */
  deactivated_reason: DeactivationReason | null;
  deactivated_at: Date | null;
  deactivated_detail: string | null;
  revision: number;
  created_at: Date;
  updated_at: Date;
}

export async function subscriptionById(db: Database, instanceId: string, id: string): Promise<SubscriptionRow | undefined> {
  return db<SubscriptionRow>('subscription').where({ id, instance_id: instanceId }).first();
}

/** The columns of every subscription of v1, and of a new webhook before anything is chosen. */
export const plainWebhook: Pick<
  SubscriptionRow,
  | 'more_events'
  | 'payload'
  | 'link_origin'
  | 'retry'
  | 'options'
  | 'creator_kind'
  | 'creator_id'
  | 'renewed_by_kind'
  | 'renewed_by_id'
  | 'active'
  | 'deactivated_reason'
  | 'deactivated_at'
  | 'deactivated_detail'
  | 'revision'
> = {
  more_events: [],
  payload: 'contract',
  link_origin: null,
  retry: null,
  options: null,
  creator_kind: null,
  creator_id: null,
  renewed_by_kind: null,
  renewed_by_id: null,
  active: true,
  deactivated_reason: null,
  deactivated_at: null,
  deactivated_detail: null,
  revision: 1,
};

export const eventsOf = ({ event, more_events: more }: Pick<SubscriptionRow, 'event' | 'more_events'>): string[] => [event, ...more];

/** The retry schedule, as `delivery` needs it: absent for the subscription of a platform, whose attempts are those of the contract. */
export const retryFor = ({ source, retry }: Pick<SubscriptionRow, 'source' | 'retry'>): RetrySchedule | undefined =>
  source === null ? (retry ?? 'standard') : undefined;

/** The forms whose events a webhook receives: one form, those of a workspace, or, with neither, all of the instance. */
export interface WebhookScope {
  instanceId: string;
  formId?: string | undefined;
  workspaceId?: string | undefined;
}

/** A form's rows may not have its workspace. */
const inScope = ({ instanceId, formId, workspaceId }: WebhookScope) => ({
  instance_id: instanceId,
  ...(formId === undefined ? { form_id: null, workspace_id: workspaceId ?? null } : { form_id: formId }),
});

/** Until the end of the transaction, no other transaction can add a subscription to the form, the workspace or the instance. */
export async function lockSubscriptionsOf(trx: Transaction, { instanceId, formId, workspaceId }: WebhookScope): Promise<void> {
  await rowsOf(trx, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [formId ?? workspaceId ?? instanceId]);
}

export async function countOf(trx: Transaction, scope: WebhookScope): Promise<number> {
  const [row] = await trx('subscription').where(inScope(scope)).count<{ count: string }[]>('* as count');
  return Number(row?.count ?? 0);
}

const hashOf = (url: string): Buffer => createHash('sha256').update(url).digest();

/**
 * Inserts the subscription; if it exists, reactivates it if necessary and records who renewed it. The unique constraint also decides
 * between concurrent requests. Each request raises the revision: an earlier 410 may not have arrived here yet, and must not end a
 * subscription that was requested after it.
 * @returns the row, and whether this call inserted or reactivated it.
 */
export async function insertOrReactivate(trx: Transaction, wanted: SubscriptionRow): Promise<{ row: SubscriptionRow; changed: boolean }> {
  const row = { ...wanted, url_hash: hashOf(wanted.url) };
  const [changed] = await rowsOf<SubscriptionRow>(
    trx,
    `insert into subscription
       (id, instance_id, form_id, workspace_id, event, url, url_hash, source, subscriber_kind, subscriber_id, form_creator_id, active, revision, created_at, updated_at)
     values
       (:id, :instance_id, :form_id, :workspace_id, :event, :url, :url_hash, :source, :subscriber_kind, :subscriber_id, :form_creator_id, :active, :revision, :created_at, :updated_at)
     on conflict on constraint subscription_same
     do update set active = true, deactivated_reason = null, deactivated_at = null, deactivated_detail = null, workspace_id = excluded.workspace_id, form_creator_id = excluded.form_creator_id,
                   renewed_by_kind = excluded.subscriber_kind, renewed_by_id = excluded.subscriber_id,
                   revision = subscription.revision + 1, updated_at = excluded.updated_at where not subscription.active
     returning *`,
    row,
  );
  if (changed) return { row: changed, changed: true };

  // PostgreSQL has locked the conflicting row, so it still exists.
  const { form_id, event, source, url_hash } = row;
  const existing = await trx<SubscriptionRow & { url_hash: Buffer }>('subscription').where({ form_id, event, source, url_hash }).first();
  if (!existing) throw new Error('the conflicting subscription does not exist');
  const isAnother = existing.subscriber_id !== row.subscriber_id;
  const renewal = {
    revision: existing.revision + 1,
    ...(isAnother ? { form_creator_id: row.form_creator_id, renewed_by_kind: row.subscriber_kind, renewed_by_id: row.subscriber_id } : {}),
  };
  await trx('subscription').where({ id: existing.id }).update(renewal);
  return { row: { ...existing, ...renewal }, changed: false };
}

/** All subscriptions of a form, a workspace or an instance, the newest first. HOOKS_MAX_PER_FORM bounds their number. */
export async function subscriptionsOf(db: Database, scope: WebhookScope): Promise<SubscriptionRow[]> {
  return db<SubscriptionRow>('subscription')
    .where(inScope(scope))
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
}

/** Records the form's workspace. @returns its subscriptions, of which HOOKS_MAX_PER_FORM bounds the number. */
export async function moveSubscriptions(
  trx: Transaction,
  { instanceId, formId, workspaceId }: { instanceId: string; formId: string; workspaceId: string },
): Promise<SubscriptionRow[]> {
  return rowsOf<SubscriptionRow>(
    trx,
    `update subscription set workspace_id = :workspace
      where id in (select id from subscription where form_id = :form and instance_id = :instance order by id for update) returning *`,
    { workspace: workspaceId, form: formId, instance: instanceId },
  );
}

/** Whether the application has another webhook of the same scope and address for any of the events. */
export async function isRepeated(
  trx: Transaction,
  scope: WebhookScope,
  { id, url, events }: { id: string; url: string; events: readonly string[] },
): Promise<boolean> {
  const [found] = await trx('subscription')
    .where(inScope(scope))
    .where({ url_hash: hashOf(url), source: null })
    .whereNot({ id })
    .whereRaw('array_prepend(event, more_events) && cast(? as text[])', [[...events]])
    .limit(1)
    .select<{ id: string }[]>('id');
  return found !== undefined;
}

/** The subscriptions of a subscriber, before the given id, the newest first. */
export const heldBy = (
  db: Database,
  principal: Pick<SubscriptionRow, 'instance_id' | 'subscriber_kind' | 'subscriber_id'>,
  { before, limit }: { before: string; limit: number },
): Promise<SubscriptionRow[]> =>
  db<SubscriptionRow>('subscription').where(principal).where('id', '<', before).orderBy('id', 'desc').limit(limit);

/** Violates `webhook_same` if the application already has the same webhook. */
export async function insertWebhook(trx: Transaction, row: SubscriptionRow & { source: null }): Promise<void> {
  await trx('subscription').insert({ ...row, url_hash: hashOf(row.url) });
}

export async function subscriptionIn(db: Database, scope: WebhookScope, id: string): Promise<SubscriptionRow | undefined> {
  return db<SubscriptionRow>('subscription').where(inScope(scope)).where({ id }).first();
}

/** A subscription of the scope, locked until the end of the transaction. */
export async function lockSubscription(trx: Transaction, scope: WebhookScope, id: string): Promise<SubscriptionRow | undefined> {
  return trx<SubscriptionRow>('subscription').where(inScope(scope)).where({ id }).forUpdate().first();
}

/** Violates `webhook_same` if the application already has a webhook with the new values. */
export async function updateSubscription(trx: Transaction, { id, created_at: _, url, ...changes }: SubscriptionRow): Promise<void> {
  await trx('subscription')
    .where({ id })
    .update({ ...changes, url, url_hash: hashOf(url) });
}

/** @returns the deleted row, with the revision of its deletion; undefined if it did not exist. */
export async function deleteSubscription(trx: Transaction, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await trx<SubscriptionRow>('subscription').where({ id }).delete('*');
  return row && { ...row, revision: row.revision + 1 };
}

/** @returns the deleted subscriptions of a form or a workspace, with the revision of their deletion. */
export async function deleteSubscriptionsOf(trx: Transaction, scope: WebhookScope): Promise<SubscriptionRow[]> {
  const rows = await trx<SubscriptionRow>('subscription').where(inScope(scope)).delete('*');
  return rows.map((row) => ({ ...row, revision: row.revision + 1 }));
}

/** Deactivates the subscription if it still has this revision. */
export async function deactivate(
  trx: Transaction,
  { id, revision }: { id: string; revision: number },
  { reason, detail = null, now }: { reason: DeactivationReason; detail?: string | null | undefined; now: Date },
): Promise<SubscriptionRow | undefined> {
  const why = { deactivated_reason: reason, deactivated_at: now, deactivated_detail: detail };
  const [row] = await trx<SubscriptionRow>('subscription')
    .where({ id, revision, active: true })
    .update({ active: false, ...why, revision: revision + 1, updated_at: now })
    .returning('*');
  return row;
}
