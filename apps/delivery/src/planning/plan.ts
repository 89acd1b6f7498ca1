import { hookEvents } from '@sheaf/contracts';
import type { DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Deps } from '../deps';
import { noteEvents, type EventRow } from './plan.queries';
import { storePlanned, type Planned, type Sender, type Storing } from './store-planned';

/**
 * Turns events into deliveries: one for each subscription that is active now. An event is planned once, however often it comes;
 * when this has resolved, nothing about it can be lost any more.
 * @param sender begins what it has room for, right after the commit; without one everything waits in the queue.
 */
export async function plan(
  deps: Storing & Pick<Deps, 'log' | 'hooks' | 'ownCall'>,
  events: readonly DomainEvent[],
  sender?: Sender,
): Promise<Planned> {
  const { log } = deps;
  const readable = events.flatMap((event) => {
    const row = read(event);
    // Left out for good: trying it again would not make it better, and would hold up all that comes after it.
    if (!row) log.error({ eventId: event.id, type: event.type }, 'an event that cannot be read was left out');
    return row ?? [];
  });
  const unique = [...new Map(readable.map((event) => [event.id, event])).values()];
  if (unique.length === 0) return { made: 0, waiting: 0 };

  // Asked before the transaction opens: a call to another service must not hold our row locks. What is known already is asked about once
  // more; to look for it first would cost everything else a statement.
  const topics = new Map(unique.map(({ instance_id, form_id, type }) => [`${form_id} ${type}`, { instance_id, form_id, event: type }]));
  const { listeners } = await deps.hooks.listListeners(deps.ownCall(), { topics: [...topics.values()] });
  if (listeners.length === 0) {
    // Known all the same: whoever subscribes from now on must not get them when they are brought again.
    await noteEvents(deps.db, unique);
    return { made: 0, waiting: 0 };
  }
  return storePlanned(deps, { events: unique, listeners }, sender);
}

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
