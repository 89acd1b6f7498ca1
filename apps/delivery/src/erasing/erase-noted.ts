import { erasureConfirmed, record, type DomainEvent } from '@sheaf/events';
import type { Deps } from '../deps';
import { firstIdOf } from '../ids-by-time';
import { eraseHeard } from '../listening/listening.queries';
import * as queries from './erasing.queries';
import type { Erased, Step } from './erasing.queries';

type ErasingDeps = Pick<Deps, 'db' | 'outbox' | 'clock' | 'log'> & {
  settings: Pick<Deps['settings'], 'DELIVERY_LOG_DAYS' | 'ERASING_SECOND_LOOK_MS'>;
  /** Deletes the messages of the stream since a moment that have such an event. @returns how many */
  eraseFromStream: (since: Date, isErased: (event: DomainEvent) => boolean) => Promise<number>;
};

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const logsAtOnce = 50;
const looksAtOnce = 1_000;
/** After this time, a process that has taken a step counts as dead. */
const leaseMs = 5 * minuteMs;
/** When to try again after the broker did not answer, or another process looked at the same time. */
const retryMs = 10_000;

/** How far apart the time in an event's id and its recording are; nearly always within the first, and within the second if a clock was set. */
const spans = [2_000, hourMs] as const;

/**
 * Erases the answers of erased submissions and forms: in the log, and then in the broker's stream, in which it looks twice. A process that
 * dies in between leaves the step to others, after a while. Confirms each erasure that is complete.
 * @returns how many submissions and forms are done
 */
export async function eraseNoted(deps: ErasingDeps, stopping?: AbortSignal): Promise<number> {
  if (!(await queries.isAnyDue(deps.db, deps.clock.now()))) return 0;
  while (stopping?.aborted !== true && (await cleanLogs(deps, stopping)) === logsAtOnce);
  return lookThroughStream(deps);
}

async function cleanLogs(deps: ErasingDeps, stopping: AbortSignal | undefined): Promise<number> {
  const { db, clock } = deps;
  const taken = await queries.take(db, { steps: ['log'], limit: logsAtOnce, ...leaseFrom(clock.now()) });
  for (const erased of taken) {
    if (stopping?.aborted === true) break;
    await (erased.whole_form ? cleanFormLog(deps, erased, stopping) : cleanSubmissionLog(deps, erased));
    await queries.advance(db, [erased.target_id], { from: 'log', to: 'first_look', dueAt: clock.now() });
  }
  return taken.length;
}

async function cleanSubmissionLog({ db, clock }: ErasingDeps, { target_id: id, form_id: formId, announced_at }: Erased): Promise<void> {
  await eraseHeard(db, formId, id);
  await queries.eraseResponses(db, await queries.deliveriesAbout(db, id));
  const at = announced_at?.getTime();
  if (at === undefined) return;
  for (const span of spans) {
    const range = { formId, submissionId: id, ...idsBetween(at - span, at + span) };
    if ((await db.transaction((trx) => queries.eraseBodies(trx, clock, id, range))) > 0) return;
  }
}

/** An hour of the log at a time, from its beginning on: no index finds the events of a form, as each event would pay for it. */
async function cleanFormLog({ db, clock, settings }: ErasingDeps, erased: Erased, stopping: AbortSignal | undefined): Promise<void> {
  const { target_id: formId } = erased;
  await eraseHeard(db, formId);
  const now = clock.now().getTime();
  let from = erased.clean_to?.getTime() ?? now - (settings.DELIVERY_LOG_DAYS + 1) * dayMs;
  while (from < now + hourMs) {
    stopping?.throwIfAborted();
    const to = from + hourMs;
    const range = { formId, ...idsBetween(from, to) };
    await db.transaction((trx) => queries.eraseBodies(trx, clock, formId, range));
    await queries.eraseResponsesOfForm(db, range);
    await queries.cleanedTo(db, formId, new Date(to));
    from = to;
  }
}

const idsBetween = (from: number, to: number) => ({ first: firstIdOf(new Date(from)), end: firstIdOf(new Date(to)) });

async function lookThroughStream(deps: ErasingDeps): Promise<number> {
  const { db, clock, outbox, settings } = deps;
  const taken = await queries.take(db, { steps: ['first_look', 'second_look'], limit: looksAtOnce, ...leaseFrom(clock.now()) });
  if (taken.length === 0) return 0;
  const idsOf = (step: Step) => taken.filter((one) => one.step === step).map(({ target_id: id }) => id);
  const [first, done] = [idsOf('first_look'), idsOf('second_look')];
  try {
    await eraseMessages(deps, taken);
  } catch (error) {
    const dueAt = new Date(clock.now().getTime() + retryMs);
    await queries.advance(db, first, { from: 'first_look', to: 'first_look', dueAt });
    await queries.advance(db, done, { from: 'second_look', to: 'second_look', dueAt });
    throw error;
  }

  const now = clock.now();
  await queries.advance(db, first, {
    from: 'first_look',
    to: 'second_look',
    dueAt: new Date(now.getTime() + settings.ERASING_SECOND_LOOK_MS),
  });
  await outbox.transaction(async (trx) => {
    await queries.advance(trx, done, { from: 'second_look', to: 'done', dueAt: now });
    for (const { id, instance_id: instanceId, form_id: formId, events } of await queries.complete(trx, done))
      await record(trx, erasureConfirmed({ id, instanceId, formId }, { service: 'delivery', counts: { events } }, now));
  });
  return done.length;
}

async function eraseMessages({ eraseFromStream }: ErasingDeps, taken: readonly Erased[]): Promise<void> {
  const withMessages = taken.filter(({ whole_form, announced_at }) => whole_form || announced_at !== null);
  const [oldest] = withMessages.map(earliestMessage).sort((a, b) => a.getTime() - b.getTime());
  const ids = new Set(withMessages.map(({ target_id: id }) => id));
  if (oldest) await eraseFromStream(oldest, ({ subject, formId }) => ids.has(subject) || ids.has(formId ?? ''));
}

/** The stream keeps messages for at most a month (`NATS_STREAM_MAX_AGE_MS`). */
const earliestMessage = ({ announced_at: at, noted_at: noted }: Erased): Date =>
  at === null ? new Date(noted.getTime() - 31 * dayMs) : new Date(at.getTime() - minuteMs);

const leaseFrom = (now: Date) => ({ now, until: new Date(now.getTime() + leaseMs) });
