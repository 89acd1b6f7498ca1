import { rowsOf, type Database } from '@sheaf/postgres';
import type { CountedKeys } from './counters';

export interface VersionName {
  formId: string;
  version: number;
}

/** The keys of these versions by `<form id>:<version>`, without those that are unknown. */
export async function keysOfVersions(db: Database, versions: readonly VersionName[]): Promise<Map<string, CountedKeys>> {
  const rows = await rowsOf<{ form_id: string; version: number; options: string[]; whole_numbers: string[]; numbers: string[] }>(
    db,
    `select form_id, version, options, whole_numbers, numbers from insight_version
       join unnest(cast(? as uuid[]), cast(? as integer[])) as wanted (form_id, version) using (form_id, version)`,
    [versions.map(({ formId }) => formId), versions.map(({ version }) => version)],
  );
  return new Map(
    rows.map(({ form_id, version, options, whole_numbers, numbers }) => [
      `${form_id}:${version}`,
      { options: new Set(options), wholeNumbers: new Set(whole_numbers), numbers: new Set(numbers) },
    ]),
  );
}

/** Stores the keys of a version. If submissions of it were met before, those of the form are counted again. */
export const saveVersion = (db: Database, { formId, version }: VersionName, keys: CountedKeys): Promise<unknown> =>
  rowsOf(
    db,
    `with known as (
       insert into insight_version (form_id, version, options, whole_numbers, numbers)
       values (:formId, :version, cast(:options as text[]), cast(:wholeNumbers as text[]), cast(:numbers as text[]))
       on conflict do nothing
     ), found as (
       delete from insight_missing_version where form_id = :formId and version = :version returning form_id
     )
     update insight_form set walk_created_at = 'infinity', walk_id = form_id where form_id in (select form_id from found)`,
    { formId, version, options: [...keys.options], wholeNumbers: [...keys.wholeNumbers], numbers: [...keys.numbers] },
  );

/** Some versions of the form that were met in submissions and whose fields are unknown. */
export async function missingVersions(db: Database, formId: string, max: number): Promise<number[]> {
  const rows = await rowsOf<{ version: number }>(
    db,
    'select version from insight_missing_version where form_id = ? order by version desc limit ?',
    [formId, max],
  );
  return rows.map(({ version }) => version);
}

export const addMissingVersions = (db: Database, versions: readonly VersionName[]): Promise<unknown> =>
  rowsOf(
    db,
    'insert into insight_missing_version (form_id, version) select * from unnest(cast(? as uuid[]), cast(? as integer[])) on conflict do nothing',
    [versions.map(({ formId }) => formId), versions.map(({ version }) => version)],
  );
