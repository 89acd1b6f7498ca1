import { rowsOf, type Database } from '@sheaf/postgres';

export interface ListenerOfForm {
  id: string;
  events: string[];
  host: string;
  active: boolean;
  created_at: Date;
  deactivated_at: Date | null;
  deactivated_reason: string | null;
  deactivated_detail: string | null;
}

/** For operators: who hears of a form, by itself, its workspace or the instance, without what is secret in an address. */
export const listenersOfForm = (db: Database, { form, instance }: { form: string; instance: string }): Promise<ListenerOfForm[]> =>
  rowsOf<ListenerOfForm>(
    db,
    `with found as (
       select * from subscription where form_id = :form
        union all
       select * from subscription where form_id is null and instance_id = :instance
          and (workspace_id is null or workspace_id = (select workspace_id from form_place where form_id = :form))
     )
     select id, array_prepend(event, more_events) as events, substring(url from '://([^/?#]+)') as host, active, created_at,
            deactivated_at, deactivated_reason, deactivated_detail
       from found order by created_at, id limit 1000`,
    { form, instance },
  );
