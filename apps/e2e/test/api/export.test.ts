import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@sheaf/kernel';
import type { Person } from '@sheaf/testing';
import { eventually, propertyRuns, superuserOf } from '@sheaf/testing';
import * as given from '../../support/given';
import { anyone, asMember, asOwner, asOwnerSignedIn, asServiceAccount, credentials } from '../../support/people';

const dataDir = process.env.E2E_DATA_DIR ?? '';
const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'stars', label: 'Stars', type: 'rating' },
];
const path = (form: string, query = '') => `/app/v1/forms/${form}/submissions/export${query}`;

/** Publishes the form with changed fields. */
async function publish(form: string, changed: unknown[]): Promise<void> {
  const { revision } = (await asOwner.get(`/app/v1/forms/${form}/draft`)).body as {
    revision: number;
  };
  await asOwner.put(`/app/v1/forms/${form}/draft`, { fields: changed, revision });
  expect(await asOwner.post(`/api/v1/forms/${form}/publish`)).toMatchObject({ status: 200 });
}

describe('an export', () => {
  it('has a column for each field of any version, removed fields last, and the newest submission first', async () => {
    const form = await given.publishedForm({ fields });
    const first = await given.submission(form, { name: '=1+1', stars: 5 });
    await publish(form, [{ key: 'colours', label: 'Colours', type: 'multi_select', options: ['red', 'blue'] }, fields[0]]);
    const second = await given.submission(form, { name: 'Zoë', colours: ['red', 'blue'] });

    const reply = await asOwner.get(path(form, '?format=csv'));
    const date = new Date().toISOString().slice(0, 10);
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename=${form}-submissions-${date}.csv`);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    // fetch removes the byte order mark at the start.
    const lines = String(reply.body)
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines.map(([id, version, status, , ...answers]) => [id, version, status, ...answers])).toEqual([
      ['submission_id', 'schema_version', 'status', 'colours', 'name', 'stars'],
      [second, '2', 'new', '"red; blue"', 'Zoë', ''],
      [first, '1', 'new', '', "'=1+1", '5'],
      ['', undefined, undefined],
    ]);
  });

  it('contains the same submissions as the list: none from the trash, and only one status on request', async () => {
    const form = await given.publishedForm({ fields });
    const [trashed, approved, kept] = [await given.submission(form), await given.submission(form), await given.submission(form)];
    await asOwner.delete(`/api/v1/forms/${form}/submissions/${trashed}`);
    await asOwner.patch(`/api/v1/forms/${form}/submissions/${approved}/status`, {
      status: 'approved',
    });

    const exported = async (query: string) =>
      (((await asOwner.get(path(form, query))).body as string | undefined) ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as unknown);
    const { data } = (await asOwner.get(`/api/v1/forms/${form}/submissions`)).body as {
      data: { id: string }[];
    };
    expect(data.map(({ id }) => id)).toEqual([kept, approved]);
    expect(await exported('?format=ndjson')).toEqual(data);
    expect(await exported('?format=ndjson&status=approved')).toEqual([data[1]]);
    expect(await exported('?format=ndjson&status=rejected')).toEqual([]);
  });

  it('has what a search of the list finds, with labels on request', async () => {
    const colour = {
      key: 'colour',
      label: 'Favourite colour',
      type: 'select',
      options: [
        { value: 'r', label: 'Red' },
        { value: 'g', label: 'Green' },
      ],
    };
    const form = await given.publishedForm({ fields: [...fields, colour] });
    const ada = await given.submission(form, { name: 'Ada', colour: 'r' });
    await given.submission(form, { name: 'Grace', colour: 'g' });
    await eventually(async () => {
      const { body } = await asOwner.get(path(form, '?labels=true&filter[colour]=r&status=new,approved'));
      const [header, ...lines] = String(body).split('\r\n');
      expect(header).toBe('submission_id,schema_version,status,created_at,Your name,Stars,Favourite colour');
      expect(lines).toEqual([expect.stringMatching(new RegExp(`^${ada},.*,Ada,,Red$`)), '']);
    });
    for (const [query, message] of [
      ['?labels=true&format=ndjson', 'labels: can only be combined with the formats csv, xlsx and zip'],
      ['?filter[size]=l', 'filter[size]: no version of the form has this field'],
      ['?labels=yes', 'labels: must be one of true, false'],
      ['?sort=created', 'sort: is not a parameter of this operation'],
    ])
      expect(await asOwner.get(path(form, query))).toMatchObject({
        status: 400,
        body: { error: { message } },
      });
  });

  it('has the columns, words and times that are asked for, and tells who made it', async () => {
    const form = await given.publishedForm({ fields });
    await asOwner.patch(`/api/v1/forms/${form}`, { timezone: 'Pacific/Kiritimati' });
    const id = await given.submission(form, { name: 'Ada', stars: 4 });
    const { id: me, name } = (await asOwner.get('/api/v1/auth/me')).body as {
      id: string;
      name: string;
    };
    await asOwner.put(`/app/v1/forms/${form}/submissions/${id}/assignee`, { user_id: me });
    const columns = 'columns=created_at,assignee&columns=answers.name:Name, as given';
    const { body } = await asOwner.get(path(form, `?language=de&delimiter=semicolon&bom=false&${encodeURI(columns)}`));
    const [header, line] = String(body).split('\r\n');
    expect(header).toBe('Eingegangen;Zuständig;Name, as given');
    expect(line).toMatch(new RegExp(`^[0-9-]{10} [0-9:]{8};${name};Ada$`));
    for (const [query, message] of [
      ['?columns=answers.nme', 'columns: no version of the form has the field nme'],
      ['?columns=state', /^columns\.0: must be one of submission_id, /],
      ['?columns=status,status', 'columns: must not have a column twice'],
      ['?format=xlsx&delimiter=tab', 'delimiter: can only be combined with the format csv'],
      ['?format=ndjson&language=de', 'language: can only be combined with the formats csv, xlsx and zip'],
    ] as const)
      expect(await asOwner.get(path(form, query))).toMatchObject({
        status: 400,
        body: {
          error: {
            message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
          },
        },
      });
  });

  it('can be made in the background, is fetched once it is ready, and is deleted, each of which the audit log tells', async () => {
    const form = await given.publishedForm({ fields });
    const id = await given.submission(form, { name: 'Ada', stars: 4 });
    const all = `/app/v1/forms/${form}/exports`;
    const started = await asOwner.post(`${all}?format=csv&columns=submission_id,answers.name&language=de`);
    expect(started).toMatchObject({ status: 202, body: { state: 'waiting', format: 'csv', total: 1 } });
    const one = `${all}/${(started.body as { id: string }).id}`;
    await eventually(async () => expect(await asOwner.get(one)).toMatchObject({ status: 200, body: { state: 'ready', done: 1 } }));
    expect((await asOwner.get(all)).body).toMatchObject({ data: [{ state: 'ready' }] });

    const file = await asOwner.get(`${one}/file`);
    expect(file.headers.get('content-disposition')).toMatch(new RegExp(`filename=${form}-submissions-[\\d-]+\\.csv$`));
    expect(String(file.body)).toBe(`Einsendung,Your name\r\n${id},Ada\r\n`);
    expect(await asMember('viewer').then((viewer) => viewer.get(`${one}/file`))).toMatchObject({ status: 404 });

    expect(await asOwner.delete(one)).toMatchObject({ status: 204 });
    expect(await asOwner.get(`${one}/file`)).toMatchObject({ status: 404 });
    await eventually(async () => {
      const { body } = await asOwner.get('/app/v1/audit-log?limit=100');
      const entries = (body as { data: { action: string; form_id?: string }[] }).data.filter(({ form_id: of }) => of === form);
      expect(entries.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['export.started', 'submissions.exported', 'export.deleted']),
      );
    });
    expect(await asOwner.post(`${all}?format=pdf`)).toMatchObject({
      status: 400,
      body: { error: { message: 'format: must be one of csv, xlsx, ndjson, zip' } },
    });
  });

  it('is CSV by default, is named after the slug, and can be an XLSX workbook', async () => {
    const form = await given.publishedForm({ fields });
    const slug = `survey-${newId().slice(-12)}`;
    await asOwner.patch(`/api/v1/forms/${form}`, { slug });
    expect((await asOwner.get(path(form))).headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const { status, headers, body } = await asOwner.get(path(form, '?format=xlsx'));
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toMatch(new RegExp(`filename=${slug}-submissions-[\\d-]+\\.xlsx$`));
    expect(String(body)).toMatch(/^PK/);
  });

  it('rejects an unknown format or status, an unknown form, and a missing credential', async () => {
    const form = await given.publishedForm();
    expect(await asOwner.get(path(form, '?format=pdf'))).toMatchObject({
      status: 400,
      body: { error: { message: 'format: must be one of csv, xlsx, ndjson, zip' } },
    });
    expect(await asOwner.get(path(form, '?status=lost'))).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request' } },
    });
    expect(await asOwner.get(path('nothing'))).toMatchObject({ status: 404 });
    expect(await (await asServiceAccount('submissions:read')).get(path(form))).toMatchObject({
      status: 200,
    });
    expect(await anyone.get(path(form))).toMatchObject({ status: 401 });
  });
});

it('an export is cut off once its reader has lost the access, however much of it is left', async () => {
  const form = await largeForm();
  const member = await asMember('viewer');
  const { id } = (await member.get('/api/v1/auth/me')).body as { id: string };
  const { body } = await fetch(member.origin + path(form, '?format=ndjson'), {
    headers: { authorization: `Bearer ${member.credential ?? ''}` },
  });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  expect(await (await asOwnerSignedIn()).delete(`/app/v1/workspaces/${credentials.workspace_id}/members/${id}`)).toMatchObject({
    status: 204,
  });
  await eventually(async () => expect(await member.get(`/api/v1/forms/${form}`)).toMatchObject({ status: 401 }));
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  await expect(rest()).rejects.toThrow('terminated');
});

/** The peak memory of a process so far, in megabytes. */
async function peakOf(name: string): Promise<number> {
  const pid = (await readFile(join(dataDir, 'run', `${name}.pid`), 'utf8')).trim();
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

// A million at night: several times what connections hold before anybody reads, and more than a process may take up.
const { numRuns: many } = propertyRuns(1_000_000);
let large: Promise<string> | undefined;

/** A form with so many submissions, one for all tests: making them takes longer than reading them. */
const largeForm = (): Promise<string> =>
  (large ??= (async () => {
    const form = await given.publishedForm({ fields });
    await given.submission(form);
    await insertMany(form, many);
    return form;
  })());

async function insertMany(form: string, count: number): Promise<void> {
  const database = await superuserOf(dataDir, 'sheaf_submissions');
  try {
    // Without triggers: a million submissions to be indexed and counted would slow down every other test for minutes.
    await database.query(`set session_replication_role = 'replica'`);
    const {
      rows: [like],
    } = await database.query<{ instance_id: string }>('select instance_id from submission where form_id = $1', [form]);
    const atOnce = 20_000;
    for (let made = 0; made < count; made += atOnce) {
      await database.query(
        `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
         select gen_random_uuid(), $1, $2, json_build_object('name', 'Person number ' || n || repeat('.', 600), 'stars', n % 5 + 1), 1,
                case n % 10 when 0 then 'approved' else 'new' end, timestamptz '2026-01-01' + n * interval '1 second'
           from generate_series($3::int, $3::int + $4::int - 1) n`,
        [like?.instance_id, form, made, Math.min(atOnce, count - made)],
      );
    }
  } finally {
    await database.end();
  }
}

/** The size of an export, counted while it streams. */
async function exportOf(person: Person, form: string, query: string): Promise<{ bytes: number; lines: number }> {
  const { body, headers } = await fetch(person.origin + path(form, query), {
    headers: { authorization: `Bearer ${person.credential ?? ''}` },
  });
  expect(headers.has('content-length')).toBe(false);
  const seen = { bytes: 0, lines: 0 };
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    seen.bytes += chunk.length;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen.lines += 1;
  }
  return seen;
}

// Only where /proc exists, to read the memory from.
(existsSync('/proc/self/status') ? describe : describe.skip)('more submissions than would fit into memory', () => {
  it('are exported in constant memory', async () => {
    const form = await largeForm();
    expect((await exportOf(asOwner, form, '?format=csv')).lines).toBe(many + 2);
    // Only a tenth of the rows: compression is slow, and this many show the memory use just as well.
    expect((await exportOf(asOwner, form, '?format=xlsx&status=approved')).bytes).toBeGreaterThan(many);
    // At rest a process has about 110, and the rows alone would take 150 more. The peak includes what other tests did before.
    expect(await peakOf('submissions')).toBeLessThan(240);
    expect(await peakOf('gateway')).toBeLessThan(240);
  });
});
