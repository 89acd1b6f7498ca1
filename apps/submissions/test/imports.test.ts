import type { ImportPreview, SubmissionImport } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { aServiceAccount, aUser, callAs, eventually, refused, TestClock } from '@sheaf/testing';
import type { Deps } from '../src/deps';
import type { FormsView } from '../src/form/forms-view';
import { importSubmissions } from '../src/import/import-submissions';
import { Turns } from '../src/import/turns';
import { Started } from './started';

const started = new Started();
const { owner, editor, viewer, outsider, clock, instanceId } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

interface How {
  match?: string[];
  date_order?: string;
  idempotency_key?: string;
  version?: number;
  only_valid?: boolean;
  events?: boolean;
  by?: Parameters<typeof callAs>[0];
}

let keys = 0;
async function* parts(form_id: string, file: string | Buffer, { by: _, ...how }: How) {
  yield { file: { form_id, match: [], idempotency_key: `key ${keys}`, only_valid: false, events: false, ...how } };
  yield { bytes: await Promise.resolve(Buffer.from(file)) };
}
async function preview(form: string, file: string | Buffer, how: How = {}): Promise<ImportPreview> {
  return JSON.parse(
    (await started.client.previewImport(callAs(how.by ?? editor), parts(form, file, how))).json.toString(),
  ) as ImportPreview;
}
async function bring(form: string, file: string | Buffer, how: How = {}): Promise<SubmissionImport> {
  keys += 1;
  return JSON.parse(
    (await started.client.importSubmissions(callAs(how.by ?? editor), parts(form, file, how))).json.toString(),
  ) as SubmissionImport;
}

const answersOf = async (form: string) => {
  const { submissions } = await started.client.listSubmissions(callAs(viewer), { form_id: form, limit: 100, offset: 0 });
  return submissions.map(({ data }) => JSON.parse(data.toString()) as Record<string, unknown>);
};
const fieldsOf = (...fields: object[]) => Buffer.from(JSON.stringify(fields.map((field) => ({ required: false, ...field }))));

const good = 'name,stars\nAda,5\nGrace,4\n';
const bad = 'name,stars\nAda,5\n,4\nGrace,six\n';

