import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { SubscriptionRow } from './subscription/subscriptions.queries';

// For operators who look for what is missing between services: see `npm run sheaf -- reconcile`.

export interface HeldSubscription {
  id: string;
  instance_id: string;
  form_id: string | null;
  workspace_id: string | null;
  active: boolean;
  revision: number;
  /** Whether `delivery` has not confirmed a change of it. */
  waiting: boolean;
}

const columns = `id, instance_id, form_id, workspace_id, active, revision,
  exists (select from outbox o where o.subject = cast(s.id as text) and o.type = 'subscription.changed') as waiting`;

/** All subscriptions after one, in the order of their ids. */
export const subscriptionsAfter = (db: Database, after: string, limit: number): Promise<HeldSubscription[]> =>
  rowsOf(db, `select ${columns} from subscription s where id > cast(? as uuid) order by id limit ?`, [after, limit]);

export const subscriptionsAmong = (db: Database, ids: readonly string[]): Promise<HeldSubscription[]> =>
  rowsOf(db, `select ${columns} from subscription s where id = any(cast(? as uuid[])) order by id`, [[...ids]]);

/** The ids among these of which `delivery` has not confirmed a change; a subscription that was removed may be among them. */
export const waitingAmong = (db: Database, ids: readonly string[]): Promise<{ subject: string }[]> =>
  rowsOf(db, `select distinct subject from outbox where subject = any(cast(? as text[])) and type = 'subscription.changed'`, [[...ids]]);

export const lockSubscriptions = (trx: Transaction, ids: readonly string[]): Promise<SubscriptionRow[]> =>
  rowsOf(trx, 'select * from subscription where id = any(cast(? as uuid[])) order by id for update', [[...ids]]);
