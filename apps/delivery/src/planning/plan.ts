import { webhookEvents } from '@sheaf/contracts';
import type { DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Deps } from '../deps';
import { erasedAmong } from '../erasing/erasing.queries';
import { noteEvents, type EventRow } from './plan.queries';
import { storePlanned, type Planned, type Sender, type StoringDeps } from './store-planned';

const lateMs = 5_000;

/**
 * Turns events into deliveries: one for each subscription, which is sent if that is active now, and skipped otherwise. An event is planned once, however often it arrives; once this
 * resolves, none of it can be lost.
 * @param sender begins attempts in its free slots right after the commit; without a sender everything waits in the queue.
 */
export async function plan(
  deps: StoringDeps & Pick<Deps, 'log' | 'hooks' | 'ownCall' | 'listenedForms'>,
  events: readonly DomainEvent[],
  sender?: Sender,
): Promise<Planned> {
  const { log } = deps;
  const readable = events.flatMap((event) => {
    const row = toEventRow(event);
    // Skipped permanently: a retry would fail as well and delay all later events.
    if (!row) log.error({ eventId: event.id, type: event.type }, 'skipped an unreadable event');
    return row ?? [];
  });
  const gone = await ofErased(deps, events);
  const known = [...new Map(readable.map((event) => [event.id, event])).values()];
  await noteEvents(
    deps.db,
    known.filter(({ id }) => gone.has(id)),
  );
  const unique = known.filter(({ id }) => !gone.has(id));
  if (unique.length === 0) return { made: 0, waiting: 0 };

  await deps.listenedForms.hear(unique);
  // Ask before the transaction opens, because a call to another service must not hold our row locks. This also asks about events that are
  // planned already; checking for those first would cost all others an extra statement.
  const topics = new Map(unique.map(({ instance_id, form_id, type }) => [`${form_id} ${type}`, { instance_id, form_id, event: type }]));
  const { listeners } = await deps.hooks.listListeners(deps.ownCall(), { topics: [...topics.values()] });
  if (listeners.length === 0) {
    // Record the events anyway: if they arrive again, subscribers added since then must not get them.
    await noteEvents(deps.db, unique);
    return { made: 0, waiting: 0 };
  }
  return storePlanned(deps, { events: unique, listeners }, sender);
}

/**
 * The ids of events of submissions that have been erased meanwhile, so that nobody is sent their answers any more. Only events that were on
 * their way for a while are looked up: within a few seconds nothing can be accepted, put into the trash and erased, and noted here.
 */
async function ofErased({ db, clock }: Pick<Deps, 'db' | 'clock'>, events: readonly DomainEvent[]): Promise<Set<string>> {
  const before = clock.now().getTime() - lateMs;
  const late = events.filter(
    ({ type, subject, occurredAt }) => type === 'submission.created' && occurredAt.getTime() < before && isId(subject),
  );
  if (late.length === 0) return new Set();
  const erased = await erasedAmong(
    db,
    late.map(({ subject }) => subject),
  );
  return new Set(late.flatMap(({ id, subject }) => (erased.has(subject) ? id : [])));
}

/**
 * The event, if it can be stored and sent. Its body is not validated against the schema: it is delivered as our own services committed it.
 */
function toEventRow({ id, type, instanceId, subject, formId = '', occurredAt, body, trace, requestId }: DomainEvent): EventRow | undefined {
  if (![id, instanceId, formId].every(isId) || !webhookEvents.some((event) => event === type) || !isJson(body)) return undefined;
  // The subject of a change of several submissions is their form.
  const submission_id = isId(subject) && subject !== formId ? subject : null;
  const cause = { traceparent: trace ?? null, request_id: requestId ?? null };
  return { id, type, instance_id: instanceId, form_id: formId, submission_id, occurred_at: occurredAt, body, ...cause };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
