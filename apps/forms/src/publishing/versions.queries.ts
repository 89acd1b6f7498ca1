import { fieldTypes, hasParts, maxOptions, plainTypeOf, type Field } from '@sheaf/contracts';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { FormName, PendingRow, PublishedFormRow, VersionRow } from '../rows';

const columns = 'id_of_version(version) as id, form_id, number, published_by_kind, published_by_id, published_at';

/** The version with this number and earlier ones, without their content, which can be large. */
export async function versionsUpTo(
  db: Database,
  formId: string,
  number: number,
  limit: number,
): Promise<Omit<VersionRow, 'fields' | 'payment'>[]> {
  return rowsOf(db, `select ${columns} from version where form_id = ? and number <= ? order by number desc limit ?`, [
    formId,
    number,
    limit,
  ]);
}

export async function version(db: Database, formId: string, number: number): Promise<VersionRow | undefined> {
  const [row] = await rowsOf<VersionRow>(db, `select ${columns}, fields, payment from version where form_id = ? and number = ?`, [
    formId,
    number,
  ]);
  return row;
}

/** A form's draft, with the content of its latest version. */
export async function draftAndPublished(db: Database, formId: string): Promise<PendingRow> {
  const [row] = await rowsOf<PendingRow>(
    db,
    `select d.form_id, d.fields, d.payment, d.revision, d.updated_at,
            v.number as published_version, v.fields as published_fields, v.payment as published_payment
       from draft d join form f on f.id = d.form_id left join version v on v.form_id = f.id and v.number = f.current_version
      where d.form_id = ?`,
    [formId],
  );
  if (!row) throw new Error(`the form ${formId} has no draft`);
  return row;
}

export async function insertVersion(trx: Transaction, version: VersionRow): Promise<void> {
  await trx('version').insert(version);
}

/** The fields of one version as JSON text. */
export async function fieldsOfVersion(db: Database, formId: string, number: number): Promise<string> {
  const [row] = await rowsOf<{ fields: string }>(db, 'select fields from version where form_id = ? and number = ?', [formId, number]);
  if (!row) throw new Error(`the form ${formId} has no version ${number}`);
  return row.fields;
}

/** Every field that some version has, as the newest of these has it: those of the latest version in its order, then the removed ones. */
export async function fieldsOfAllVersions(db: Database, formId: string): Promise<{ key: string; field: string }[]> {
  return rowsOf<{ key: string; field: string }>(
    db,
    `select key, field
       from (select distinct on (field ->> 'key') field ->> 'key' as key, cast(field as text) as field, v.number, place
               from version v cross join json_array_elements(cast(v.fields as json)) with ordinality as f (field, place)
              where v.form_id = ? and field ->> 'key' is not null
              order by field ->> 'key', v.number desc) as latest
      order by number desc, place`,
    [formId],
  );
}

/** The same keys, in any order. */
export const keysOfAllVersions = async (db: Database, formId: string): Promise<string[]> =>
  (
    await rowsOf<{ key: string }>(
      db,
      `select distinct field ->> 'key' as key from version v cross join json_array_elements(cast(v.fields as json)) as f (field)
        where v.form_id = ? and field ->> 'key' is not null`,
      [formId],
    )
  ).map(({ key }) => key);

export interface TypeInVersions {
  type: string;
  versions: number[];
}

/** The types of the fields that had more than one, with the versions that have each, by key. A calculated field has the type whose answers are alike. */
export async function changedTypes(db: Database, formId: string): Promise<ReadonlyMap<string, TypeInVersions[]>> {
  const rows = await rowsOf<{ key: string; types: (Pick<Field, 'type' | 'format'> & { versions: number[] })[] }>(
    db,
    `select key, json_agg(json_build_object('type', type, 'format', format, 'versions', versions) order by type, format) as types
       from (select field ->> 'key' as key, field ->> 'type' as type, coalesce(field ->> 'format', 'number') as format,
                    json_agg(v.number order by v.number) as versions
               from version v cross join json_array_elements(cast(v.fields as json)) as f (field)
              where v.form_id = ? and field ->> 'key' is not null
              group by field ->> 'key', field ->> 'type', coalesce(field ->> 'format', 'number')) as each
      group by key having count(*) > 1`,
    [formId],
  );
  return new Map(rows.map(({ key, types }) => [key, byPlainType(types)] as const).filter(([, types]) => types.length > 1));
}

