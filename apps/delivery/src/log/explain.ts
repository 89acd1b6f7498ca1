import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { leaseMs } from '../attempts/claims.queries';
import { shownConnection } from '../attempts/shown-connection';
import { shownResponse } from '../attempts/shown-response';
import type { Deps } from '../deps';
import { attemptsOf, deliveriesById } from './deliveries.queries';
import { deliveriesAbout, eventsAt, plannedEvents } from './explain.queries';
import { shownDelivery } from './shown-delivery';

export interface ExplainedThing {
  /** Of a submission, of an event or of a batch. */
  id: string;
  /** The place and time at which a submission was announced, as its service knows them. */
  announced?: { formId: string; at: Date } | undefined;
}

/** For operators: what this service knows of a submission, of an event or of a batch: the events that were planned, and their deliveries with all attempts. */
export async function explain(
  { db, clock, settings }: { db: Database; clock: Clock; settings: Pick<Deps['settings'], 'DELIVERY_TIMEOUT_MS'> },
  { id, announced }: ExplainedThing,
) {
  const [own] = await plannedEvents(db, [id]);
  const rows = await deliveriesById(db, clock, await deliveriesAbout(db, id, own));
  const events = await plannedEvents(db, [...new Set([...(own ? [id] : []), ...rows.map(({ event_id }) => event_id)])]);
  const isTold = events.some(({ type }) => type === 'submission.created');
  const unheard =
    announced && !isTold ? await eventsAt(db, { type: 'submission.created', formId: announced.formId, at: announced.at }) : [];
  return {
    events: [...events, ...unheard.slice(0, 1)].sort((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime()),
    deliveries: await Promise.all(
      rows.map(async (row) => ({
        ...shownDelivery(row),
        attempts: (await attemptsOf(db, clock, row.id, leaseMs(settings))).map(({ headers: _, response, connection, ...attempt }) => ({
          ...attempt,
          response: response && shownResponse(response),
          connection: connection && shownConnection(connection),
        })),
      })),
    ),
  };
}
