import { referenceOf } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { aServiceAccount, callAs, refused } from '@sheaf/testing';
import readWorkbook from 'read-excel-file/node';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner, viewer, clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

type Wanted = Partial<Parameters<typeof started.client.exportSubmissions>[1]>;

async function fileOf(form_id: string, wanted: Wanted = {}): Promise<string> {
  const parts: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(viewer), {
    form_id,
    format: 'ndjson',
    ...wanted,
  }))
    parts.push(data);
  return Buffer.concat(parts).toString();
}
const idsIn = async (form: string, wanted: Wanted = {}) =>
  (await fileOf(form, wanted))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id);
const index = () => indexWaiting(started.deps, new AbortController().signal);

async function formWith(...answers: object[]): Promise<{ form: string; ids: string[] }> {
  const form = started.aForm();
  const ids: string[] = [];
  for (const data of answers) {
    clock.advance(1_000);
    ids.push((await started.submit(form, data)).id);
  }
  await index();
  return { form, ids };
}

describe('an export with conditions', () => {
  it('has what a search of the list finds, newest first', async () => {
    const { form, ids } = await formWith({ name: 'Ada', stars: 1 }, { name: 'Grace', stars: 4 }, { name: 'Ada', stars: 5 });
    const [a = '', b = '', c = ''] = ids;
    expect(await idsIn(form, { q: 'ada' })).toEqual([c, a]);
    expect(await idsIn(form, { filters: [{ key: 'stars', comparison: 'gte', values: ['4'] }] })).toEqual([c, b]);
    await started.client.changeStatus(callAs(owner), { form_id: form, id: a, status: 'approved' });
    await started.client.changeStatus(callAs(owner), { form_id: form, id: b, status: 'rejected' });
    expect(await idsIn(form, { statuses: ['approved', 'rejected'] })).toEqual([b, a]);
    expect(await idsIn(form, { status: 'approved' })).toEqual([a]);
    await started.client.assignSubmission(callAs(owner), {
      form_id: form,
      id: c,
      user_id: owner.id,
    });
    expect(await idsIn(form, { assignee: owner.id })).toEqual([c]);
    const { created_at: from } = await started.client.getSubmission(callAs(owner), {
      form_id: form,
      id: b,
    });
    expect(await idsIn(form, { from })).toEqual([c, b]);
    expect(await idsIn(form, { to: from })).toEqual([a]);
    expect((await fileOf(form, { format: 'csv', q: 'grace' })).split('\r\n').slice(1)).toEqual([expect.stringContaining('Grace'), '']);
  });

  it('has the changes since a time in their order', async () => {
    const { form, ids } = await formWith({ name: 'One' }, { name: 'Two' });
    clock.advance(1_000);
    const changed_since = clock.now().toISOString();
    await started.client.changeStatus(callAs(owner), {
      form_id: form,
      id: ids[0] ?? '',
      status: 'approved',
    });
    expect(await idsIn(form, { changed_since })).toEqual([ids[0]]);
    expect(await idsIn(form, { changed_since: '2020-01-01T00:00:00Z' })).toEqual([ids[1], ids[0]]);
  });

  it('has every submission once, over many pages and batches of large answers', async () => {
    const form = started.aForm();
    await rowsOf(
      started.db,
      `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
       select gen_random_uuid(), ?, ?, json_build_object('story', repeat('x', case when n % 40 = 0 then 300000 else 10 end)), 1,
              case n % 2 when 0 then 'new' else 'approved' end, now() - n * interval '1 second', now() from generate_series(1, 1300) n`,
      [started.instanceId, form],
    );
    const sizes: number[] = [];
    const wanted = { form_id: form, format: 'ndjson', statuses: ['new', 'approved'] };
    for await (const { data } of started.client.exportSubmissions(callAs(viewer), wanted)) sizes.push(data.length);
    expect(Math.max(...sizes)).toBeLessThan(2_000_000);
    const ids = await idsIn(form, { statuses: ['new', 'approved'] });
    expect(ids).toEqual(await idsIn(form));
    expect(new Set(ids).size).toBe(1_300);
  });

  it('is refused before its first byte if a condition is wrong', async () => {
    const { form } = await formWith({ name: 'Ada' });
    for (const head of [true, false]) {
      await expect(fileOf(form, { head, filters: [{ key: 'colour', comparison: 'eq', values: ['red'] }] })).rejects.toEqual(
        refused('bad_request', 'filter[colour]: no version of the form has this field'),
      );
      await expect(fileOf(form, { head, q: '…' })).rejects.toEqual(refused('bad_request', 'q: must have a letter or a digit'));
      for (const [message, wanted] of Object.entries({
        'labels: can only be combined with the formats csv, xlsx and zip': { labels: true },
        'language: can only be combined with the formats csv, xlsx and zip': { language: 'en' },
        'choices: can only be combined with the formats csv and xlsx': { choices: 'columns' },
      }))
        await expect(fileOf(form, { head, ...wanted })).rejects.toEqual(refused('bad_request', message));
    }
    for (const [parameter, wanted] of Object.entries({
      delimiter: { delimiter: 'tab' },
      bom: { bom: false },
    }))
      for (const format of ['xlsx', 'ndjson'])
        await expect(fileOf(form, { format, ...wanted })).rejects.toEqual(
          refused('bad_request', `${parameter}: can only be combined with the format csv`),
        );
    expect(await started.auditOf(form)).toEqual([]);
  });

  it('is refused while the index does not have every submission', async () => {
    const { form } = await formWith({ name: 'Ada' });
    await rowsOf(started.db, 'insert into search_backfill select id, id from submission limit 1');
    await expect(fileOf(form, { q: 'ada' })).rejects.toEqual(refused('unavailable'));
    expect(await idsIn(form, { statuses: ['new', 'approved'] })).toHaveLength(1);
    await rowsOf(started.db, 'delete from search_backfill');
  });
});

