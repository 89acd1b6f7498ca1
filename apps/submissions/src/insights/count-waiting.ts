import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '@sheaf/postgres';
import {
  Changes,
  countedFor,
  generationsOf,
  isAnythingWaiting,
  read,
  remember,
  takeNextOfForm,
  takePending,
  tryLockCounts,
  type Source,
} from './count.queries';
import { countersOf } from './counters';
import type { VersionName } from '../form/forms-view';
import { addUnknownVersions, keyOf, keysOfVersions } from './versions.queries';

/** Submissions that one transaction counts: the process does nothing else meanwhile for a few milliseconds. */
const batchSize = 200;
/** Bytes of answers that are in memory at a time. */
const maxBytes = 4_194_304;
/** The pause after each step through all submissions of a form. They are not urgent, and may be millions. */
const pauseMs = 20;

/** Counts the submissions that wait for it. In one process at a time; the others find nothing to do. */
export async function countWaiting({ db }: { db: Database }, stopping: AbortSignal): Promise<void> {
  if (!(await isAnythingWaiting(db))) return;
  let kind: Batch['kind'];
  do {
    ({ kind } = await db.transaction(async (trx): Promise<Batch> => {
      if (!(await tryLockCounts(trx))) return { kind: 'none' };
      const batch = await nextBatch(trx);
      await countAll(trx, batch.kind === 'none' ? [] : batch.ids);
      return batch;
    }));
    if (kind === 'known') await sleep(pauseMs);
  } while (kind !== 'none' && !stopping.aborted);
}

type Batch = { kind: 'waiting' | 'known'; ids: string[] } | { kind: 'none' };

async function nextBatch(trx: Transaction): Promise<Batch> {
  const waiting = await takePending(trx, batchSize);
  if (waiting.length > 0) return { kind: 'waiting', ids: waiting };
  const known = await takeNextOfForm(trx, batchSize);
  return known ? { kind: 'known', ids: known } : { kind: 'none' };
}

async function countAll(trx: Transaction, ids: readonly string[]): Promise<void> {
  for (let remaining = ids; remaining.length > 0;) {
    const sources = await read(trx, remaining, maxBytes);
    const last = sources.at(-1);
    // Those between them that were not read are in the trash, spam or erased.
    const end = last ? remaining.indexOf(last.id) + 1 : remaining.length;
    await count(trx, remaining.slice(0, end), sources);
    remaining = remaining.slice(end);
  }
}

const versionOf = ({ form_id, schema_version, version_id }: Source): VersionName => ({
  formId: form_id,
  version: schema_version,
  versionId: version_id ?? undefined,
});

/** Takes out what was counted for these submissions, and counts those of them that are listed. */
async function count(trx: Transaction, ids: readonly string[], sources: readonly Source[]): Promise<void> {
  const generations = await generationsOf(trx, [...new Set(sources.map(({ form_id }) => form_id))]);
  const versions = new Map(
    sources.map((source) => {
      const name = versionOf(source);
      return [keyOf(name), name] as const;
    }),
  );
  const keys = await keysOfVersions(trx, [...versions.values()]);
  const unknown = [...versions].flatMap(([name, version]) => (keys.has(name) ? [] : [version]));
  if (unknown.length > 0) await addUnknownVersions(trx, unknown);

  const before = new Map((await countedFor(trx, ids)).map((counted) => [counted.submission_id, counted]));
  const after = sources.map((source) => {
    const { id, form_id, status, quarter, data } = source;
    const answers = JSON.parse(data) as Record<string, unknown>;
    const version = source.version_id ?? String(source.schema_version);
    const counters = JSON.stringify(countersOf({ status, quarter, version, answers }, keys.get(keyOf(versionOf(source)))));
    return { submission_id: id, form_id, generation: generations.get(form_id) ?? 1, counters };
  });
  const changed = after.filter(({ submission_id, counters }) => before.get(submission_id)?.counters !== counters);
  const listed = new Set(sources.map(({ id }) => id));
  const gone = ids.filter((id) => !listed.has(id));

  const changes = new Changes();
  const parse = (counters: string) => JSON.parse(counters) as string[];
  for (const id of [...gone, ...changed.map(({ submission_id }) => submission_id)]) {
    const counted = before.get(id);
    if (counted) changes.add(counted.form_id, parse(counted.counters), -1);
  }
  for (const { form_id, counters } of changed) changes.add(form_id, parse(counters), 1);
  await changes.write(trx);
  await remember(trx, changed, gone);
}
