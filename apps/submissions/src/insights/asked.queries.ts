import { readOf, type Database } from '@sheaf/postgres';
import type { Count } from './insights.queries';

/** The counts of some submissions from which it follows who was asked. */
interface CountedVersions {
  formId: string;
  keys: readonly string[];
  /** How many there are. */
  submissions: number;
  /** Those of each version. */
  versions: readonly Count[];
  /** Those whose answers hid a field. */
  hidden: readonly Count[];
}

/**
 * How many of these submissions were asked each field: those whose version has it, without those whose answers hid it.
 * @returns undefined if that cannot be told of all of them
 */
export async function askedOf(
  db: Database,
  { formId, keys, submissions, versions, hidden }: CountedVersions,
): Promise<ReadonlyMap<string, number> | undefined> {
  if (sumOf(versions) !== submissions) return undefined;
  const byId = versions.filter(({ item }) => item.includes('-'));
  const byNumber = versions.filter(({ item }) => /^\d+$/.test(item));
  const rows = await readOf<{ key: string | null; submissions: number }>(
    db,
    `with known as (
       select v.keys, counted.submissions
         from unnest(cast(:ids as uuid[]), cast(:ofIds as bigint[])) as counted (version_id, submissions)
         join insight_version_by_id v using (version_id) where v.keys is not null
       union all
       select v.keys, counted.submissions
         from unnest(cast(:numbers as integer[]), cast(:ofNumbers as bigint[])) as counted (version, submissions)
         join insight_version v on v.form_id = :formId and v.version = counted.version where v.keys is not null
     )
     select null as key, coalesce(sum(submissions), 0)::bigint as submissions from known
     union all
     select key, sum(submissions)::bigint from known cross join unnest(known.keys) as key where key = any(cast(:keys as text[])) group by key`,
    {
      formId,
      keys: [...keys],
      ids: byId.map(({ item }) => item),
      ofIds: byId.map((counted) => counted.submissions),
      numbers: byNumber.map(({ item }) => Number(item)),
      ofNumbers: byNumber.map((counted) => counted.submissions),
    },
  );
  const had = new Map(rows.map((row) => [row.key, row.submissions]));
  if (had.get(null) !== submissions) return undefined;
  const hiddenFrom = new Map(hidden.map((counted) => [counted.key, counted.submissions]));
  return new Map(keys.map((key) => [key, (had.get(key) ?? 0) - (hiddenFrom.get(key) ?? 0)]));
}

export const sumOf = (counts: readonly Count[]): number => counts.reduce((sum, { submissions }) => sum + submissions, 0);