describe('an export with labels', () => {
  const fields = [
    {
      key: 'colours',
      label: 'Colours',
      type: 'multi_select',
      required: false,
      options: ['r', 'g'],
    },
    { key: 'size', label: 'Size', type: 'select', required: false, options: ['l'] },
    { key: 'name', label: '=Name', type: 'short_text', required: false },
    { key: 'status', label: 'status', type: 'short_text', required: false },
  ];
  const labels: { key: string; label: string; options: Record<string, string> }[] = [
    { key: 'colours', label: 'Colours', options: { r: 'Red', g: 'Green' } },
    { key: 'size', label: 'Size', options: { l: 'Large' } },
    { key: 'name', label: '=Name', options: {} },
    { key: 'status', label: 'status', options: {} },
  ];

  it('has those of fields and options, and keys and values where there are none', async () => {
    const form = started.aForm({ fields: Buffer.from(JSON.stringify(fields)), labels });
    const { id } = await started.submit(form, { size: 'l' });
    await rowsOf(started.db, `update submission set data = '{"size":"xl","n":1}' where id = ?`, [id]);
    const [header, line] = (await fileOf(form, { format: 'csv', labels: true })).split('\r\n');
    expect(header).toBe("\uFEFFsubmission_id,schema_version,status,created_at,n,Colours,Size,'=Name,status (status)");
    expect(line?.split(',').slice(4)).toEqual(['1', '', 'xl', '', '']);
  });

  it('shows each chosen option by its label', async () => {
    const form = started.aForm({ fields: Buffer.from(JSON.stringify(fields)), labels });
    await started.submit(form, { colours: ['r', 'g'], size: 'l', name: 'l', status: 'x' });
    const [, line] = (await fileOf(form, { format: 'csv', labels: true })).split('\r\n');
    expect(line).toMatch(/,,"Red; Green",Large,l,x$/);
    const [, plain] = (await fileOf(form, { format: 'csv' })).split('\r\n');
    expect(plain).toMatch(/,,"r; g",l,l,x$/);
  });
});

