import { newId } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { callAs, connectionsDieAt, eventually, refused } from '@sheaf/testing';
import { silentLog } from '@sheaf/runtime';
import { followForms } from '../src/erasing/follow-forms';
import { countWaiting } from '../src/insights/count-waiting';
import { filterOfAll, findAll } from '../src/search/find-all';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());
beforeEach(() => (started.owned = []));

const isAnyWaiting = async () =>
  (await rowsOf(started.db, '(select from search_pending limit 1) union all (select from reindex limit 1)')).length > 0;
/** Once more where the process itself was indexing, which one may do at a time. */
const index = async () => {
  do await indexWaiting(started.deps, new AbortController().signal);
  while (await isAnyWaiting());
};
const indexBriefly = () => indexWaiting(started.deps, AbortSignal.abort());

/** The event that `forms` sends about a form. */
const hear = (form_id: string, keeping: object) =>
  followForms(started.deps, silentLog(), [
    {
      id: newId(),
      type: 'form.keeping_changed',
      instanceId: started.instanceId,
      subject: form_id,
      formId: form_id,
      occurredAt: started.clock.now(),
      body: JSON.stringify({ form_id, workspace_id: started.workspaceId, legal_hold: false, ...keeping }),
    },
  ]);
const switchOff = (form: string) => hear(form, { searchable: false });
const switchOn = (form: string) => hear(form, { searchable: true });

