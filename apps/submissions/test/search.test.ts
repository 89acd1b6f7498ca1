import { referenceOf } from '@sheaf/contracts';
import { newId, type Problem } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { callAs, expectCursorsChecked, forged } from '@sheaf/testing';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner, viewer, outsider, stranger } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

const never = new AbortController().signal;
const index = () => indexWaiting(started.deps, never);

const shown = [
  { key: 'name', label: 'Name', type: 'short_text', required: false },
  { key: 'age', label: 'Age', type: 'integer', required: false },
];
const fields = Buffer.from(JSON.stringify(shown));
const labels = shown.map(({ key, label, type }) => ({ key, label, type, options: {} }));

/** A form with these answers, oldest first, and its submissions' ids. */
async function formWith(...answers: Record<string, unknown>[]): Promise<{ form: string; ids: string[] }> {
  const form = started.aForm({ fields, labels, unordered: ['name'] });
  const ids: string[] = [];
  for (const data of answers) {
    started.clock.advance(1_000);
    ids.push((await started.submit(form, data)).id);
  }
  await index();
  return { form, ids };
}

interface Asked {
  q?: string;
  statuses?: string[];
  filters?: { key: string; comparison: string; values: string[] }[];
  sort?: string;
  people?: string[];
  from?: string;
  to?: string;
  assignee?: string;
  limit?: number;
  cursor?: string;
  max_bytes?: number;
  as_json?: boolean;
}

const find = (form_id: string, asked: Asked = {}, caller = owner) =>
  started.client.findSubmissions(callAs(caller), { form_id, limit: 25, sort: '-created', statuses: [], filters: [], people: [], ...asked });
const idsIn = async (form: string, asked: Asked = {}) => (await find(form, asked)).submissions.map(({ id }) => id);
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(message) as string }) as Problem;

it('finds submissions by words, the newest first, with everything that is known of them', async () => {
  const { form, ids } = await formWith({ name: 'Ada Lovelace' }, { name: 'Charles Babbage' }, { name: 'ÁDA byron' });
  const page = await find(form, { q: 'ada' }, viewer);
  expect(page).toMatchObject({ total: 2, indexed: true, rest: [] });
  expect(page.next_cursor).toBeUndefined();
  expect(page.submissions).toEqual([
    expect.objectContaining({ id: ids[2], revision: 0, status: 'new', updated_at: page.submissions[0]?.created_at }),
    expect.objectContaining({ id: ids[0], data: Buffer.from('{"name":"Ada Lovelace"}') }),
  ]);
  expect(await idsIn(form, { q: 'love*' })).toEqual([ids[0]]);
  expect(await idsIn(form, { q: 'ada babbage' })).toEqual([]);
});

it('finds every word by its beginning, words in quotation marks exactly, and phrases as they are said', async () => {
  const { form, ids } = await formWith(
    { name: 'Jürgen Berger, juergen@bücher.example' },
    { name: 'https://example.org/PostgreSQL-18?q=1' },
    { name: 'Berg, Ada Müller-Lüdenscheidt' },
  );
  const [berger, link, berg] = ids;
  for (const [q, found] of [
    ['juerg', [berger]],
    ['jur', [berger]],
    ['berg', [berg, berger]],
    ['"berg"', [berg]],
    ['b', [berg, berger]],
    ['berg a', [berg]],
    ['postgres', [link]],
    ['18', [link]],
    ['example.org', [link]],
    ['buch', [berger]],
    ['ludensch', [berg]],
    ['müller-lüd', [berg]],
    ['"ada muller"', [berg]],
    ['"muller ada"', []],
    ['"Ada Mül', [berg]],
    ['berg*', [berg, berger]],
  ] as const)
    expect([q, await idsIn(form, { q })]).toEqual([q, found]);
});

