import { rowsOf, type Database } from '@sheaf/postgres';

/** Why a delivery failed that may have been sent before the system was restored. */
export const restoredReason = 'restored';

/** Whether something happened before the system was restored, and so in the system that was lost. */
export const isOfBackup = (occurredAt: string): string =>
  `coalesce(${occurredAt} < (select at from restored order by at desc limit 1), false)`;

export async function noteRestored(db: Database, at: Date): Promise<void> {
  await rowsOf(db, 'insert into restored (at) values (?) on conflict do nothing', [at]);
}

/** How many deliveries one statement settles. */
const batchSize = 1_000;

/** Settles deliveries that were pending in the backup as failed, a thousand at most. @returns how many */
export async function settlePending(db: Database, at: Date): Promise<number> {
  const rows = await rowsOf(
    db,
    `with ended as (
       delete from queue where delivery_id in (select delivery_id from queue order by delivery_id limit :limit for update)
       returning delivery_id, attempts
     )
     update delivery d set state = 'failed', reason = :reason, attempts = ended.attempts, settled_at = :at
       from ended where d.id = ended.delivery_id returning d.id`,
    { limit: batchSize, reason: restoredReason, at },
  );
  return rows.length;
}

/** The same for deliveries that were to be brought back: the lost system may have done so, and have sent them. @returns how many */
export async function settlePassedOver(db: Database, at: Date): Promise<number> {
  const rows = await rowsOf(
    db,
    `with noted as (delete from passed_over returning delivery_id)
     update delivery d set state = 'failed', reason = :reason, settled_at = :at
       from noted where d.id = noted.delivery_id and d.state = 'skipped' returning d.id`,
    { reason: restoredReason, at },
  );
  return rows.length;
}
