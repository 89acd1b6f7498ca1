import { createHash } from 'node:crypto';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface SubscriptionRow {
  id: string;
  instance_id: string;
  form_id: string;
  /** Of the form; null where nobody noted it. */
  workspace_id: string | null;
  event: string;
  url: string;
  /** Null for a webhook that was made in the application. */
  source: string | null;
  subscriber_kind: 'user' | 'service_account';
  subscriber_id: string;
  /** Of the form; null where nobody noted it. */
  form_creator_id: string | null;
  /** Whoever asked for it last after the subscriber, if anybody did. */
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

/** Until the end of the transaction nobody else adds a subscription to the form. */
export async function lockSubscriptionsOf(trx: Transaction, formId: string): Promise<void> {
  await rowsOf(trx, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [formId]);
}

export async function countOf(trx: Transaction, formId: string): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(trx, 'select count(*) as count from subscription where form_id = ?', [formId]);
  return row?.count ?? 0;
}

const hashOf = (url: string): Buffer => createHash('sha256').update(url).digest();

/**
 * Inserts the subscription, or finds the one that asks for the same, switches it on again if it was off, and notes who asked for it again. The
 * constraint decides, also between two at once. The revision is higher each time: a 410 that was answered before may not be known here yet,
 * and must not end what somebody asked for after it.
 * @returns the row, and whether this call made it or switched it on.
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

  // PostgreSQL has locked the row that stood in the way, so it is still there.
  const { form_id, event, source, url_hash } = row;
  const existing = await trx<SubscriptionRow & { url_hash: Buffer }>('subscription').where({ form_id, event, source, url_hash }).first();
  if (!existing) throw new Error('the subscription that was in the way is not there');
  const isAnother = existing.subscriber_id !== row.subscriber_id;
  const renewal = {
    revision: existing.revision + 1,
    ...(isAnother ? { form_creator_id: row.form_creator_id, renewed_by_kind: row.subscriber_kind, renewed_by_id: row.subscriber_id } : {}),
  };
  await trx('subscription').where({ id: existing.id }).update(renewal);
  return { row: { ...existing, ...renewal }, changed: false };
}

/** All that a form has, the newest first; there are as many as a form may have at most. */
export async function subscriptionsOf(db: Database, instanceId: string, formId: string): Promise<SubscriptionRow[]> {
  return db<SubscriptionRow>('subscription').where({ instance_id: instanceId, form_id: formId }).orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id', order: 'desc' }]);
}

/** Violates `webhook_same` if the application has made the same before. */
export async function insertWebhook(trx: Transaction, row: SubscriptionRow & { source: null }): Promise<void> {
  await trx('subscription').insert({ ...row, url_hash: hashOf(row.url) });
}

/** A subscription of the form that nobody else changes before the transaction is over. */
export async function lockSubscription(trx: Transaction, { id, formId }: { id: string; formId: string }): Promise<SubscriptionRow | undefined> {
  return trx<SubscriptionRow>('subscription').where({ id, form_id: formId }).forUpdate().first();
}

/** Violates `webhook_same` if it becomes one that there is already. */
export async function updateSubscription(trx: Transaction, { id, created_at: _, url, ...changes }: SubscriptionRow): Promise<void> {
  await trx('subscription').where({ id }).update({ ...changes, url, url_hash: hashOf(url) });
}

/** @returns the row as it was, with the revision that its end has; undefined if it is gone already. */
export async function deleteSubscription(trx: Transaction, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await trx<SubscriptionRow>('subscription').where({ id }).delete('*');
  return row && { ...row, revision: row.revision + 1 };
}

/** Switches it off if nothing has changed about it since that revision. */
export async function deactivate(trx: Transaction, { id, revision }: { id: string; revision: number }, now: Date): Promise<SubscriptionRow | undefined> {
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

/** What `delivery` has to know of a subscription. */
export type ListenerRow = Pick<SubscriptionRow, 'id' | 'instance_id' | 'form_id' | 'event' | 'url' | 'revision'>;

/** The active subscriptions to any of the topics, in one statement however many there are. */
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