it('finds a part of a text and its beginning, whatever its case and accents, and what is empty', async () => {
  const { form, ids } = await formWith({ name: 'Jürgen Berger' }, { name: 'Ada Lüdenscheidt', age: 1 }, { age: 2 });
  for (const [comparison, value, found] of [
    ['contains', 'ERGER', [ids[0]]],
    ['contains', 'üd', [ids[1]]],
    ['contains', 'n b', [ids[0]]],
    ['contains', 'nobody', []],
    ['starts_with', 'jurg', [ids[0]]],
    ['starts_with', 'erger', []],
    ['empty', 'true', [ids[2]]],
    ['empty', 'false', [ids[1], ids[0]]],
  ] as const)
    expect([value, await idsIn(form, { filters: [{ key: 'name', comparison, values: [value] }] })]).toEqual([value, found]);
  const either = { key: 'name', comparison: 'contains', values: ['berg', 'ada'] };
  expect(await idsIn(form, { filters: [either] })).toEqual([ids[1], ids[0]]);
  expect(await idsIn(form, { filters: [either], sort: 'answers.name' })).toEqual([ids[1], ids[0]]);
  const first = await find(form, { filters: [either], limit: 1 });
  expect(first.submissions.map(({ id }) => id)).toEqual([ids[1]]);
  expect(await idsIn(form, { filters: [either], limit: 1, cursor: first.next_cursor ?? '' })).toEqual([ids[0]]);
});