describe('a preview of an import', () => {
  it('names each fault by row, column and question, and stores nothing', async () => {
    const form = started.aForm();
    const { columns, faults, ...rest } = await preview(form, bad);
    expect(rest).toEqual({
      format: 'csv',
      encoding: 'utf-8',
      delimiter: ',',
      source: 'other',
      version: 3,
      rows: 3,
      valid: 1,
      missing: [],
      fault_count: 2,
    });
    expect(columns.map(({ heading, target, filled, samples }) => [heading, target, filled, samples])).toEqual([
      ['name', 'answers.name', 2, ['Ada', 'Grace']],
      ['stars', 'answers.stars', 3, ['5', '4', 'six']],
    ]);
    expect(faults).toEqual([
      { row: 3, column: 1, heading: 'name', key: 'name', message: 'is required' },
      { row: 4, column: 2, heading: 'stars', key: 'stars', message: expect.any(String) as string },
    ]);
    expect(await started.list(form)).toMatchObject({ total: 0 });
  });

  it('names the required questions that no column answers', async () => {
    expect(await preview(started.aForm(), 'stars\n5\n')).toMatchObject({ missing: ['name'], valid: 0, fault_count: 1 });
  });

  it('misses a question that other answers require in some row, and none that no row has to answer', async () => {
    const required_if = { key: 'kind', equals: 'other' };
    const kind = { key: 'kind', label: 'Kind', type: 'short_text' };
    const fields = fieldsOf(kind, { key: 'which', label: 'Which', type: 'short_text', required: true, required_if });
    expect(await preview(started.aForm({ fields }), 'kind\nusual\nother\n')).toMatchObject({
      missing: ['which'],
      valid: 1,
      fault_count: 1,
    });
    expect(await preview(started.aForm({ fields }), 'kind\nusual\n')).toMatchObject({ missing: [], valid: 1, fault_count: 0 });
  });

  it('names what is missed and what is dropped only from rows without a wrong answer, as others may change what they ask', async () => {
    const [high, low] = [
      { key: 'stars', gte: 3 },
      { key: 'stars', lt: 3 },
    ];
    const fields = fieldsOf(
      { key: 'stars', label: 'Stars', type: 'integer' },
      { key: 'why', label: 'Why', type: 'short_text', visible_if: high },
      { key: 'name', label: 'Name', type: 'short_text', required: true, required_if: { not: low } },
    );
    const form = started.aForm({ fields });
    const found = await preview(form, 'stars,why\nfive,good\n1,\n');
    expect(found).toMatchObject({ missing: [], valid: 1 });
    expect(found).not.toHaveProperty('unasked');
    expect(await preview(form, 'stars,why\n5,good\n1,bad\n')).toMatchObject({ missing: ['name'], unasked: ['why'] });
  });

  it('neither misses a required question that every row hides, nor hides that the form drops its answers', async () => {
    const visible_if = { key: 'kind', equals: 'other' };
    const kind = { key: 'kind', label: 'Kind', type: 'short_text' };
    const fields = fieldsOf(kind, { key: 'which', label: 'Which', type: 'short_text', required: true, visible_if });
    const form = started.aForm({ fields });
    expect(await preview(form, 'kind\nusual\n')).not.toHaveProperty('unasked');
    expect(await preview(form, 'kind\nusual\n')).toMatchObject({ missing: [], valid: 1 });
    expect(await preview(form, 'kind,which\nusual,this\nother,that\n')).toMatchObject({ missing: [], unasked: ['which'], valid: 2 });
    await bring(form, 'kind,which\nusual,this\nother,that\n');
    expect(await answersOf(form)).toEqual(expect.arrayContaining([{ kind: 'usual' }, { kind: 'other', which: 'that' }]));
  });

  it('matches columns as it is told', async () => {
    const told = await preview(started.aForm(), 'who,name\nAda,x\n', { match: ['1:answers.name', '2:nothing'] });
    expect(told.columns.map(({ target, proposed }) => [target, proposed])).toEqual([
      ['answers.name', 'nothing'],
      ['nothing', 'answers.name'],
    ]);
    expect(told).toMatchObject({ valid: 1 });
  });

  it.each([
    ['a column that the file does not have', ['3:answers.name'], /match: the file has 2 columns/],
    ['a field that the form does not have', ['1:answers.shoe'], /match: the published form has no field shoe/],
    ['a column that another one is matched with', ['2:answers.name'], /match: answers.name is matched with the columns 1 and 2/],
  ])('refuses to match %s', async (_, match, message) => {
    await expect(preview(started.aForm(), good, { match })).rejects.toEqual(refused('bad_request', message));
  });
});