/** Submissions of Ada that are 1 to `count` seconds old. */
const insertMany = (form: string, count: number) =>
  rowsOf(
    started.db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
     select gen_random_uuid(), ?, ?, '{"name":"Ada","stars":4}', 1, 'new', now() - n * interval '1 second', now() from generate_series(1, ?) n`,
    [started.instanceId, form, count],
  );
const fillBlocks = async (form: string) => {
  started.clock.set(new Date(Date.now() + 120_000).toISOString());
  started.searchBlocks.request(form);
  await started.searchBlocks.idle();
};

const searchTables = ['search_entry', 'search_number', 'search_block', 'search_pending', 'reindex'] as const;
const countsOf = async (form: string) => {
  const counts: Record<string, number> = {};
  for (const table of searchTables) counts[table] = (await started.db(table).where({ form_id: form })).length;
  return counts;
};
const nothing = Object.fromEntries(searchTables.map((table) => [table, 0]));

type Wanted = Partial<Parameters<typeof started.client.findSubmissions>[1]>;
const find = (form_id: string, wanted: Wanted = { q: 'ada' }) =>
  started.client.findSubmissions(callAs(owner), { form_id, limit: 100, statuses: [], filters: [], sort: '-created', ...wanted });
const foundIds = async (form: string, wanted?: Wanted) => (await find(form, wanted)).submissions.map(({ id }) => id);
const fileOf = async (form_id: string, wanted: object) => {
  const parts: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(owner), { form_id, format: 'ndjson', ...wanted })) parts.push(data);
  return Buffer.concat(parts).toString();
};

describe('a form for which searching is switched off', () => {
  it('leaves nothing in the index, of which other forms lose nothing', async () => {
    const [form, other] = [started.aForm(), started.aForm()];
    await insertMany(form, 600);
    await started.submit(other);
    await index();
    await fillBlocks(form);
    expect(await countsOf(form)).toMatchObject({ search_entry: 600, search_number: 600, search_block: 1 });
    await switchOff(form);
    await index();
    expect(await countsOf(form)).toEqual(nothing);
    expect(await foundIds(other)).toHaveLength(1);
  });

  it('refuses what only the index finds, naming the parameter, and lists its submissions', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form, { name: 'Ada', stars: 4 });
    await switchOff(form);
    await index();
    const off = (parameter: string) => refused('bad_request', `${parameter}: searching is switched off for this form`);
    await expect(find(form)).rejects.toEqual(off('q'));
    const filters = [{ key: 'stars', comparison: 'gte', values: ['3'] }];
    await expect(find(form, { filters })).rejects.toEqual(off('filter[stars][gte]'));
    await expect(find(form, { sort: 'answers.stars' })).rejects.toEqual(off('sort'));
    await expect(fileOf(form, { q: 'ada' })).rejects.toEqual(off('q'));
    await expect(fileOf(form, { filters })).rejects.toEqual(off('filter[stars][gte]'));
    expect(await fileOf(form, {})).toContain(id);
    const since = '2020-01-01T00:00:00Z';
    for (const wanted of [{}, { statuses: ['new'] }, { from: since }, { changed_since: since, sort: 'updated' }])
      expect(await foundIds(form, wanted)).toEqual([id]);
    expect(await find(form, {})).not.toHaveProperty('indexed', false);
  });

  it('ends an export with conditions that has begun, because it would lack submissions', async () => {
    const form = started.aForm();
    await insertMany(form, 600);
    await index();
    const conditions = { formId: form, q: 'ada', filters: [], statuses: undefined };
    const filter = await filterOfAll(started.deps, { caller: owner, call: callAs(owner) }, conditions);
    const pages = findAll(started.deps, conditions, filter);
    expect((await pages.next()).value).toHaveLength(500);
    await switchOff(form);
    await index();
    await expect(pages.next()).rejects.toEqual(refused('bad_request', 'q: searching is switched off for this form'));
  });

  it('stays so if its retention changes, told by a release that does not know of this', async () => {
    const form = started.aForm();
    await switchOff(form);
    await hear(form, { trash_days: 7 });
    await expect(find(form)).rejects.toEqual(refused('bad_request', 'q: searching is switched off for this form'));
  });

  it('counts its submissions for insights all the same', async () => {
    const form = started.aForm();
    await switchOff(form);
    await started.submit(form, { name: 'Ada', stars: 4 });
    await index();
    await countWaiting(started.deps, new AbortController().signal);
    expect(await started.db('insight_counted').where({ form_id: form })).toHaveLength(1);
    expect(await countsOf(form)).toEqual(nothing);
  });

  it('is named when a person is looked for or erased, as it may have submissions of theirs', async () => {
    const [form, searched] = [started.aForm(), started.aForm()];
    started.owned = [form, searched].map((id) => ({ id, workspace_id: started.workspaceId, legal_hold: false }));
    const value = `person-${newId()}`;
    await started.submit(form, { name: value });
    const { id } = await started.submit(searched, { name: value });
    await switchOff(form);
    await index();
    const found = await started.client.findSubject(callAs(owner), { value, limit: 25 });
    expect(found).toMatchObject({ matches: [{ submission_id: id }], indexed: false });
    const erase = () => started.client.eraseSubject(callAs(owner), { value });
    expect(await erase()).toMatchObject({ erased: 1, unsearched_form_ids: [form] });
    await switchOn(form);
    expect(await erase()).toMatchObject({ unsearched_form_ids: [form] });
    await index();
    expect(await erase()).toMatchObject({ erased: 1, unsearched_form_ids: [] });
  });
});

describe('a form for which searching is switched on again', () => {
  it('finds all of its submissions, in the list, the trash and spam, also those that were stored meanwhile', async () => {
    const form = started.aForm();
    started.owned = [{ id: form, workspace_id: started.workspaceId, legal_hold: false }];
    await switchOff(form);
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await started.submit(form)).id);
    const [listed = '', other = '', trashed = '', spam = ''] = ids;
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id: trashed });
    await started.client.markSpam(callAs(owner), { form_id: form, id: spam, spam: true });
    await index();
    await switchOn(form);
    expect(await find(form)).toMatchObject({ indexed: false });
    await expect(fileOf(form, { q: 'ada' })).rejects.toEqual(refused('unavailable'));
    await index();
    expect(await find(form)).toMatchObject({ indexed: true });
    expect((await foundIds(form)).sort()).toEqual([listed, other].sort());
    const { matches } = await started.client.findSubject(callAs(owner), { value: 'ada', limit: 25 });
    expect(matches.map(({ submission_id: id }) => id).sort()).toEqual(ids.sort());
  });

  it('is indexed completely if that stopped in the middle, or searching was switched off and on meanwhile', async () => {
    const form = started.aForm();
    await insertMany(form, 1_100);
    await index();
    await fillBlocks(form);
    await switchOff(form);
    await indexBriefly();
    await switchOn(form);
    for (let round = 0; round < 4; round++) await indexBriefly();
    expect(await find(form)).toMatchObject({ indexed: false });
    await fillBlocks(form);
    expect(await countsOf(form)).toMatchObject({ search_block: 0, reindex: 1 });
    await index();
    await fillBlocks(form);
    expect(await countsOf(form)).toEqual({ ...nothing, search_entry: 1_100, search_number: 1_100, search_block: 2 });
    expect((await find(form, { q: 'ada', sort: 'created' })).indexed).toBe(true);
  });

  it.each(['before insert on search_entry', 'before delete on reindex'])('is indexed completely if the process died %s', async (point) => {
    const form = started.aForm();
    await switchOff(form);
    await insertMany(form, 250);
    await index();
    await switchOn(form);
    const breaking = await connectionsDieAt(started.db, point);
    await expect(index()).rejects.toThrow();
    await eventually(async () => expect(await breaking.deaths()).toBeGreaterThan(0));
    await breaking.end();
    await index();
    expect(await countsOf(form)).toMatchObject({ search_entry: 250, reindex: 0 });
  });
});
