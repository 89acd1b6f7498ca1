import { hookEvents } from '@sheaf/contracts';
import type { DomainEvent } from '@sheaf/events';
import { isId, newId } from '@sheaf/kernel';
import type { Deps } from './deps';
import * as queries from './plan.queries';
import type { EventRow } from './plan.queries';
import { activeAmong, upsertCopies } from './subscriptions.queries';

/**
 * Turns events into deliveries: one for each subscription that is active now. An event is planned once, however often it comes;
 * when this has resolved, nothing about it can be lost any more.
 * @returns how many deliveries were made.
 */
export async function plan(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'hooks' | 'ownCall'>, events: readonly DomainEvent[]): Promise<number> {
  const { db, clock, log } = deps;
  const readable = events.flatMap((event) => {
    const row = read(event);
    // Left out for good: trying it again would not make it better, and would hold up all that comes after it.
    if (!row) log.error({ eventId: event.id, type: event.type }, 'an event that cannot be read was left out');
    return row ?? [];
  });
  const known = await queries.knownEvents(db, readable.map(({ id }) => id));
  const fresh = readable.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return 0;

  // Asked before the transaction opens: a call to another service must not hold our row locks.
  const topics = new Map(fresh.map(({ instance_id, form_id, type }) => [topicOf(form_id, type), { instance_id, form_id, event: type }]));
  const { listeners } = await deps.hooks.listListeners(deps.ownCall(), { topics: [...topics.values()] });
  const byTopic = new Map([...topics.keys()].map((topic) => [topic, [] as string[]]));
  for (const { id, form_id, event } of listeners) byTopic.get(topicOf(form_id, event))?.push(id);

  return db.transaction(async (trx) => {
    await upsertCopies(trx, listeners.map(({ id, instance_id, form_id, url, revision }) => ({ id, instance_id, form_id, url, revision, state: 'active' })));
    // What we were told may be outdated by what we have heard since; the copies are locked, so this stays true until the commit.
    const active = await activeAmong(trx, listeners.map(({ id }) => id));
    const ours = await queries.insertEvents(trx, fresh);
    const now = clock.now();
    const deliveries = [...new Map(fresh.map((event) => [event.id, event])).values()]
      .filter(({ id }) => ours.has(id))
      .flatMap(({ id: event_id, form_id, type }) =>
        (byTopic.get(topicOf(form_id, type)) ?? [])
          .filter((subscription_id) => active.has(subscription_id))
          .map((subscription_id) => ({ id: newId(), event_id, subscription_id, form_id, created_at: now })),
      );
    await queries.insertDeliveries(trx, deliveries);
    return deliveries.length;
  });
}

const topicOf = (formId: string, type: string): string => `${formId} ${type}`;

/** What can be stored and sent. The body is not held against its schema: what our own services commit to is delivered as it is. */
function read({ id, type, instanceId, formId = '', occurredAt, body, trace }: DomainEvent): EventRow | undefined {
  if (![id, instanceId, formId].every(isId) || !hookEvents.some((event) => event === type) || !isJson(body)) return undefined;
  return { id, type, instance_id: instanceId, form_id: formId, occurred_at: occurredAt, body, traceparent: trace ?? null };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