describe('an import', () => {
  it('stores each row as an entry of the member, without an event, and is audited once', async () => {
    const form = started.aForm();
    const { id, ...result } = await bring(form, good);
    expect(result).toEqual({ imported: 2, left_out: 0, faults: [], events: false, created_at: clock.now().toISOString() });
    expect(await answersOf(form)).toEqual(
      expect.arrayContaining([
        { name: 'Ada', stars: 5 },
        { name: 'Grace', stars: 4 },
      ]),
    );
    const { ids } = await started.list(form);
    for (const submission of ids) {
      const detail = await started.client.getSubmissionDetail(callAs(viewer), { form_id: form, id: submission });
      expect(detail).toMatchObject({ status: 'new', schema_version: 3, entered_by_kind: 'user', entered_by_id: editor.id });
      expect(started.eventsOf(submission)).toEqual([]);
    }
    expect(await started.auditOf(form)).toEqual([['submissions.imported', editor.id]]);
    expect(await started.db('outbox').whereIn('subject', ids)).toEqual([]);
    expect(await started.db('submission').where({ import_id: id }).pluck('form_id')).toEqual([form, form]);
  });

  it('never announces later what it has not announced, whatever happens to the submission', async () => {
    const form = started.aForm();
    await bring(form, 'name\nAda\n');
    const { ids } = await started.list(form);
    const [id = ''] = ids;
    const one = { form_id: form, id };
    await started.client.markSpam(callAs(owner), { ...one, spam: true });
    await started.client.markSpam(callAs(owner), { ...one, spam: false });
    await started.client.deleteSubmission(callAs(owner), one);
    await started.client.restoreSubmission(callAs(owner), one);
    const types = await started.db<{ type: string; subject: string }>('outbox').where({ subject: id }).pluck('type');
    expect(types).not.toContain('submission.created');
  });

  it('announces each submission if that is wanted', async () => {
    const form = started.aForm();
    await bring(form, 'name,created_at\nAda,2026-01-05 10:00\n', { events: true });
    const { ids } = await started.list(form);
    await eventually(() =>
      expect(started.eventsOf(ids[0] ?? '')).toMatchObject([
        { event: 'submission.created', data: { name: 'Ada' }, occurred_at: clock.now().toISOString() },
      ]),
    );
  });

  it('stores nothing if one row is wrong, unless only the valid rows are wanted', async () => {
    const form = started.aForm();
    await expect(bring(form, bad)).rejects.toEqual(refused('bad_request', /^file: row 3, name: is required \(and 1 more\)/));
    expect(await started.list(form)).toMatchObject({ total: 0 });
    expect(await bring(form, bad, { only_valid: true })).toMatchObject({ imported: 1, left_out: 2, faults: [{ row: 3 }, { row: 4 }] });
    expect(await answersOf(form)).toEqual([{ name: 'Ada', stars: 5 }]);
    await expect(bring(form, 'name\n \n')).rejects.toEqual(refused('bad_request', /has no row to import/));
  });

  it('is done once, however often and at the same time it is sent with a key', async () => {
    const form = started.aForm();
    const again = { idempotency_key: 'same' };
    const all = await Promise.all(Array.from({ length: 3 }, () => bring(form, good, again)));
    // Another process knows of it as well.
    const other = await started.startProcess();
    const { json } = await other.importSubmissions(callAs(editor), parts(form, good, again));
    expect(new Set([...all, JSON.parse(json.toString()) as SubmissionImport].map(({ id }) => id)).size).toBe(1);
    expect(await started.list(form)).toMatchObject({ total: 2 });
    await expect(bring(form, bad, again)).rejects.toEqual(refused('bad_request', /^Idempotency-Key: was already used/));
    expect((await bring(form, good, { ...again, by: owner })).imported).toBe(2);
  });

  it('that dies before its commit has stored nothing, and is done by its repeat', async () => {
    const form = started.aForm();
    const again = { idempotency_key: 'died' };
    await started.db.raw(`
      create function fail_listing() returns trigger language plpgsql as 'begin raise exception ''the process dies''; end';
      create trigger fail_listing before insert on listed_count for each row when (new.form_id = '${form}') execute function fail_listing()`);
    await expect(bring(form, good, again)).rejects.toBeDefined();
    await started.db.raw('drop function fail_listing cascade');
    expect(await started.db('submission').where({ form_id: form })).toEqual([]);
    expect(await bring(form, good, again)).toMatchObject({ imported: 2 });
    expect(await started.list(form)).toMatchObject({ total: 2 });
  });

  it('is taken by a closed form and beyond the limit, to which it counts', async () => {
    await bring(started.aForm({ status: 'disabled', closes_at: '2020-01-01T00:00:00Z' }), good);
    const limited = started.aForm({ max_submissions: 2 });
    await bring(limited, good);
    await expect(started.submit(limited)).rejects.toEqual(refused('forbidden'));
    await bring(limited, good);
    expect(await started.list(limited)).toMatchObject({ total: 4 });
  });

  it('keeps the time when the answers were given, in the zone of the form', async () => {
    const form = started.aForm({ timezone: 'Europe/Berlin' });
    await bring(form, 'name,created_at\nAda,15.01.2026 10:30\nGrace,2026-01-16T10:30:00Z\n');
    const { submissions } = await started.client.listSubmissions(callAs(viewer), { form_id: form, limit: 10, offset: 0 });
    expect(submissions.map(({ created_at }) => created_at)).toEqual(['2026-01-16T10:30:00.000Z', '2026-01-15T09:30:00.000Z']);
  });

  it('refuses what the form would erase at once by its age, and what is in the future', async () => {
    const form = started.aForm();
    const decided = [{ since: '2020-01-01T00:00:00.000Z', trash_days: null, submissions_days: 30, files_days: null }];
    await started.db('form_keeping').insert({
      form_id: form,
      instance_id: instanceId,
      workspace_id: started.workspaceId,
      legal_hold: false,
      submissions_days: 30,
      decided: JSON.stringify(decided),
    });
    expect((await preview(form, 'name,created_at\nAda,2001-01-05\nGrace,2999-01-05\n')).faults.map(({ message }) => message)).toEqual([
      expect.stringContaining('longer ago than the form keeps submissions'),
      'must not be in the future',
    ]);
  });

  it('is refused if the form has another version than the one that was previewed', async () => {
    await expect(bring(started.aForm(), good, { version: 2 })).rejects.toEqual(refused('conflict', /version 3 by now, not 2/));
  });

  describe('whose file has arrived', () => {
    const bringSlowly = (form: string, file: () => AsyncGenerator<Buffer>, changed: Partial<Deps>) =>
      importSubmissions(
        { ...started.deps, importTurns: new Turns(), ...changed },
        { caller: editor, call: callAs(editor) },
        { formId: form, match: [], dateOrder: undefined, idempotencyKey: 'slow', version: undefined, onlyValid: false, events: false },
        file(),
      );
    async function* whole() {
      yield await Promise.resolve(Buffer.from(good));
    }
    const storedIn = (form: string) => started.db('submission').where({ form_id: form });

    it('stores nothing if the form is in the trash by then, or being erased', async () => {
      const [trashed, erased] = [started.aForm(), started.aForm()];
      started.setStatus(trashed, 'trashed');
      const erasure = { id: newId(), instance_id: instanceId, form_id: erased, submissions: 0, files: 0, begun_at: clock.now() };
      await started.db('erasure').insert({ ...erasure, whole_form: true });
      for (const form of [trashed, erased]) {
        await expect(bring(form, good)).rejects.toEqual(refused('not_found'));
        expect(await storedIn(form)).toEqual([]);
      }
    });

    it('stores nothing if the member has lost their role by then', async () => {
      const form = started.aForm();
      const by = aUser({ instanceId, roles: { [started.workspaceId]: 'editor' } });
      const heard = { roles: JSON.stringify({ [started.workspaceId]: 'viewer' }), scopes: '[]', at: clock.now() };
      await started.db('heard_standing').insert({ principal_id: by.id, ...heard });
      await expect(bring(form, good, { by })).rejects.toEqual(refused('forbidden'));
      expect(await storedIn(form)).toEqual([]);
    });

    it('stores nothing if the form was published anew, also if this process has not heard of that', async () => {
      const form = started.aForm();
      const versionNow: FormsView['versionNow'] = async (...of) => ({ ...(await started.deps.forms.versionNow(...of)), version: 4 });
      const forms = { ...started.deps.forms, versionNow };
      await expect(bringSlowly(form, whole, { forms })).rejects.toEqual(refused('conflict', /published anew/));
      expect(await storedIn(form)).toEqual([]);
    });

    it('is refused if that took long', async () => {
      const slowClock = new TestClock();
      async function* slowly() {
        yield* whole();
        slowClock.advance(60_001);
        yield* whole();
      }
      await expect(bringSlowly(started.aForm(), slowly, { clock: slowClock })).rejects.toEqual(refused('bad_request', /60 s to arrive/));
    });
  });

  it('is for owners and editors, and service accounts', async () => {
    const form = started.aForm();
    await bring(form, good, { by: aServiceAccount({ instanceId, scopes: ['submissions:write'] }) });
    for (const by of [viewer, outsider]) {
      await expect(bring(form, good, { by })).rejects.toEqual(refused('forbidden'));
      await expect(preview(form, good, { by })).rejects.toEqual(refused('forbidden'));
    }
  });
});

