import { Submission } from '@sheaf/contracts';
import { newId, type Caller } from '@sheaf/kernel';
import { aUser, callAs, eventually } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
const { clock, instanceId, workspaceId, viewer } = started;

let db: Started['db'];
let client: Started['client'];
beforeAll(async () => {
  ({ db, client } = await started.start());
});
afterAll(() => started.stop());

/** A form with `count` submissions, newest first; several share a `created_at`, which is finer than a millisecond. */
async function formWith(count: number, filling = 0): Promise<string> {
  const form = started.aForm();
  await db.raw(
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
     select gen_random_uuid(), ?, ?, json_build_object('n', n, 'filling', repeat('x', ?)), 1, case n % 2 when 0 then 'new' else 'approved' end,
            timestamptz '2026-06-01' - (n / 3) * interval '7 microseconds'
       from generate_series(1, ?) n`,
    [instanceId, form, filling, count],
  );
  return form;
}

interface Line {
  id: string;
  data: { n: number };
}
const exporting = (form_id: string, more: { status?: string; format?: string } = {}, as: Caller = viewer) =>
  client.exportSubmissions(callAs(as), { form_id, format: 'ndjson', ...more });
async function read(chunks: AsyncIterable<{ data: Buffer }>): Promise<Line[]> {
  const parts: Buffer[] = [];
  for await (const { data } of chunks) parts.push(data);
  return Buffer.concat(parts)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

it('a submission has the shape of the contract whether it is read, listed or exported', async () => {
  const shape = Submission.strict();
  const form = started.aForm();
  const { id } = await started.submit(form, { name: 'Zoë "\n" ☃', stars: 1 });
  // Finer than a millisecond, and with white space between the answers.
  await db.raw(
    `update submission set created_at = created_at + interval '789 microseconds', data = '{"name": "Zoë \\"\\n\\" ☃",\n "stars": 1.0}' where id = ?`,
    [id],
  );

  const { data, schema_version, status, created_at } = await client.getSubmission(callAs(viewer), { form_id: form, id });
  const one = shape.parse({ id, form_id: form, data: JSON.parse(data.toString()) as unknown, schema_version, status, created_at });
  const { json } = await client.listSubmissions(callAs(viewer), { form_id: form, limit: 10, offset: 0, as_json: true });
  expect((JSON.parse(String(json)) as unknown[]).map((listed) => shape.parse(listed))).toEqual([one]);
  expect((await read(exporting(form))).map((line) => shape.parse(line))).toEqual([one]);
});

describe('an export', () => {
  it('has every submission once, in list order, across batches', async () => {
    const form = await formWith(1_300);
    const lines = await read(exporting(form));
    expect(new Set(lines.map(({ id }) => id)).size).toBe(1_300);

    const listed: string[] = [];
    for (let offset = 0; offset < 1_300; offset += 100) {
      listed.push(...(await client.listSubmissions(callAs(viewer), { form_id: form, limit: 100, offset })).submissions.map(({ id }) => id));
    }
    expect(lines.map(({ id }) => id)).toEqual(listed);
    expect(await read(exporting(form, { status: 'approved' }))).toEqual(lines.filter(({ data }) => data.n % 2 === 1));
  });

  it('sends large submissions in small chunks', async () => {
    const form = await formWith(20, 400_000);
    const sizes: number[] = [];
    for await (const { data } of exporting(form)) sizes.push(data.length);
    expect(sizes).toEqual(Array.from({ length: 10 }, () => expect.any(Number) as number));
    expect(Math.max(...sizes)).toBeLessThan(1_000_000);
  });

  it('omits submissions that arrived after it began or were trashed before their turn', async () => {
    // Several times what the client and the connection buffer before anybody reads.
    const form = await formWith(3_000, 10_000);
    const iterator = exporting(form)[Symbol.asyncIterator]();
    const first = (await iterator.next()).value as { data: Buffer };
    await db('submission').where({ form_id: form }).whereRaw("(data ->> 'n')::int = 3000").update({ deleted_at: clock.now() });
    await db.raw(
      `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
       values (gen_random_uuid(), ?, ?, '{"n": 0}', 1, 'new', '2026-06-02')`,
      [instanceId, form],
    );
    const lines = await read(
      (async function* () {
        yield first;
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
      })(),
    );
    expect(lines.map(({ data }) => data.n).sort((a, b) => a - b)).toEqual(Array.from({ length: 2_999 }, (_, index) => index + 1));
  });

  it('holds no database connection while the client does not read', async () => {
    const form = await formWith(20_000, 5_000);
    const iterator = exporting(form)[Symbol.asyncIterator]();
    await iterator.next();
    const busy = async () =>
      (
        await db.raw<{ rows: { busy: number }[] }>(
          `select count(*)::int as busy from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and query like '%octet_length%'`,
        )
      ).rows[0]?.busy;
    await eventually(async () => expect(await busy()).toBe(0));
    await iterator.return?.();
  });

  it('omits the trash and the spam', async () => {
    const form = await formWith(4);
    await db('submission').where({ form_id: form }).whereRaw("data->>'n' = '2'").update({ deleted_at: clock.now() });
    await db('submission').where({ form_id: form }).whereRaw("data->>'n' = '3'").update({ spam_at: clock.now(), spam_reason: 'links' });
    expect((await read(exporting(form))).map(({ data: { n } }) => n).sort()).toEqual([1, 4]);
  });

  it.each([false, true])('refuses a workbook with more columns than readers take, and offers CSV; without data: %s', async (head) => {
    const fieldsOf = (count: number) =>
      Buffer.from(JSON.stringify(Array.from({ length: count }, (_, at) => ({ key: `k${at}`, label: 'K', type: 'short_text' }))));
    // Besides these there are the submission's own columns, and a key of an earlier version.
    const [fits, tooWide] = [16_384 - 4 - 1, 16_384 - 4].map((count) => started.aForm({ fields: fieldsOf(count) }));
    const first = (form_id = '', format = 'xlsx') =>
      client.exportSubmissions(callAs(viewer), { form_id, format, head })[Symbol.asyncIterator]().next();
    await expect(first(fits)).resolves.toBeDefined();
    await expect(first(tooWide, 'csv')).resolves.toBeDefined();
    await expect(first(tooWide)).rejects.toMatchObject({
      code: 'bad_request',
      message: 'format: a sheet has at most 16384 columns, but the versions of this form need 16385; csv has no such limit',
    });
  });

  it('requires a role on the form, and finds no form of another instance', async () => {
    const form = await formWith(1);
    const first = (as: Caller, more = {}) => exporting(form, more, as)[Symbol.asyncIterator]().next();
    await expect(first(viewer)).resolves.toMatchObject({ done: false });
    await expect(first(aUser({ instanceId }))).rejects.toMatchObject({
      code: 'forbidden',
      message: 'Your role does not allow you to read submissions of this form.',
    });
    await expect(first(aUser({ instanceId: newId(), roles: { [workspaceId]: 'owner' } }))).rejects.toMatchObject({ code: 'not_found' });
    await expect(first({ kind: 'respondent', instanceId })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(first(viewer, { format: 'pdf' })).rejects.toMatchObject({
      code: 'bad_request',
      message: 'format: must be one of csv, xlsx, ndjson, zip',
    });
  });
});
