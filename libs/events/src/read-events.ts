import type { DomainEventType } from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import type { z } from 'zod';
import { bodyOf, type DomainEvent } from './event';

/**
 * The events of a type, each with its data. One of another shape, or with something else in place of one of these ids or of its instance's, is skipped
 * for good and logged: a retry would fail as well, and delay all later events.
 */
export function* readEvents<T extends z.ZodObject>(
  log: Log,
  events: readonly DomainEvent[],
  type: DomainEventType,
  shape: T,
  ids: readonly (keyof z.output<T> & string)[],
): Generator<{ event: DomainEvent; data: z.output<T> }> {
  for (const event of events.filter((given) => given.type === type)) {
    const data = bodyOf(shape, event);
    if (data && [event.instanceId, ...ids.map((name) => data[name] as string)].every(isId)) yield { event, data };
    else log.error({ eventId: event.id, type }, 'skipped an unreadable event');
  }
}
