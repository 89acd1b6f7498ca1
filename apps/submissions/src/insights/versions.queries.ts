import { rowsOf, type Database } from '@sheaf/postgres';
import type { VersionName } from '../form/forms-view';
import type { CountedKeys } from './counters';
import { walkAgain } from './count.queries';
import type { ConditionalItem, Questions } from './questions';

/** The name of a version in a map: its id, or its number where the id is unknown. */
export const keyOf = ({ formId, version, versionId }: VersionName): string => versionId ?? `${formId}:${version}`;

/** The keys of these versions by `keyOf`, without those that are unknown. */
export async function keysOfVersions(db: Database, versions: readonly VersionName[]): Promise<Map<string, CountedKeys>> {
  const byNumber = versions.filter(({ versionId }) => versionId === undefined);
  const rows = await rowsOf<StoredKeys & { name: string }>(
    db,
    `select cast(version_id as text) as name, options, whole_numbers, numbers, rankings, matrices, keys, conditional from insight_version_by_id
      where version_id = any(cast(? as uuid[])) and options is not null
     union all
     select form_id || ':' || version, options, whole_numbers, numbers, rankings, matrices, keys, conditional from insight_version
       join unnest(cast(? as uuid[]), cast(? as integer[])) as wanted (form_id, version) using (form_id, version)`,
    [versions.flatMap(({ versionId }) => versionId ?? []), byNumber.map(({ formId }) => formId), byNumber.map(({ version }) => version)],
  );
  return new Map(
    rows.map(({ name, options, whole_numbers, numbers, rankings, matrices, ...stored }) => [
      name,
      {
        options: new Set(options),
        wholeNumbers: new Set(whole_numbers),
        numbers: new Set(numbers),
        rankings: new Set(rankings),
        matrices: new Set(matrices ?? []),
        questions: questionsOf(stored),
      },
    ]),
  );
}

interface StoredKeys {
  options: string[];
  whole_numbers: string[];
  numbers: string[];
  rankings: string[];
  matrices: string[] | null;
  keys: string[] | null;
  conditional: string | null;
}

function questionsOf({ keys, conditional }: Pick<StoredKeys, 'keys' | 'conditional'>): Questions | undefined {
  if (!keys) return undefined;
  return { keys, conditional: conditional === null ? undefined : (JSON.parse(conditional) as ConditionalItem[]) };
}

/**
 * Stores the keys of a version. If submissions of it were met before, or an earlier release stored fewer of its facts or knew fewer of its fields, those of
 * the form are counted again. By its number only if none is known by that, and no other version had it: submissions without the id of their version are older than any that was
 * published anew.
 */
