import { newId, type User } from '@sheaf/kernel';
import { cursorAfter } from '@sheaf/rpc';
import { aUser, callAs, expectCursorsChecked, forged, refused } from '@sheaf/testing';
import fc from 'fast-check';
import { finishErasures } from '../src/erasing/finish-erasures';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner, clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());
beforeEach(() => (started.owned = []));

const index = () => indexWaiting(started.deps, new AbortController().signal);
const anOwnedForm = (settings: Parameters<typeof started.aForm>[0] & { isHeld?: boolean } = {}): string => {
  const { isHeld = false, ...form } = settings;
  const id = started.aForm({ ...form, legal_hold: isHeld });
  started.owned.push({ id, workspace_id: started.workspaceId, legal_hold: isHeld });
  return id;
};
const submit = async (form: string, data: object) => (await started.submit(form, data)).id;
const find = (value: string, page: { limit?: number; cursor?: string } = {}, by: User = owner) =>
  started.client.findSubject(callAs(by), { value, limit: 25, ...page });
const foundIds = async (value: string) => (await find(value)).matches.map(({ submission_id: id }) => id);
const erase = (value: string, cursor?: string) =>
  started.client.eraseSubject(callAs(owner), { value, ...(cursor === undefined ? {} : { cursor }) });
const remaining = async (...forms: string[]) =>
  (await started.db<{ id: string; form_id: string }>('submission').whereIn('form_id', forms).orderBy('id').select('id')).map(
    ({ id }) => id,
  );

it('a person is found in all forms of the caller, in the list, the trash and spam, by an answer that equals the value', async () => {
  const [first, second, foreign] = [anOwnedForm(), anOwnedForm(), started.aForm()];
  const listed = await submit(first, { name: 'Ada Lovelace', story: 'It rained.' });
  const trashed = await submit(second, { name: 'ADA  LOVELACE' });
  const spam = await submit(second, { name: 'x', story: 'Ada Lovelace' });
  const others = [await submit(first, { name: 'Ada Lovelace Jr' }), await submit(first, { name: 'Lovelace, Ada' })];
  await submit(foreign, { name: 'Ada Lovelace' });
  await started.client.deleteSubmission(callAs(owner), { form_id: second, id: trashed });
  await started.client.markSpam(callAs(owner), { form_id: second, id: spam, spam: true });
  await index();

  const { matches, next_cursor: next, indexed } = await find('ada lovelace');
  expect({ next, indexed }).toEqual({ next: undefined, indexed: true });
  expect(matches.map(({ form_id, submission_id, place, keys }) => [form_id, submission_id, place, keys])).toEqual(
    [
      [first, listed, 'list', ['name']],
      [second, spam, 'spam', ['story']],
      [second, trashed, 'trash', ['name']],
    ].sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)),
  );
  expect(JSON.parse(matches.find(({ submission_id }) => submission_id === listed)?.data.toString() ?? '')).toEqual({
    name: 'Ada Lovelace',
    story: 'It rained.',
  });
  expect(await foundIds('lovelace')).toEqual([]);
  expect(others.some((id) => matches.map(({ submission_id }) => submission_id).includes(id))).toBe(false);
});

it('each submission of a person that is found tells who got its answers and when, once an hour, also in the trash and spam', async () => {
  const form = anOwnedForm();
  const value = `person-${newId()}@example.org`;
  const ids = [await submit(form, { name: value }), await submit(form, { name: value }), await submit(form, { name: value })];
  const [, trashed = '', spam = ''] = ids;
  const other = await submit(form, { name: 'Somebody else' });
  await started.client.deleteSubmission(callAs(owner), { form_id: form, id: trashed });
  await started.client.markSpam(callAs(owner), { form_id: form, id: spam, spam: true });
  await index();
  const deedsOf = async (id: string) =>
    (
      await started
        .db<{ submission_id: string; kind: string; actor_id: string; done_at: Date }>('submission_deed')
        .where({ submission_id: id })
        .orderBy('position')
    )
      .filter(({ kind }) => kind === 'looked_up')
      .map(({ actor_id: by, done_at: at }) => ({ by, at: at.toISOString() }));
  const first = { by: owner.id, at: clock.now().toISOString() };
  expect((await foundIds(value)).sort()).toEqual([...ids].sort());
  for (const id of ids) expect(await deedsOf(id)).toEqual([first]);
  expect(await deedsOf(other)).toEqual([]);

  clock.advance(3_599_999);
  await foundIds(value);
  expect(await deedsOf(spam)).toEqual([first]);
  const colleague = aUser({ instanceId: started.instanceId, roles: { [started.workspaceId]: 'owner' } });
  const second = { by: colleague.id, at: clock.now().toISOString() };
  await find(value, {}, colleague);
  expect(await deedsOf(spam)).toEqual([first, second]);
  clock.advance(1);
  await foundIds(value);
  expect(await deedsOf(spam)).toEqual([first, second, { by: owner.id, at: clock.now().toISOString() }]);

  const { deeds } = await started.client.getHistory(callAs(owner), { form_id: form, id: ids[0] ?? '' });
  expect(deeds.map(({ kind, actor_id: by }) => [kind, by])).toContainEqual(['looked_up', colleague.id]);
  await started.client.eraseSubmission(callAs(owner), { form_id: form, id: trashed });
  expect(await deedsOf(trashed)).toEqual([]);
});

