import type { InstanceRetentionPatch } from '@sheaf/contracts';
import { audited, record, type Actor } from '@sheaf/events';
import { authorizeOnInstance, type User } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { noted, type Days } from './grace';
import * as queries from './instance-retention.queries';
import { instanceSchedule, type Schedule } from './schedule';

type RetentionDeps = Pick<Deps, 'db' | 'outbox' | 'clock' | 'graceMs'>;

/** The decision, and the time at which it takes effect. */
export interface InstanceRetention extends Schedule {
  days: Days;
}

/** How long the forms of the caller's instance keep submissions, where they do not say it themselves. */
export const getInstanceRetention = async (
  deps: Omit<RetentionDeps, 'outbox'>,
  { instanceId, instanceRole }: User,
): Promise<InstanceRetention> => ({
  days: await queries.decidedOf(deps.db, instanceId),
  // The others know nothing of what the forms of other people have.
  ...(await instanceSchedule(deps, instanceId, { isCounted: instanceRole !== undefined })),
});

/** Days that are absent stay as they are; null keeps for ever. @throws Problem `forbidden` */
export async function updateInstanceRetention(
  deps: RetentionDeps,
  asked: Asked<User>,
  patch: InstanceRetentionPatch,
): Promise<InstanceRetention> {
  authorizeOnInstance(asked.caller, 'decide how long this instance keeps submissions');
  await deps.outbox.transaction((trx) => changeDays(trx, asked, patch, { now: deps.clock.now(), graceMs: deps.graceMs }));
  return getInstanceRetention(deps, asked.caller);
}

/** The same for callers that need no role. Records nothing if nothing changes. */
export async function changeDays(
  trx: Transaction,
  asked: Parameters<typeof audited>[0] & { caller: Actor },
  patch: InstanceRetentionPatch,
  { now, graceMs }: { now: Date; graceMs: number },
): Promise<Days> {
  const { instanceId } = asked.caller;
  const before = await queries.lockDecidedOf(trx, instanceId);
  const after: Days = {
    trash_days: patch.trash_days === undefined ? before.trash_days : patch.trash_days,
    submissions_days: patch.submissions_days === undefined ? before.submissions_days : patch.submissions_days,
    files_days: patch.files_days === undefined ? before.files_days : patch.files_days,
  };
  const changed = (['trash_days', 'submissions_days', 'files_days'] as const).filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return before;
  const decided = noted({ ...after, decided: before.decided }, now, graceMs);
  await queries.saveDecided(trx, instanceId, { ...after, decided });
  await record(
    trx,
    audited(asked, { action: 'instance.updated', target: { kind: 'instance', id: instanceId }, details: { changed } }, now),
  );
  return after;
}
