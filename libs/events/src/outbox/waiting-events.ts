import { rowsOf, type Database } from '@sheaf/postgres';

/** An event that is still in the outbox. */
export interface WaitingEvent {
  id: string;
  type: string;
  subject: string;
  occurred_at: Date;
  /** How often the broker has stored it; 0 while it was never published. */
  publications: number;
  /** When a relay publishes it, unless its consumers confirm it before. */
  publish_at: Date;
  /** The consumers that have not confirmed it. */
  awaiting: string[];
  request_id: string | null;
  /** Whether it waits for an older event of its subject. */
  is_behind: boolean;
}

/** For operators: what the outbox still has of a subject or of one event, the oldest first. */
export const waitingEvents = (db: Database, id: string): Promise<WaitingEvent[]> =>
  rowsOf<WaitingEvent>(
    db,
    `select id, type, subject, occurred_at, publications, publish_at, awaiting, request_id,
            exists (select from outbox older where older.subject = o.subject and older.position < o.position and older.awaiting && o.awaiting) as is_behind
       from outbox o where o.subject in (select :id union all select subject from outbox where id = cast(:id as uuid)) order by position limit 100`,
    { id },
  );