it('of those who looked for a person the activity has the latest 50, which push out nothing else', async () => {
  const form = anOwnedForm();
  const id = await submit(form, { name: 'Ada' });
  await started.db.raw(
    `insert into submission_deed (submission_id, kind, actor_kind, actor_id, done_at)
     select ?, case when n <= 2 then 'released' else 'looked_up' end, 'user', ?, ?::timestamptz + n * interval '1 hour' from generate_series(1, 1002) as n`,
    [id, owner.id, clock.now()],
  );
  const { deeds } = await started.client.getHistory(callAs(owner), { form_id: form, id });
  expect(deeds.map(({ kind }) => kind)).toEqual(['released', 'released', ...Array<string>(50).fill('looked_up')]);
});

it('a person is found, and erased, by an e-mail address and a phone number in every spelling', async () => {
  const form = anOwnedForm();
  const mail = await submit(form, { name: 'anna@xn--bcher-kva.example' });
  const phone = await submit(form, { name: 'Anna', story: '+49170 76543210' });
  const other = await submit(form, { name: '+49 170 76543211', story: 'anna@bücher.example.org' });
  await index();
  for (const value of ['anna@bücher.example', 'Anna@XN--BCHER-KVA.example']) expect(await foundIds(value)).toEqual([mail]);
  for (const value of ['+49 170 765 432 10', '0049 170 76543210', '+4917076543210', '+49 (0)170-76543210'])
    expect([value, await foundIds(value)]).toEqual([value, [phone]]);
  expect(await erase('004917076543210')).toMatchObject({ erased: 1 });
  expect(await erase('anna@bücher.example')).toMatchObject({ erased: 1 });
  await finishErasures(started.deps, { watchMs: 0 });
  expect(await remaining(form)).toEqual([other]);
});

it('a person is found, and erased, by a part of an answer, and by an answer in an item of a repeat', async () => {
  const form = anOwnedForm({
    fields: Buffer.from(
      JSON.stringify([
        { key: 'home', label: 'Home', type: 'address', parts: [{ part: 'line1' }, { part: 'city' }] },
        { key: 'guests', label: 'Guests', type: 'repeat', fields: [{ key: 'mail', label: 'E-mail', type: 'email' }] },
      ]),
    ),
  });
  const guest = await submit(form, { guests: [{ mail: 'bob@x.example' }, { mail: 'cleo@x.example' }] });
  const lodger = await submit(form, { home: { line1: 'c/o Cleo Marsh', city: 'Bern' } });
  const other = await submit(form, { guests: [{ mail: 'cleo@y.example' }] });
  await index();
  expect((await find('cleo@x.example')).matches).toMatchObject([{ submission_id: guest, keys: ['guests'] }]);
  expect((await find('c/o Cleo Marsh')).matches).toMatchObject([{ submission_id: lodger, keys: ['home'] }]);
  await erase('cleo@x.example');
  expect(await remaining(form)).toEqual([lodger, other].sort());
});

