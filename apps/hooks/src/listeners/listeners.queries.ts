import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { SubscriptionRow } from '../subscription/subscriptions.queries';

export interface Topic {
  instanceId: string;
  formId: string;
  event: string;
}

/** A subscription to a topic: the columns that `delivery` needs, with the form and the event of the topic. */
export interface ListenerRow extends Pick<
  SubscriptionRow,
  'id' | 'instance_id' | 'event' | 'url' | 'revision' | 'payload' | 'link_origin' | 'source' | 'retry' | 'options'
> {
  form_id: string;
  /** All events that it listens to. */
  events: string[];
  /** Whether it listens to other forms, too. */
  wide: boolean;
  active: boolean;
}

/**
 * The subscriptions to the topics, active or not, and the forms whose unknown workspace may have more, in one statement however many topics there
 * are.
 */
export async function listenersTo(db: Database, topics: readonly Topic[]): Promise<{ listeners: ListenerRow[]; unplaced: string[] }> {
  const columns =
    's.id, s.instance_id, topic.form_id, topic.event, s.url, s.revision, s.form_id is null as wide, s.payload, s.link_origin, s.source, s.retry, s.options, s.active, array_prepend(s.event, s.more_events) as events';
  const isListening = 's.instance_id = topic.instance_id and (s.event = topic.event or topic.event = any(s.more_events))';
  const rows = await rowsOf<ListenerRow | { id: null; form_id: string }>(
    db,
    `with topic as materialized (select distinct * from unnest(?::uuid[], ?::uuid[], ?::text[]) as t (instance_id, form_id, event)),
     placed as materialized (select topic.*, p.workspace_id from topic left join form_place p on p.form_id = topic.form_id)
     select ${columns} from topic join subscription s on s.form_id = topic.form_id and ${isListening}
      union all
     select ${columns} from topic join subscription s on s.form_id is null and s.workspace_id is null and ${isListening}
      union all
     select ${columns} from placed as topic join subscription s on s.form_id is null and s.workspace_id = topic.workspace_id and ${isListening}
      union all
     select null, null, topic.form_id, null, null, null, null, null, null, null, null, null, null, null from placed as topic
      where topic.workspace_id is null
        and exists (select from subscription s where s.form_id is null and s.workspace_id is not null and ${isListening})
      order by id`,
    [topics.map(({ instanceId }) => instanceId), topics.map(({ formId }) => formId), topics.map(({ event }) => event)],
  );
  return {
    listeners: rows.filter((row): row is ListenerRow => row.id !== null),
    unplaced: [...new Set(rows.flatMap(({ id, form_id: formId }) => (id === null ? formId : [])))],
  };
}

export interface FormPlace {
  formId: string;
  workspaceId: string;
}

/** Records the workspaces of forms. A place that is known already stays: it may come from a move that is newer than these. */
export async function insertPlaces(db: Database, places: readonly FormPlace[]): Promise<void> {
  await rowsOf(
    db,
    `insert into form_place (form_id, workspace_id) select distinct on (form_id) * from unnest(?::uuid[], ?::uuid[]) as p (form_id, workspace_id)
      order by form_id on conflict do nothing`,
    [places.map(({ formId }) => formId), places.map(({ workspaceId }) => workspaceId)],
  );
}

/** Records the workspace that a form has moved to. */
export async function movePlace(trx: Transaction, { formId, workspaceId }: FormPlace): Promise<void> {
  await trx('form_place').insert({ form_id: formId, workspace_id: workspaceId }).onConflict('form_id').merge();
}

export const deletePlace = (trx: Transaction, formId: string): Promise<unknown> => trx('form_place').where({ form_id: formId }).delete();