it('goes on from any text in the order of a column, however long it is as a cursor', async () => {
  const { form, ids } = await formWith({ name: `a${'\u0007'.repeat(300)}` }, { name: '😀'.repeat(300) }, { name: `"${'東'.repeat(300)}` });
  const sort = 'answers.name';
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    expect((cursor ?? '').length).toBeLessThanOrEqual(1_000);
    const page = await find(form, { sort, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.submissions.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(found).toHaveLength(3);
  expect(new Set(found)).toEqual(new Set(ids));
});

it('finds a chosen option by its label in each language of the form', async () => {
  const options = Buffer.from(JSON.stringify([{ key: 'size', label: 'Size', type: 'select', required: false, options: ['s', 'l'] }]));
  const translated = [
    { value: 's', label: 'Kleine Größe' },
    { value: 'l', label: 'Große Größe' },
  ];
  const labels = [{ key: 'size', label: 'Size', options: { s: 'Small one', l: 'Large one' }, translated_options: translated }];
  const form = started.aForm({ fields: options, labels });
  const [small, large] = [(await started.submit(form, { size: 's' })).id, (await started.submit(form, { size: 'l' })).id];
  await index();
  for (const [q, found] of [
    ['small', [small]],
    ['GROSSE GR', [large, small]],
    ['größ', [large, small]],
    ['"one"', [large, small]],
    ['"große größe"', [large]],
    ['small large', []],
    ['on', [large, small]],
    ['o', []],
  ] as const)
    expect([q, new Set(await idsIn(form, { q }))]).toEqual([q, new Set(found)]);
});

it('finds a submission by its reference, however it is typed, also where searching is switched off', async () => {
  const { form, ids } = await formWith({ name: 'Ada', age: 1 }, { name: 'Grace', age: 2 });
  const other = await formWith({ name: 'Joan' });
  const [id = '', second = ''] = ids;
  const reference = referenceOf(id);
  const { json } = await find(form, { as_json: true });
  expect((JSON.parse(String(json)) as { id: string; reference: string }[]).map((each) => [each.id, each.reference])).toEqual(
    [second, id].map((each) => [each, referenceOf(each)]),
  );
  for (const q of [
    id,
    id.toUpperCase().replaceAll('-', ''),
    reference,
    reference.toLowerCase(),
    reference.replaceAll('-', ''),
    ` ${reference.replaceAll('-', ' ')} `,
  ])
    expect(await find(form, { q })).toMatchObject({ submissions: [{ id }], total: 1 });
  expect(await idsIn(form, { q: reference, filters: [{ key: 'age', comparison: 'eq', values: ['2'] }] })).toEqual([]);
  expect(await idsIn(form, { q: reference, statuses: ['approved'] })).toEqual([]);
  expect(await idsIn(form, { q: reference, sort: 'answers.age' })).toEqual([id]);
  expect(await idsIn(other.form, { q: reference })).toEqual([]);
  await rowsOf(
    started.db,
    'insert into form_keeping (form_id, instance_id, workspace_id, legal_hold, searchable) values (?, ?, ?, false, false)',
    [form, started.instanceId, started.workspaceId],
  );
  expect(await idsIn(form, { q: reference })).toEqual([id]);
  await expect(find(form, { q: 'ada' })).rejects.toEqual(refused(/^q: searching is switched off/));
});

it('leads from a reference to its submission, for those who have a role on the form, and not into the trash', async () => {
  const { form, ids } = await formWith({ name: 'Ada' }, { name: 'Grace' });
  const [id = '', spam = ''] = ids;
  const list = async (reference: string, caller = owner) =>
    (await started.client.listReferencedSubmissions(callAs(caller), { reference })).submissions;
  const reference = referenceOf(id);
  const [found] = await list(reference.toLowerCase(), viewer);
  expect(found).toMatchObject({ id, form_id: form, reference, status: 'new' });
  expect(await list('0000-0000-00')).toEqual([]);
  expect([await list(reference, outsider), await list(reference, stranger)]).toEqual([[], []]);
  await expect(list('Ada Lovelace')).rejects.toEqual(refused(/^reference: must have ten letters and digits/));
  await started.client.markSpam(callAs(owner), { form_id: form, id: spam, spam: true });
  expect(await list(referenceOf(spam))).toHaveLength(1);
  await started.client.deleteSubmission(callAs(owner), { form_id: form, id });
  expect(await list(reference)).toEqual([]);
});

it.each([
  'a & b | !c :* <-> (d)',
  "'; drop table submission; --",
  "a\\' \\\\ '''",
  '"unbalanced',
  'مرحبا بالعالم',
  '東京都庁',
  'a\u0300\u0301\u0302',
  'x'.repeat(200),
  'Ada \u{1f600} \u{1f469}\u200d\u{1f4bb}',
])('takes %j for nothing but words', async (q) => {
  const { form, ids } = await formWith({ name: q });
  expect(await idsIn(form, { q: q.slice(0, 200) })).toEqual(ids);
});

it('prints the same page as JSON, and leaves what does not fit to be read after it', async () => {
  const person = newId();
  const { form, ids } = await formWith({ name: 'A "quoted" näme' }, { name: 'Ada' }, { name: 'x'.repeat(900) });
  const [first, second, third] = ids;
  await started.db('submission').where({ id: first }).update({
    assignee: person,
    language: 'pt-BR',
    notes: 2,
    revision: 3,
    entered_by_kind: 'user',
    entered_by_id: person,
    fill_seconds: 94,
  });
  const [{ submissions }, { json, ...page }] = await Promise.all([find(form), find(form, { as_json: true })]);
  expect(page).toMatchObject({ in_json: 3, submissions: [], rest: [], total: 3 });
  const printed = JSON.parse(String(json)) as Record<string, unknown>[];
  expect(printed.map(({ id }) => id)).toEqual([third, second, first]);
  const asPrinted = submissions.map(({ data, entered_by_kind: kind, entered_by_id: id, ...submission }) => ({
    ...submission,
    reference: referenceOf(submission.id),
    data: JSON.parse(String(data)) as unknown,
    edited: (submission.revision ?? 0) > 0,
    ...(kind === undefined ? {} : { entered_by: { kind, id } }),
  }));
  expect(printed).toEqual(asPrinted);
  expect(printed[2]).toMatchObject({
    assignee: person,
    language: 'pt-BR',
    notes: 2,
    edited: true,
    entered_by: { kind: 'user', id: person },
  });

  const [part, rows] = await Promise.all([find(form, { as_json: true, max_bytes: 920 }), find(form, { max_bytes: 920 })]);
  expect([part.in_json, part.rest.map(({ id }) => id)]).toEqual([1, [second, first]]);
  expect(part.rest).toEqual(rows.rest);
  expect(await find(form, { as_json: true, q: 'nobody' })).toMatchObject({ json: Buffer.from('[]'), in_json: 0, total: 0 });
});

it('lists a submission before it is indexed, and finds it afterwards', async () => {
  const { form } = await formWith();
  const { id } = await started.submit(form, { name: 'Grace' });
  expect(await idsIn(form)).toEqual([id]);
  expect(await idsIn(form, { q: 'grace' })).toEqual([]);
  await index();
  expect(await idsIn(form, { q: 'grace' })).toEqual([id]);
});

it('finds a fresh submission soon, however many of another form wait', async () => {
  const [crowded, form] = [started.aForm({ fields }), started.aForm({ fields })];
  await rowsOf(
    started.db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
     select gen_random_uuid(), ?, ?, '{"name":"Ada"}', 1, 'new', now(), now() from generate_series(1, 2000)`,
    [started.instanceId, crowded],
  );
  const { id } = await started.submit(form, { name: 'Grace' });
  await indexWaiting(started.deps, AbortSignal.abort());
  expect(await idsIn(form, { q: 'grace' })).toEqual([id]);
  expect((await started.db('search_pending').where({ form_id: crowded })).length).toBeGreaterThan(1_500);
  await index();
  expect(await rowsOf(started.db, 'select from search_pending')).toEqual([]);
});

it('continues from a cursor, in either direction and in the order of an answer', async () => {
  const { form, ids } = await formWith(...[5, 3, 4, 1, 2].map((age) => ({ age })), { name: 'none' });
  const walk = async (asked: Asked) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await find(form, { ...asked, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.submissions.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    return seen;
  };
  expect(await walk({})).toEqual([...ids].reverse());
  expect(await walk({ sort: 'created' })).toEqual(ids);
  expect(await walk({ sort: 'answers.age' })).toEqual([ids[3], ids[4], ids[1], ids[2], ids[0], ids[5]]);
  expect(await walk({ sort: '-answers.age' })).toEqual([ids[0], ids[2], ids[1], ids[4], ids[3], ids[5]]);
  // The last one alone has a name.
  expect(await walk({ sort: 'answers.name' })).toEqual([ids[5], ...ids.slice(0, 5)]);
  expect(await walk({ sort: '-answers.name' })).toEqual([ids[5], ...ids.slice(0, 5).reverse()]);
  await started.client.changeStatus(callAs(owner), { form_id: form, id: ids[1] ?? '', status: 'approved' });
  expect((await walk({ sort: 'status' })).at(-1)).toBe(ids[1]);
  expect((await walk({ sort: '-status' }))[0]).toBe(ids[1]);
  for (const [n, person] of [
    [2, owner],
    [3, viewer],
    [4, owner],
  ] as const)
    await rowsOf(started.db, 'update submission set assignee = ? where id = ?', [person.id, ids[n] ?? '']);
  const people = [viewer.id, owner.id];
  expect(await walk({ sort: 'assignee', people })).toEqual([ids[3], ids[2], ids[4], ids[0], ids[1], ids[5]]);
  expect(await walk({ sort: '-assignee', people })).toEqual([ids[4], ids[2], ids[3], ids[5], ids[1], ids[0]]);
  expect(await walk({ sort: '-answers.age', filters: [{ key: 'age', comparison: 'gte', values: ['3'] }] })).toEqual([
    ids[0],
    ids[2],
    ids[1],
  ]);
});

it('sorts a form by texts at once if it is small, and else tells how far it is', async () => {
  const form = started.aForm({ fields, unordered: ['name'] });
  await rowsOf(
    started.db,
    `with stored as (
       insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
       select gen_random_uuid(), ?, ?, json_build_object('name', 'n' || lpad(cast(n as text), 5, '0')), 1, 'new', now() - n * interval '1 second'
         from generate_series(1, 10500) n returning *
     )
     insert into search_entry (form_id, created_at, submission_id, terms, term_bytes, keys, numbers)
     select form_id, created_at, id, '', 0, '{}', '{}' from stored`,
    [started.instanceId, form],
  );
  await rowsOf(started.db, 'insert into listed_count values (?, ?, 10500)', [form, 'new']);
  const asked = { sort: 'answers.name', limit: 2 };
  const first = await find(form, asked);
  expect(first).toMatchObject({ submissions: [], preparing: { done: 10_000, of: 10_500 } });
  const page = await find(form, { ...asked, cursor: first.next_cursor ?? '' });
  expect(page.submissions.map(({ data }) => String(data))).toEqual(['{"name" : "n00001"}', '{"name" : "n00002"}']);
  expect(page.preparing).toBeNull();
  expect(await find(form, asked)).toMatchObject({ total: 10_500, submissions: page.submissions });
});

it('counts what it can count without reading everything', async () => {
  const { form, ids } = await formWith({ age: 1 }, { age: 2 }, { age: 3 });
  await started.client.changeStatus(callAs(owner), { form_id: form, id: ids[0] ?? '', status: 'approved' });
  const total = async (asked: Asked) => (await find(form, { limit: 1, ...asked })).total;
  expect(await total({})).toBe(3);
  expect(await total({ statuses: ['new'] })).toBe(2);
  expect(await total({ statuses: ['new', 'approved'] })).toBe(3);
  expect(await total({ filters: [{ key: 'age', comparison: 'gt', values: ['0'] }] })).toBeUndefined();
  expect(await total({ filters: [{ key: 'age', comparison: 'gt', values: ['2'] }] })).toBe(1);
});

it('finds by time, status and the person in charge', async () => {
  const { form, ids } = await formWith({ age: 1 }, { age: 2 }, { age: 3 });
  const [first, second, third] = (await find(form, { sort: 'created' })).submissions;
  expect(await idsIn(form, { from: second?.created_at ?? '', to: third?.created_at ?? '' })).toEqual([second?.id]);
  expect(await idsIn(form, { q: '1', to: first?.created_at ?? '' })).toEqual([]);
  await rowsOf(started.db, 'update submission set assignee = ? where id = ?', [owner.id, ids[1] ?? '']);
  expect(await idsIn(form, { assignee: owner.id })).toEqual([ids[1]]);
  expect(await idsIn(form, { assignee: owner.id, statuses: ['approved'] })).toEqual([]);
  expect(await idsIn(form, { assignee: owner.id, q: '2' })).toEqual([ids[1]]);
});

it('finds neither the trash nor spam', async () => {
  const { form, ids } = await formWith({ name: 'Ada' }, { name: 'Ada' }, { name: 'Ada' });
  await started.client.deleteSubmission(callAs(owner), { form_id: form, id: ids[0] ?? '' });
  await started.client.markSpam(callAs(owner), { form_id: form, id: ids[1] ?? '', spam: true });
  expect(await idsIn(form, { q: 'ada' })).toEqual([ids[2]]);
  await started.client.restoreSubmission(callAs(owner), { form_id: form, id: ids[0] ?? '' });
  expect(await idsIn(form, { q: 'ada' })).toEqual([ids[2], ids[0]]);
});

it('leaves out the answers that do not fit into a page', async () => {
  const { form, ids } = await formWith({ name: 'x'.repeat(600) }, { name: 'y'.repeat(600) });
  const page = await find(form, { max_bytes: 1_000 });
  expect(page.submissions.map(({ id }) => id)).toEqual([ids[1]]);
  expect(page.rest).toEqual([expect.objectContaining({ id: ids[0], data: Buffer.alloc(0) })]);
});

it('goes on where a request had read enough', async () => {
  const form = started.aForm({ fields });
  await rowsOf(
    started.db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
     select gen_random_uuid(), ?, ?, json_build_object('age', n % 2), 1, 'new', now() - n * interval '1 second', now() from generate_series(1, 17000) n`,
    [started.instanceId, form],
  );
  const oldest = await started.submit(form, { age: 0 });
  await rowsOf(started.db, `update submission set created_at = now() - interval '1 day' where id = ?`, [oldest.id]);
  await rowsOf(started.db, 'update submission set assignee = ? where id = ?', [owner.id, oldest.id]);
  await index();
  // As autovacuum would, within a minute.
  await started.db.raw('analyze submission, search_entry, search_number');
  // More than a request may read have such an answer, and only the oldest of them is this person's.
  const asked = { filters: [{ key: 'age', comparison: 'lte', values: ['1'] }], assignee: owner.id };
  const first = await find(form, asked);
  expect(first.submissions).toEqual([]);
  expect(first.total).toBeUndefined();
  const second = await find(form, { ...asked, cursor: first.next_cursor ?? '' });
  expect(second.submissions.map(({ id }) => id)).toEqual([oldest.id]);
  expect(second.next_cursor).toBeUndefined();
});

it('is for people with a role on the form', async () => {
  const { form } = await formWith({ name: 'Ada' });
  await expect(find(form, {}, outsider)).rejects.toThrow(expect.objectContaining({ code: 'forbidden' }) as Problem);
  await expect(find(form, {}, stranger)).rejects.toThrow(expect.objectContaining({ code: 'not_found' }) as Problem);
});

it('asks for the fields of a form once, and again for one that it does not know, such as a fresh one', async () => {
  const { form, ids } = await formWith({ name: 'Ada', age: 36 });
  const before = started.keyQuestions;
  const ofAge = { filters: [{ key: 'age', comparison: 'eq', values: ['36'] }] };
  for (let n = 0; n < 3; n += 1) expect(await idsIn(form, { ...ofAge, sort: 'answers.age' })).toEqual(ids);
  // For the keys, and for the order of the field.
  expect(started.keyQuestions - before).toBe(2);
  const ofTown = { filters: [{ key: 'town', comparison: 'eq', values: ['Paris'] }] };
  await expect(find(form, ofTown)).rejects.toEqual(refused(/^filter\[town\]: no version/));
  started.republish(form, Buffer.from(JSON.stringify([{ key: 'town', label: 'Town', type: 'short_text', required: false }, ...shown])));
  expect(await idsIn(form, ofTown)).toEqual([]);
});

describe('refuses', () => {
  let form: string;
  let cursor: string;
  beforeAll(async () => {
    form = (await formWith({ age: 1 }, { age: 2 })).form;
    cursor = (await find(form, { limit: 1 })).next_cursor ?? '';
  });

  it.each([
    ['words without a letter or digit', { q: '… !' }, /^q: must have a letter or a digit$/],
    ['very many words', { q: Array.from({ length: 21 }, (_, n) => `w${n}`).join(' ') }, /^q: must have at most 20 words$/],
    ['a field that no version has', { filters: [{ key: 'agee', comparison: 'eq', values: ['1'] }] }, /^filter\[agee\]: no version/],
    ['the order of such a field', { sort: 'answers.agee' }, /^sort: no version of the form has the field agee$/],
    [
      'a part of nothing',
      { filters: [{ key: 'name', comparison: 'contains', values: [' '] }] },
      /^filter\[name\]\[contains\]: must have at/,
    ],
    [
      'a part of a number',
      { filters: [{ key: 'age', comparison: 'starts_with', values: ['1'] }] },
      /^filter\[age\]\[starts_with\]: only texts can be compared so/,
    ],
    [
      'a bound that is no number',
      { filters: [{ key: 'age', comparison: 'gte', values: ['old'] }] },
      /^filter\[age\]\[gte\]: must be a number/,
    ],
    ['two bounds in one', { filters: [{ key: 'age', comparison: 'gte', values: ['1', '2'] }] }, /^filter\[age\]\[gte\]: must be a number/],
    [
      'an answered that is neither true nor false',
      { filters: [{ key: 'age', comparison: 'answered', values: ['yes'] }] },
      /must be true or false/,
    ],
    [
      'a long answer',
      { filters: [{ key: 'name', comparison: 'eq', values: ['x'.repeat(101)] }] },
      /^filter\[name\]: must have at most 100/,
    ],
  ])('%s', async (_, asked, message) => {
    await expect(find(form, asked)).rejects.toThrow(refused(message));
  });

  it('a cursor of another form, filter or order, and one that was made up', async () => {
    const other = (await formWith({ age: 1 })).form;
    const wrong = refused(/^cursor: must be a next_cursor of this list$/);
    await expect(find(other, { cursor })).rejects.toThrow(wrong);
    for (const sort of ['created', 'answers.name', 'status']) await expect(find(form, { cursor, sort })).rejects.toThrow(wrong);
    await expect(find(form, { cursor, statuses: ['new'] })).rejects.toThrow(wrong);
    await expect(find(form, { cursor: 'AAAA' })).rejects.toThrow(wrong);
  });

  it.each(['-created', 'updated', 'answers.age'])(
    'a cursor to a place that cannot exist, even with the right checksum, sorted by %s',
    async (sort) => {
      const isByAnswer = sort.startsWith('answers');
      await expectCursorsChecked(
        {
          list: ['submissions', form, { filters: [], sort }],
          real: ['2026-03-02T09:30:00.123456Z', newId(), ...(isByAnswer ? [36] : [])],
          place: [forged.time(), forged.id(), ...(isByAnswer ? [forged.number()] : [])],
        },
        (made) => find(form, { sort, cursor: made }),
      );
    },
  );

  it.each([
    ['answers.name', 'texts', 'Ada'],
    ['answers.name', 'empty'],
    ['status', 'new'],
    ['assignee', newId()],
    ['assignee', 'nobody'],
  ])('such a cursor in a list sorted by %s, in its part %s', async (sort, part, ...value) => {
    await expectCursorsChecked(
      {
        list: ['submissions', form, { filters: [], sort }],
        real: [part, '2026-03-02T09:30:00.123456Z', newId(), ...value],
        place: [forged.text(), forged.time(), forged.id(), ...value.map(() => forged.text())],
      },
      (made) => find(form, { sort, cursor: made }),
    );
  });

  it.each(["'", "' | 'ada", '\\', "a'b:*", '& !', '(ada', 'ada <-> b', ':*', "'; drop table search_entry; --"])(
    'to read %j as anything but words',
    async (q) => {
      await find(form, { q }).catch((error: unknown) => expect(error).toEqual(refused(/^q: /)));
      await find(form, { filters: [{ key: 'name', comparison: 'eq', values: [q] }] });
    },
  );
});