it('pages go on from a cursor, within a form and over forms, and find each submission once', async () => {
  const forms = [anOwnedForm(), anOwnedForm(), anOwnedForm()];
  const value = `Ada ${newId()}`;
  const ids: string[] = [];
  for (const form of forms) for (let n = 0; n < 7; n++) ids.push(await submit(form, { name: value }));
  await index();
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await find(value, { limit: 4, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.matches.length).toBeLessThanOrEqual(4);
    found.push(...page.matches.map(({ submission_id: id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(found.sort()).toEqual(ids.sort());
});

it('a cursor to a place that cannot exist is refused, even with the right checksum', async () => {
  anOwnedForm();
  const list = ['subjects', started.instanceId, owner.id, 'Grace Hopper'];
  const beginning = '00000000-0000-0000-0000-000000000000';
  await expectCursorsChecked(
    { list, real: [beginning, '2026-03-02T09:30:00.123456Z', newId()], place: [fc.constant(beginning), forged.time(), forged.id()] },
    (cursor) => find('Grace Hopper', { cursor }),
  );
  await find('Grace Hopper', { cursor: cursorAfter([beginning, '', ''], list) });
});

it('a cursor of another value or person is refused, and so is a value without words or with too many', async () => {
  const form = anOwnedForm();
  for (let n = 0; n < 3; n++) await submit(form, { name: 'Grace Hopper' });
  await index();
  const { next_cursor: cursor = '' } = await find('Grace Hopper', { limit: 1 });
  expect(cursor).not.toBe('');
  await expect(find('Grace', { cursor })).rejects.toEqual(refused('bad_request'));
  const other = aUser({ instanceId: started.instanceId, roles: { [started.workspaceId]: 'owner' } });
  await expect(find('Grace Hopper', { cursor }, other)).rejects.toEqual(refused('bad_request'));
  await expect(find('--')).rejects.toEqual(refused('bad_request'));
  await expect(find('a '.repeat(30))).rejects.toEqual(refused('bad_request'));
  await expect(find("Robert'); drop table submission; --*")).resolves.toMatchObject({ matches: [] });
});

it('erasing a person erases every submission that is found, of which subscribers hear, and leaves all others', async () => {
  const [first, second] = [anOwnedForm(), anOwnedForm()];
  const value = `person-${newId()}@example.org`;
  const listed = await submit(first, { name: value });
  const trashed = await submit(second, { name: 'x', story: value });
  const stays = await submit(first, { name: `not ${value}` });
  await started.client.deleteSubmission(callAs(owner), { form_id: second, id: trashed });
  await index();

  const erasure = await erase(value.toUpperCase());
  expect(erasure).toMatchObject({ erased: 2, held_form_ids: [] });
  expect(erasure.erasure_ids).toHaveLength(2);
  expect(erasure.next_cursor).toBeUndefined();
  await expect(erase(value, 'x')).rejects.toEqual(refused('bad_request'));
  await finishErasures(started.deps, { watchMs: 0 });
  expect(await remaining(first, second)).toEqual([stays]);
  const { rows } = await started.db.raw<{ rows: { type: string; body: string }[] }>(
    `select type, body from outbox where subject in ('${listed}', '${erasure.erasure_ids.join("','")}') order by position`,
  );
  expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(['submission.deleted', 'submission.erased', 'erasure.begun']));
  expect(rows.find(({ type }) => type === 'erasure.begun')?.body).toContain('"reason":"person"');
  expect(await erase(value)).toMatchObject({ erased: 0 });
});

it('a form of which a submission is not indexed yet is named, until it is found', async () => {
  const [form, other] = [anOwnedForm(), anOwnedForm()];
  const value = `person-${newId()}`;
  await submit(other, { name: value });
  await index();
  const early = await submit(form, { name: value });
  expect(await find(value)).toMatchObject({ indexed: false });
  expect(await erase(value)).toMatchObject({ erased: 1, unsearched_form_ids: [form] });
  await index();
  expect(await foundIds(value)).toEqual([early]);
  expect(await erase(value)).toMatchObject({ erased: 1, unsearched_form_ids: [] });
});

it('a form under legal hold keeps its submissions, and is named', async () => {
  const [held, free] = [anOwnedForm({ isHeld: true }), anOwnedForm()];
  const value = `person-${newId()}`;
  const kept = await submit(held, { name: value });
  await submit(free, { name: value });
  await index();
  expect(await erase(value)).toMatchObject({ erased: 1, held_form_ids: [held] });
  expect(await remaining(held, free)).toEqual([kept]);
  clock.advance(1);
});
