import { createHash } from 'node:crypto';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface SubscriptionRow {
  id: string;
  instance_id: string;
  form_id: string;
  /** The form's workspace; null if an older version did not record it. */
  workspace_id: string | null;
  event: string;
  url: string;
  /** Null for a webhook created in the application. */
  source: string | null;
  subscriber_kind: 'user' | 'service_account';
  subscriber_id: string;
  /** The form's creator; null if an older version did not record them. */
  form_creator_id: string | null;
  /** The last principal, other than the subscriber, who renewed the subscription. */
  renewed_by_kind: 'user' | 'service_account' | null;
  renewed_by_id: string | null;
  active: boolean;
  revision: number;
  created_at: Date;
  updated_at: Date;
}

export async function subscriptionById(db: Database, instanceId: string, id: string): Promise<SubscriptionRow | undefined> {
  return db<SubscriptionRow>('subscription').where({ id, instance_id: instanceId }).first();
}

/** Until the end of the transaction, no other transaction can add a subscription to the form. */
export async function lockSubscriptionsOf(trx: Transaction, formId: string): Promise<void> {
  await rowsOf(trx, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [formId]);
}

export async function countOf(trx: Transaction, formId: string): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(trx, 'select count(*) as count from subscription where form_id = ?', [formId]);
  return row?.count ?? 0;
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
     do update set active = true, workspace_id = excluded.workspace_id, form_creator_id = excluded.form_creator_id,
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

/** All subscriptions of a form, the newest first. HOOKS_MAX_PER_FORM bounds their number. */
export async function subscriptionsOf(db: Database, instanceId: string, formId: string): Promise<SubscriptionRow[]> {
  return db<SubscriptionRow>('subscription')
    .where({ instance_id: instanceId, form_id: formId })
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

/** Violates `webhook_same` if the application already has the same webhook. */
export async function insertWebhook(trx: Transaction, row: SubscriptionRow & { source: null }): Promise<void> {
  await trx('subscription').insert({ ...row, url_hash: hashOf(row.url) });
}

/** A subscription of the form, locked until the end of the transaction. */
export async function lockSubscription(
  trx: Transaction,
  { id, formId }: { id: string; formId: string },
): Promise<SubscriptionRow | undefined> {
  return trx<SubscriptionRow>('subscription').where({ id, form_id: formId }).forUpdate().first();
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

/** @returns the deleted subscriptions of a form, with the revision of their deletion. */
export async function deleteSubscriptionsOf(trx: Transaction, instanceId: string, formId: string): Promise<SubscriptionRow[]> {
  const rows = await trx<SubscriptionRow>('subscription').where({ instance_id: instanceId, form_id: formId }).delete('*');
  return rows.map((row) => ({ ...row, revision: row.revision + 1 }));
}

/** Deactivates the subscription if it still has this revision. */
export async function deactivate(
  trx: Transaction,
  { id, revision }: { id: string; revision: number },
  now: Date,
): Promise<SubscriptionRow | undefined> {
  const [row] = await trx<SubscriptionRow>('subscription')
    .where({ id, revision, active: true })
    .update({ active: false, revision: revision + 1, updated_at: now })
    .returning('*');
  return row;
}

export interface Topic {
  instanceId: string;
  formId: string;
  event: string;
}

/** The columns that `delivery` needs. */
export type ListenerRow = Pick<SubscriptionRow, 'id' | 'instance_id' | 'form_id' | 'event' | 'url' | 'revision'>;

/** The active subscriptions to the topics, in one statement however many topics there are. */
export async function listenersTo(db: Database, topics: readonly Topic[]): Promise<ListenerRow[]> {
  return rowsOf<ListenerRow>(
    db,
    `select s.id, s.instance_id, s.form_id, s.event, s.url, s.revision
       from (select distinct * from unnest(?::uuid[], ?::uuid[], ?::text[])) as topic (instance_id, form_id, event)
       join subscription s on s.form_id = topic.form_id and s.event = topic.event and s.instance_id = topic.instance_id and s.active
      order by s.id`,
    [topics.map(({ instanceId }) => instanceId), topics.map(({ formId }) => formId), topics.map(({ event }) => event)],
  );
}