describe('an export of a form with every type of question', () => {
  const options = [
    { value: 'r', label: 'Red' },
    { value: 'g', label: 'Green; or "lime", light' },
    { value: 'b', label: 'Blue' },
  ];
  const fields = [
    { key: 'name', label: 'Your name', type: 'short_text' },
    { key: 'story', label: 'Story', type: 'long_text' },
    { key: 'mail', label: 'E-mail', type: 'email' },
    { key: 'site', label: 'Site', type: 'url' },
    { key: 'tel', label: 'Phone', type: 'phone' },
    { key: 'price', label: 'Price', type: 'number' },
    { key: 'age', label: 'Age', type: 'integer' },
    { key: 'stars', label: 'Stars', type: 'rating' },
    { key: 'member', label: 'Member?', type: 'boolean' },
    { key: 'day', label: 'Day', type: 'date' },
    { key: 'hour', label: 'Hour', type: 'time' },
    { key: 'meeting', label: 'Meeting', type: 'datetime' },
    { key: 'size', label: 'Colour', type: 'select', options },
    { key: 'colours', label: 'Colour', type: 'multi_select', options },
    { key: 'ref', label: 'Ref', type: 'hidden' },
  ];
  const labels = fields.map(({ key, label, type, options: of = [] }) => ({
    key,
    label,
    type,
    options: Object.fromEntries(of.map((option) => [option.value, option.label])),
    values: of.map(({ value }) => value),
  }));
  const aForm = () => started.aForm({ fields: fieldsOf(...fields), labels, timezone: 'Europe/Berlin' });
  const all = [
    {
      name: '=1+1 "Zoë"; ☃',
      story: 'two\nlines, and more',
      mail: 'ada@example.org',
      site: 'https://example.org/?a=1,2',
      tel: '+49 30 123456',
      price: -0.5,
      age: 1_000,
      stars: 5,
      member: false,
      day: '2026-03-02',
      hour: '09:30',
      meeting: '2026-03-02T09:30',
      size: 'g',
      colours: ['r', 'g'],
      ref: '-7',
    },
    { name: 'only', price: 1.25 },
  ];

  it.each([
    ['csv', {}],
    ['csv', { delimiter: 'semicolon', language: 'de', labels: true }],
    ['csv', { choices: 'columns' }],
    ['xlsx', {}],
    ['xlsx', { language: 'fr', labels: true, choices: 'columns' }],
  ])('imports again as it was: %s with %j', async (format, how) => {
    const from = aForm();
    for (const data of all) await started.submit(from, data);
    const chunks: Buffer[] = [];
    const request = { form_id: from, statuses: [], filters: [], labels: false, head: false, columns: [], people: {}, format, ...how };
    for await (const { data } of started.client.exportSubmissions(callAs(viewer), request)) chunks.push(data);

    const to = aForm();
    const seen = await preview(to, Buffer.concat(chunks));
    expect({ source: seen.source, faults: seen.faults }).toEqual({ source: 'sheaf', faults: [] });
    await bring(to, Buffer.concat(chunks));
    expect(new Set(await answersOf(to))).toEqual(new Set(all));
    const times = async (form: string) =>
      (await started.client.listSubmissions(callAs(viewer), { form_id: form, limit: 9, offset: 0 })).submissions.map(({ created_at }) =>
        created_at.slice(0, 19),
      );
    expect(await times(to)).toEqual(await times(from));
  });
});

it('rows with an answer that must be unique are refused for rows that are stored, not for those that are left out', async () => {
  const fields = fieldsOf(
    { key: 'mail', label: 'Mail', type: 'email', options: [{ unique: true }] },
    { key: 'code', label: 'Code', type: 'short_text', options: [{ unique: true }] },
  );
  const form = started.aForm({ fields });
  await started.submit(form, { mail: 'ada@example.com' });
  const file = 'mail,code\nada@example.com,one\ngrace@example.com,one\ngrace@example.com,two\n';
  expect(await bring(form, file, { only_valid: true })).toMatchObject({ imported: 1, left_out: 2 });
  expect(await answersOf(form)).toEqual([{ mail: 'grace@example.com', code: 'one' }, { mail: 'ada@example.com' }]);
});
