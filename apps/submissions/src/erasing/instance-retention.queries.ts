import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import { undecided, type Decided } from './grace';

export async function decidedOf(db: Database, instanceId: string): Promise<Decided> {
  const [row] = await rowsOf<Decided>(
    db,
    'select trash_days, submissions_days, files_days, decided from instance_keeping where instance_id = ?',
    [instanceId],
  );
  return row ?? undecided;
}

/** Locks the days of an instance until this transaction ends. */
export async function lockDecidedOf(trx: Transaction, instanceId: string): Promise<Decided> {
  const [row] = await rowsOf<Decided>(
    trx,
    `insert into instance_keeping (instance_id) values (?)
     on conflict (instance_id) do update set instance_id = excluded.instance_id
     returning trash_days, submissions_days, files_days, decided`,
    [instanceId],
  );
  return row ?? undecided;
}

export async function saveDecided(trx: Transaction, instanceId: string, { decided, ...days }: Decided): Promise<void> {
  await trx('instance_keeping')
    .where({ instance_id: instanceId })
    .update({ ...days, decided: JSON.stringify(decided) });
}
