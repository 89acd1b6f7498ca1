import { domainEvents, type DomainEventType } from '@sheaf/contracts';
import type { Clock } from '@sheaf/kernel';
import { momentOf, rowsOf, type Transaction } from '@sheaf/postgres';
import type { DomainEvent } from '../event';
import { afterGrace, graceMs } from './outbox';

/** The events of a transaction whose process publishes them right after the commit. */
export interface RecordedEvents {
  clock: Clock;
  signals: DomainEvent[];
  /** The ids of all events that are not signals. */
  ids: string[];
}

const collectedIn = new WeakMap<Transaction, RecordedEvents>();

/** Collects the events that a transaction records. The caller publishes them after the commit; relays leave them alone meanwhile. */
export function collectRecorded(trx: Transaction, clock: Clock): RecordedEvents {
  const collected: RecordedEvents = { clock, signals: [], ids: [] };
  collectedIn.set(trx, collected);
  return collected;
}

const isSignal = ({ type }: DomainEvent): boolean => domainEvents[type].consumers.length === 0;

/** Records events in the transaction of their change: both are committed, or neither. */
export async function record(trx: Transaction, ...events: readonly DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  const collected = collectedIn.get(trx);
  await rowsOf(
    trx,
    storing(`
      select *, case when :collected then ${afterGrace} else least(occurred_at, now()) end as publish_at
        from rows from (json_to_recordset(cast(:events as json)) as (
          id uuid, type text, instance_id uuid, subject text, form_id uuid, occurred_at timestamptz, body text, traceparent text, request_id text, awaiting text[]
        )) with ordinality order by ordinality`),
    { events: eventRows(events), collected: collected !== undefined, moment: collected ? momentOf(collected.clock) : null },
  );
  for (const event of events) {
    if (isSignal(event)) collected?.signals.push(event);
    else collected?.ids.push(event.id);
  }
}

// One parameter, so that the statement is the same for any number of events.
const eventRows = (events: readonly DomainEvent[]): string =>
  JSON.stringify(
    events.map((event) => ({
      id: event.id,
      type: event.type,
      instance_id: event.instanceId,
      subject: event.subject,
      form_id: event.formId,
      occurred_at: event.occurredAt,
      body: event.body,
      traceparent: event.trace,
      request_id: event.requestId,
      awaiting: domainEvents[event.type].consumers,
    })),
  );

/**
 * SQL that stores events of one type, for use in a statement that also stores their subjects, so that shared values are sent and read once.
 * `rows` is a query of their `id`, `instance_id`, `subject`, `form_id`, `occurred_at`, `body`, `traceparent` and `request_id`. Callers must `publish` the
 * events after the commit, and each must be the first event of its subject.
 */
export const storingEvents = (type: DomainEventType, rows: string): string =>
  storing(`
    select e.*, '${type}' as type, cast('{${domainEvents[type].consumers.join()}}' as text[]) as awaiting, now() + interval '${graceMs} milliseconds' as publish_at
      from (${rows}) as e`);

const columns = 'id, type, instance_id, subject, form_id, occurred_at, body, traceparent, request_id, awaiting, publish_at';
const storing = (rows: string): string => `insert into outbox (${columns}) select ${columns} from (${rows}) as given`;
