import type { InstanceRetentionPatch } from '@sheaf/contracts';
import { audited, record, type Actor } from '@sheaf/events';
import { authorizeOnInstance, type User } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as queries from './instance-retention.queries';
import type { Days } from './retention.queries';

/** How long the forms of the caller's instance keep submissions, where they do not say it themselves. */
export const getInstanceRetention = ({ db }: Pick<Deps, 'db'>, { instanceId }: User): Promise<Days> => queries.daysOf(db, instanceId);

/** Days that are absent stay as they are; null keeps for ever. @throws Problem `forbidden` */
export async function updateInstanceRetention(
  { outbox, clock }: Pick<Deps, 'outbox' | 'clock'>,
  asked: Asked<User>,
  patch: InstanceRetentionPatch,
): Promise<Days> {
  authorizeOnInstance(asked.caller, 'decide how long this instance keeps submissions');
  return outbox.transaction((trx) => changeDays(trx, asked, patch, clock.now()));
}

/** The same for callers that need no role. Records nothing if nothing changes. */
export async function changeDays(
  trx: Transaction,
  asked: Parameters<typeof audited>[0] & { caller: Actor },
  patch: InstanceRetentionPatch,
  at: Date,
): Promise<Days> {
  const { instanceId } = asked.caller;
  const before = await queries.lockDaysOf(trx, instanceId);
  const after: Days = {
    trash_days: patch.trash_days === undefined ? before.trash_days : patch.trash_days,
    submissions_days: patch.submissions_days === undefined ? before.submissions_days : patch.submissions_days,
    files_days: patch.files_days === undefined ? before.files_days : patch.files_days,
  };
  const changed = (['trash_days', 'submissions_days', 'files_days'] as const).filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return before;
  await queries.saveDays(trx, instanceId, after);
  await record(trx, audited(asked, { action: 'instance.updated', target: { kind: 'instance', id: instanceId }, details: { changed } }, at));
  return after;
}
