import { rowsOf, type Database } from '@sheaf/postgres';
import { firstIdOf, momentOfId } from '../ids-by-time';

/** An event that was planned. */
export interface PlannedEvent {
  id: string;
  type: string;
  instance_id: string;
  form_id: string;
  occurred_at: Date;
  planned_at: Date;
  request_id: string | null;
  /** The subscriptions whose filters kept it from them, and which part of each. */
  withheld: { id: string; part: string }[] | null;
}

const columns = 'id, type, instance_id, form_id, occurred_at, planned_at, request_id, withheld';
/** How far the clock of an id may be from the moment that was recorded beside it. */
const slackMs = 10_000;
/** The most deliveries of one event or submission that an operator is shown. */
const most = 1_000;

export const plannedEvents = (db: Database, ids: readonly string[]): Promise<PlannedEvent[]> =>
  rowsOf<PlannedEvent>(db, `select ${columns} from event where id = any(cast(? as uuid[])) order by id`, [[...ids]]);

/**
 * The events of a form at a moment: how an event is found that had no listener, since nothing of such a one is kept but this. Ids grow with time,
 * so only those of the seconds around it are read.
 */
export const eventsAt = (db: Database, wanted: { type: string; formId: string; at: Date }): Promise<PlannedEvent[]> =>
  rowsOf<PlannedEvent>(
    db,
    `select ${columns} from event
      where id between cast(:first as uuid) and cast(:last as uuid) and type = :type and form_id = :form and occurred_at = :at order by id limit 10`,
    {
      first: firstIdOf(new Date(wanted.at.getTime() - slackMs)),
      last: firstIdOf(new Date(wanted.at.getTime() + slackMs)),
      type: wanted.type,
      form: wanted.formId,
      at: wanted.at,
    },
  );

/** The deliveries of a submission, of a planned event, or else of a batch. */
export const deliveriesAbout = async (db: Database, id: string, event: PlannedEvent | undefined): Promise<string[]> => {
  const found = event
    ? await rowsOf<{ id: string }>(
        db,
        `select id from delivery where id between cast(:first as uuid) and cast(:last as uuid) and event_id = :event order by id limit ${most}`,
        {
          first: firstIdOf(new Date(event.planned_at.getTime() - slackMs)),
          last: firstIdOf(new Date(event.planned_at.getTime() + slackMs)),
          event: event.id,
        },
      )
    : await rowsOf<{ id: string }>(db, `select id from delivery where submission_id = ? order by id limit ${most}`, [id]);
  return found.length > 0 || event ? found.map((row) => row.id) : deliveriesInBatch(db, id);
};

/** The deliveries whose first attempts closed a batch: its id has the moment of these, and attempts are found by their time. */
async function deliveriesInBatch(db: Database, id: string): Promise<string[]> {
  const at = momentOfId(id).getTime();
  const found = await rowsOf<{ delivery_id: string }>(
    db,
    'select distinct delivery_id from attempt where started_at >= :first and started_at <= :last and batch_id = :id order by delivery_id',
    { first: new Date(at - slackMs), last: new Date(at + slackMs), id },
  );
  return found.map((row) => row.delivery_id);
}
