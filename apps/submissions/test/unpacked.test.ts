import type { Database } from '@sheaf/postgres';
import { callAs } from '@sheaf/testing';
import { exportSubmissions } from '../src/export/export-submissions';
import { answersOf, list, listAsJson } from '../src/list/list.queries';
import { listSpam, listTrash } from '../src/submission/submissions.queries';
import { Started } from './started';

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());

const count = 40;
/** SQL for 400 kB of text. */
const texts = {
  'compress well': "repeat('x', 400000)",
  'hardly compress': "(select string_agg(md5(n::text || k::text), '') from generate_series(1, 12500) k)",
};

async function aFormWith(text: string, where: 'list' | 'trash' | 'spam' = 'list'): Promise<string> {
  const form = started.aForm();
  await started.db.raw(
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, deleted_at, spam_at)
     select gen_random_uuid(), ?, ?, json_build_object('text', ${text}), 1, 'new', timestamptz '2026-06-01' - n * interval '1 s',
            ${where === 'trash' ? 'now()' : 'null'}, ${where === 'spam' ? 'now()' : 'null'}
       from generate_series(1, ?) n`,
    [started.instanceId, form, count],
  );
  return form;
}

/** How often PostgreSQL fetches answers from its storage for large values. */
const unpacking = (work: (db: Database) => Promise<unknown>): Promise<number> =>
  started.db.transaction(async (trx) => {
    const before = await fetches(trx);
    await work(trx);
    return (await fetches(trx)) - before;
  });

const fetches = async (db: Database): Promise<number> => {
  const { rows } = await db.raw<{ rows: { idx_scan: number }[] }>(
    "select idx_scan::int from pg_stat_xact_all_tables where relid = (select reltoastrelid from pg_class where relname = 'submission' and relkind = 'r')",
  );
  return rows[0]?.idx_scan ?? 0;
};

const readAll = async (db: Database, formId: string) => {
  let bytes = 0;
  for await (const part of exportSubmissions(
    { ...started.deps, db },
    { caller: started.viewer, call: callAs(started.viewer) },
    { formId, format: 'ndjson', statuses: undefined, filters: [], labels: false, head: false },
  ))
    bytes += part.length;
  return bytes;
};

it.each(Object.entries(texts))('an export of large answers that %s unpacks about as much as it sends', async (_, text) => {
  const form = await aFormWith(text);
  const unpacked = await unpacking(async (db) => expect(await readAll(db, form)).toBeGreaterThan(count * 400_000));
  expect(unpacked).toBeGreaterThanOrEqual(count);
  expect(unpacked).toBeLessThanOrEqual(4 * count);
});

const page = { limit: count, offset: 0, maxBytes: 1_000_000 };
it.each([
  ['the list', 'list', (db: Database, form: string) => list(db, form, { ...page, status: undefined })],
  ['the list as JSON', 'list', (db: Database, form: string) => listAsJson(db, form, { ...page, status: undefined })],
  ['the trash', 'trash', (db: Database, form: string) => listTrash(db, form, page)],
  ['the spam', 'spam', (db: Database, form: string) => listSpam(db, form, page)],
  [
    'the remaining answers',
    'list',
    async (db: Database, form: string) => {
      const { rows } = await db.raw<{ rows: { id: string }[] }>('select id from submission where form_id = ?', [form]);
      return answersOf(
        db,
        form,
        rows.map(({ id }) => id),
        page.maxBytes,
      );
    },
  ],
] as const)('a page of %s does not unpack large answers that do not fit', async (_, where, read) => {
  const form = await aFormWith(texts['hardly compress'], where);
  expect(await unpacking((db) => read(db, form))).toBeLessThanOrEqual(6);
});