function byPlainType(types: readonly (Pick<Field, 'type' | 'format'> & { versions: number[] })[]): TypeInVersions[] {
  const versions = new Map<string, number[]>();
  for (const each of types) versions.set(plainTypeOf(each), [...(versions.get(plainTypeOf(each)) ?? []), ...each.versions]);
  return [...versions].map(([type, numbers]) => ({ type, versions: numbers.sort((a, b) => a - b) }));
}

/** The fields whose answers have parts, each as often as versions differ in it, the newest first. */
export const partedFields = (db: Database, formId: string): Promise<{ key: string; field: string }[]> =>
  rowsOf<{ key: string; field: string }>(
    db,
    `select field ->> 'key' as key, cast(field as text) as field
       from version v cross join json_array_elements(cast(v.fields as json)) as f (field)
      where v.form_id = ? and field ->> 'type' = any(?)
      group by field ->> 'key', cast(field as text)
      order by max(v.number) desc`,
    [formId, fieldTypes.filter((type) => hasParts({ type }))],
  );

/**
 * The repeats that some version has, each as often as it had fields: with one of them, as the newest version has it, and with the options that it had in
 * any version. Those of the newest version are first. Only what is needed to show answers is read, as a repeat may be long, and a form has any number of versions.
 */
export const repeatsOfAllVersions = (db: Database, formId: string): Promise<{ key: string; field: string }[]> =>
  rowsOf<{ key: string; field: string }>(
    db,
    `with asked as (
       select field ->> 'key' as key, inner_field ->> 'key' as name, inner_field, v.number, place
         from version v cross join json_array_elements(cast(v.fields as json)) as f (field)
        cross join json_array_elements(field -> 'fields') with ordinality as i (inner_field, place)
        where v.form_id = ? and field ->> 'type' = 'repeat'
     ), newest as (
       select distinct on (key, name) * from asked order by key, name, number desc
     ), offered as (
       select distinct on (key, name, value) *
         from (select key, name, number, option, at, coalesce(option ->> 'value', option -> 'option' ->> 'value') as value
                 from asked cross join json_array_elements(inner_field -> 'options') with ordinality as o (option, at)) as each
        order by key, name, value, number desc
     ), options as (
       select key, name, json_agg(option order by nth) as options
         from (select *, row_number() over (partition by key, name order by number desc, at) as nth from offered) as each
        where nth <= ?
        group by key, name
     )
     select key, cast(json_build_object('key', key, 'label', key, 'type', 'repeat', 'fields', json_build_array(json_strip_nulls(json_build_object(
              'key', name, 'label', inner_field -> 'label', 'type', inner_field -> 'type', 'format', inner_field -> 'format',
              'must_be_true', inner_field -> 'must_be_true', 'translations', inner_field -> 'translations', 'options', options)))) as text) as field
       from newest left join options using (key, name)
      order by number desc, place`,
    [formId, maxOptions],
  );

/** The fields of the draft, in its order. */
export const fieldsOfDraft = (db: Database, formId: string): Promise<{ key: string; field: string }[]> =>
  rowsOf<{ key: string; field: string }>(
    db,
    `select field ->> 'key' as key, cast(field as text) as field
       from draft d cross join json_array_elements(cast(d.fields as json)) with ordinality as f (field, place)
      where d.form_id = ? and field ->> 'key' is not null order by place`,
    [formId],
  );

/** The form as published: its latest version, or the given one. Undefined if it has no such version or is in the trash. */
export async function publishedForm(
  db: Database,
  instanceId: string,
  by: FormName,
  version: number | undefined,
): Promise<PublishedFormRow | undefined> {
  const [condition, value] = 'id' in by ? ['f.id = ?', by.id] : ['f.slug = ?', by.slug];
  const [row] = await rowsOf<PublishedFormRow>(
    db,
    `select f.id, f.title, f.status, f.opens_at, f.closes_at, f.max_submissions, f.closed_message, f.timezone,
            id_of_version(v) as version_id, v.number as version, v.published_at, v.fields, v.payment, coalesce(s.settings, '{}') as settings
       from form f join version v on v.form_id = f.id and v.number = coalesce(cast(? as integer), f.current_version)
       left join form_settings s on s.form_id = f.id
      where f.instance_id = ? and ${condition} and f.status <> 'trashed'`,
    [version ?? null, instanceId, value],
  );
  return row;
}
