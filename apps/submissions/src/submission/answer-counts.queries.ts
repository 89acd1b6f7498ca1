import { rowsOf, type Database } from '@sheaf/postgres';

/** Values of options of the field with this key. */
export interface ChosenOptions {
  key: string;
  options: readonly string[];
}

/**
 * The number of listed submissions with an answer under each key, and of those that chose one of the options, among the newest ones within the
 * limits. An answer to a matrix has chosen its rows, too. `bytes` limits the stored size, which is known without unpacking an answer. Options are sought as keys of an object, because a field
 * may have 1,000 of them, and comparing each with each chosen one would take seconds.
 * @returns no count for a key without answers; `complete` unless the limits left out submissions.
 */
export async function answerCounts(
  db: Database,
  formId: string,
  { keys, options }: { keys: readonly string[]; options: readonly ChosenOptions[] },
  most: { rows: number; bytes: number },
): Promise<{ answered: ReadonlyMap<string, number>; chosen: ReadonlyMap<string, number>; complete: boolean }> {
  const rows = await rowsOf<{ key: string | null; is_chosen: boolean | null; submissions: number; complete: boolean }>(
    db,
    `with sought as materialized (
       select key, (select jsonb_object_agg(option, true) from json_array_elements_text(options) as given (option)) as options
         from json_to_recordset(cast(:options as json)) as field (key text, options json)
     )
     select key, is_chosen, count(*)::int as submissions, bool_and(fits) as complete
       from (select data, row_number() over (rows unbounded preceding) <= :rows
                          and sum(pg_column_size(data)) over (rows unbounded preceding) <= :bytes as fits
               from (select data from submission where form_id = :formId and deleted_at is null and spam_at is null
                      order by created_at desc, id desc limit cast(:rows as int) + 1) as newest) as measured
       left join lateral (
         select key, false as is_chosen from json_object_keys(case when fits then data end) as found (key)
          where key = any(cast(:keys as text[]))
         union all
         select key, true from json_each(case when fits and exists (select from sought) then data end) as answer (key, value)
           join sought using (key)
          where exists (
            select from json_array_elements_text(case json_typeof(value) when 'array' then value else json_build_array(value) end) as chosen (option)
             where jsonb_exists(sought.options, option))
             or exists (
            select from json_each(case json_typeof(value) when 'object' then value end) as cell (row, columns)
             where jsonb_exists(sought.options, row)
                or exists (
               select from json_array_elements_text(case json_typeof(columns) when 'array' then columns else json_build_array(columns) end) as chosen (option)
                where jsonb_exists(sought.options, option)))
       ) as counted on true
      group by key, is_chosen`,
    { formId, keys: [...keys], options: JSON.stringify(options), ...most },
  );
  const countsOf = (isChosen: boolean) =>
    new Map(rows.flatMap((row) => (row.key === null || row.is_chosen !== isChosen ? [] : [[row.key, row.submissions] as const])));
  return { answered: countsOf(false), chosen: countsOf(true), complete: rows.every(({ complete }) => complete) };
}