describe('an export for people', () => {
  const fields = [
    { key: 'name', label: 'Name', type: 'short_text' },
    { key: 'colours', label: 'Colours', type: 'multi_select', options: ['r', 'g'] },
    { key: 'cv', label: 'CV', type: 'file' },
  ];
  const labels: { key: string; label: string; options: Record<string, string>; type: string }[] = [
    { key: 'name', label: 'Name', options: {}, type: 'short_text' },
    { key: 'colours', label: 'Colours', options: { r: 'Red', g: 'Green' }, type: 'multi_select' },
    { key: 'cv', label: 'CV', options: {}, type: 'file' },
  ];
  const aForm = () => started.aForm({ fields: Buffer.from(JSON.stringify(fields)), labels, timezone: 'Asia/Tokyo' });
  const forPeople = {
    labels: true,
    language: 'fr',
    choices: 'columns',
    origin: 'https://forms.example',
    exported_by: 'Ada',
  };

  /** A submission with a file, as its upload leaves it. */
  async function withFile(form: string, name: string): Promise<string> {
    const { id } = await started.submit(form, { name: 'Ada', colours: ['g'] });
    const file = newId();
    await rowsOf(
      started.db,
      `insert into file (id, instance_id, form_id, field_key, name, content_type, size, state, submission_id, created_at)
       values (?, ?, ?, 'cv', ?, 'application/pdf', 3, 'claimed', ?, now())`,
      [file, started.instanceId, form, name, id],
    );
    await rowsOf(
      started.db,
      `update submission set data = jsonb_set(cast(data as jsonb), '{cv}', to_jsonb(cast(? as text))) where id = ?`,
      [file, id],
    );
    return id;
  }

  it('has the names of files, the times of the form’s zone and the words of the language', async () => {
    const form = aForm();
    const id = await withFile(form, 'Lebenslauf.pdf');
    await rowsOf(started.db, `update submission set created_at = '2026-06-01T20:00:00.9Z' where id = ?`, [id]);
    expect((await fileOf(form, { format: 'csv', ...forPeople })).split('\r\n')).toEqual([
      '\uFEFFEnvoi,Version,Statut,Reçu,n,Name,Colours,Colours – Red,Colours – Green,CV',
      `${id},3,À traiter,2026-06-02 05:00:00,,Ada,Green,Non,Oui,Lebenslauf.pdf`,
      '',
    ]);
  });

  it('has the chosen columns in their order, under the chosen headings', async () => {
    const form = aForm();
    const { id } = await started.submit(form, { name: 'Ada', colours: ['g'] });
    await started.client.assignSubmission(callAs(owner), { form_id: form, id, user_id: owner.id });
    const columns = [
      { id: 'answers.name', heading: 'Who, then' },
      { id: 'assignee' },
      { id: 'status', heading: 'Name' },
      { id: 'answers.n' },
      { id: 'notes' },
      { id: 'reference' },
    ];
    const people = { [owner.id]: 'Olivia' };
    expect((await fileOf(form, { format: 'csv', ...forPeople, columns, people })).split('\r\n')).toEqual([
      '\uFEFF"Who, then",Attribué à,Name,n,Nombre de notes,Référence',
      `Ada,Olivia,À traiter,,0,${referenceOf(id)}`,
      '',
    ]);
    // People who may not know the name get the id, as programs do.
    expect(await fileOf(form, { format: 'csv', language: 'en', columns: [{ id: 'assignee' }] })).toContain(owner.id);
    expect(
      await fileOf(form, {
        format: 'csv',
        columns: [{ id: 'assignee' }, { id: 'entered_by' }, { id: 'language' }],
        people,
      }),
    ).toBe(`\uFEFFassignee,entered_by,language\r\n${owner.id},,\r\n`);
  });

  it('tells how each submission came in', async () => {
    const form = aForm();
    await started.submit(form, { name: 'Ada' });
    const enter = (by: typeof owner | ReturnType<typeof aServiceAccount>, name: string) =>
      started.client.enterSubmission(callAs(by), { form_id: form, data: Buffer.from(JSON.stringify({ name })), idempotency_key: name });
    await enter(owner, 'Grace');
    await enter(aServiceAccount({ instanceId: started.instanceId }), 'Robot');
    const [imported] = (await started.list(form)).ids;
    const columns = [{ id: 'answers.name' }, { id: 'entry_source' }];
    await started
      .db('submission')
      .where({ id: (await started.submit(form, { name: 'Joan' })).id })
      .update({ entered_by_kind: 'user', entered_by_id: owner.id, import_id: imported });
    const rows = async (more: object) => (await fileOf(form, { format: 'csv', columns, ...more })).trim().split('\r\n').slice(1).sort();
    expect(await rows({})).toEqual(['Ada,respondent', 'Grace,member', 'Joan,import', 'Robot,service_account']);
    expect(await rows({ ...forPeople })).toEqual(['Ada,Répondant', 'Grace,Membre', 'Joan,Importation', 'Robot,Compte de service']);
    expect(await fileOf(form, { format: 'csv', columns: [{ id: 'entry_source' }], language: 'en', labels: true })).toContain(
      'Source of entry',
    );
  });

  it('tells the seconds from the first opening of the form, where a start token says so', async () => {
    const [form, other] = [started.aForm(), started.aForm()];
    const opened = async (of: string) => (await started.client.getIntakeForm(callAs(started.respondent), { form: of })).started;
    const [token, foreign] = [await opened(form), await opened(other)];
    clock.advance(93_600);
    const { id } = await started.submit(form, { name: 'Ada' }, { started: token });
    await started.submit(form, { name: 'Grace' }, { started: token, idempotency_key: 'k' });
    const { id: spam } = await started.submit(form, { name: 'Robot' }, { started: token, hp: 'x' });
    await started.client.markSpam(callAs(owner), { form_id: form, id: spam, spam: false });
    clock.advance(60 * 86_400_000);
    await started.submit(form, { name: 'Joan' }, { started: token });
    await started.submit(form, { name: 'Program' });
    await started.submit(form, { name: 'Liar' }, { started: foreign });
    await started.submit(form, { name: 'Forger' }, { started: `${token}x` });
    const columns = [{ id: 'answers.name' }, { id: 'fill_seconds' }];
    const rows = async (more: object) => (await fileOf(form, { format: 'csv', columns, ...more })).trim().split('\r\n').slice(1).sort();
    expect(await rows({})).toEqual(['Ada,94', 'Forger,', 'Grace,94', 'Joan,5184094', 'Liar,', 'Program,', 'Robot,94']);
    expect(await started.client.getSubmissionDetail(callAs(viewer), { form_id: form, id })).toMatchObject({ fill_seconds: 94 });
    expect(await fileOf(form, { format: 'csv', columns, language: 'en', labels: true })).toContain('Time to fill in (seconds)');
  });

  it('is refused with a column that no version has, and with columns where the format has none', async () => {
    const form = aForm();
    const columns = [{ id: 'answers.nam' }];
    await expect(fileOf(form, { format: 'csv', columns })).rejects.toEqual(
      refused('bad_request', 'columns: no version of the form has the field nam'),
    );
    await expect(fileOf(form, { format: 'ndjson', columns: [{ id: 'status' }] })).rejects.toEqual(
      refused('bad_request', 'columns: can only be combined with the formats csv and xlsx'),
    );
  });

  it('is a workbook that tells what it has, with links to the submissions that have files', async () => {
    const form = aForm();
    const id = await withFile(form, 'Lebenslauf.pdf');
    const parts: Buffer[] = [];
    const wanted = { form_id: form, format: 'xlsx', statuses: ['new', 'approved'], ...forPeople };
    for await (const { data } of started.client.exportSubmissions(callAs(viewer), wanted)) parts.push(data);
    const [submissions, about] = await readWorkbook(Buffer.concat(parts));
    expect(submissions).toMatchObject({
      sheet: 'Envois',
      data: [
        expect.arrayContaining(['Envoi', 'Colours – Red', 'CV']),
        [id, 3, 'À traiter', expect.any(Date), null, 'Ada', 'Green', 'Non', 'Oui', 'Lebenslauf.pdf'],
      ],
    });
    expect(about).toEqual({
      sheet: 'À propos',
      data: [
        ['Formulaire', 'Survey'],
        ['Filtre (Statut)', 'À traiter, Approuvé'],
        ['Envois', 1],
        ['Versions du formulaire', '3'],
        ['Exporté le', expect.any(Date)],
        ['Fuseau horaire de toutes les heures', 'Asia/Tokyo'],
        ['Exporté par', 'Ada'],
      ],
    });
  });
});