export const saveVersion = (
  db: Database,
  { formId, version, versionId }: VersionName,
  { questions, ...keys }: CountedKeys & { questions: Questions },
): Promise<unknown> =>
  rowsOf(
    db,
    `with other as (
       select from insight_version_by_id where form_id = :formId and version = :version and version_id <> cast(:versionId as uuid)
     ), known as (
       insert into insight_version as v (form_id, version, options, whole_numbers, numbers, rankings, matrices, keys, conditional)
       select cast(:formId as uuid), cast(:version as integer), cast(:options as text[]), cast(:wholeNumbers as text[]), cast(:numbers as text[]),
              cast(:rankings as text[]), cast(:matrices as text[]), cast(:keys as text[]), :conditional
        where not exists (select from other)
       on conflict (form_id, version) do update
         set options = excluded.options, whole_numbers = excluded.whole_numbers, numbers = excluded.numbers, rankings = excluded.rankings,
             matrices = excluded.matrices, keys = excluded.keys, conditional = excluded.conditional, missing_since = null
         where v.keys is null or cardinality(v.keys) < cardinality(excluded.keys)
     ), met as (
       select form_id from insight_version_by_id where version_id = cast(:versionId as uuid) and (keys is null or cardinality(keys) < cardinality(cast(:keys as text[])))
       union all
       select form_id from insight_version where form_id = :formId and version = :version and (keys is null or cardinality(keys) < cardinality(cast(:keys as text[])))
          and not exists (select from other)
     ), known_by_id as (
       insert into insight_version_by_id as v (version_id, form_id, version, options, whole_numbers, numbers, rankings, matrices, keys, conditional)
       select cast(:versionId as uuid), :formId, :version, cast(:options as text[]), cast(:wholeNumbers as text[]), cast(:numbers as text[]), cast(:rankings as text[]),
              cast(:matrices as text[]), cast(:keys as text[]), :conditional
        where cast(:versionId as uuid) is not null
       on conflict (version_id) do update
         set options = excluded.options, whole_numbers = excluded.whole_numbers, numbers = excluded.numbers, rankings = excluded.rankings,
             matrices = excluded.matrices, keys = excluded.keys, conditional = excluded.conditional, missing_since = null
         where v.keys is null or v.missing_since is not null or cardinality(v.keys) < cardinality(excluded.keys)
     ), found as (
       delete from insight_missing_version where form_id = :formId and version = :version and not exists (select from other) returning form_id
     )
     ${walkAgain} where form_id in (select form_id from found union all select form_id from met)`,
    {
      formId,
      version,
      versionId: versionId ?? null,
      options: [...keys.options],
      wholeNumbers: [...keys.wholeNumbers],
      numbers: [...keys.numbers],
      rankings: [...keys.rankings],
      matrices: [...keys.matrices],
      keys: [...questions.keys],
      conditional: questions.conditional ? JSON.stringify(questions.conditional) : null,
    },
  );

/** Some versions of the form that were met in submissions and whose fields are unknown, or of which an earlier release stored fewer facts. */
export async function unknownVersions(db: Database, formId: string, max: number): Promise<VersionName[]> {
  const rows = await rowsOf<{ version: number; version_id: string | null }>(
    db,
    `select version, version_id from insight_version_by_id where form_id = :formId and keys is null and missing_since is null
     union all
     select version, null from insight_missing_version where form_id = :formId
     union all
     -- From before versions had ids. Those of others come back under their ids.
     select version, null from insight_version v where form_id = :formId and keys is null and missing_since is null
        and not exists (select from insight_version_by_id i where i.form_id = v.form_id and i.version = v.version)
     order by version desc limit :max`,
    { formId, max },
  );
  return rows.map(({ version, version_id }) => ({ formId, version, versionId: version_id ?? undefined }));
}

export const addUnknownVersions = async (db: Database, versions: readonly VersionName[]): Promise<void> => {
  const byId = versions.flatMap(({ versionId, ...name }) => (versionId === undefined ? [] : [{ ...name, versionId }]));
  if (byId.length > 0)
    await rowsOf(
      db,
      `insert into insight_version_by_id (version_id, form_id, version)
       select * from unnest(cast(? as uuid[]), cast(? as uuid[]), cast(? as integer[])) on conflict do nothing`,
      [byId.map(({ versionId }) => versionId), byId.map(({ formId }) => formId), byId.map(({ version }) => version)],
    );
  const byNumber = versions.filter(({ versionId }) => versionId === undefined);
  if (byNumber.length > 0)
    await rowsOf(
      db,
      'insert into insight_missing_version (form_id, version) select * from unnest(cast(? as uuid[]), cast(? as integer[])) on conflict do nothing',
      [byNumber.map(({ formId }) => formId), byNumber.map(({ version }) => version)],
    );
};

/** Remembers that the forms have a version no more, so that nobody asks for it again. */
export const noteMissing = (db: Database, { formId, version, versionId }: VersionName, now: Date): Promise<unknown> =>
  versionId === undefined
    ? rowsOf(
        db,
        `with gone as (delete from insight_missing_version where form_id = :formId and version = :version)
         update insight_version set missing_since = :now where form_id = :formId and version = :version and keys is null`,
        { formId, version, now },
      )
    : rowsOf(db, 'update insight_version_by_id set missing_since = ? where version_id = ? and missing_since is null', [now, versionId]);
