import * as given from '../../support/given';
import { asMember, asOwner, credentials } from '../../support/people';
import { eventually } from '@sheaf/testing';

const fields = [
  { key: 'name', label: 'Name', type: 'short_text' },
  { key: 'age', label: 'Age', type: 'integer' },
  { key: 'colours', label: 'Colours', type: 'multi_select', options: ['Red', 'Green'] },
];

describe('a person who looks for submissions', () => {
  let form: string;
  let ids: string[];
  const find = async (query: string) => asOwner.get(`/app/v1/forms/${form}/submissions?${query}`);
  const found = async (query: string) => {
    const { status, body } = await find(query);
    expect(status).toBe(200);
    return (body as { data: { id: string }[] }).data.map(({ id }) => ids.indexOf(id));
  };
  beforeAll(async () => {
    form = await given.publishedForm({ fields });
    ids = [];
    for (const data of [
      { name: 'Ada Lovelace', age: 36, colours: ['Red'] },
      { name: 'Charles Babbage', age: 79 },
      { name: 'Grace Hopper', age: 85, colours: ['Green'] },
    ])
      ids.push(await given.submission(form, data));
  });

  it('sees a new one in the list at once, and finds it by a word soon', async () => {
    expect(await found('')).toEqual([2, 1, 0]);
    await eventually(async () => expect(await found('q=grace')).toEqual([2]));
  });

  it('finds by words, answers, ranges and status, in any order', async () => {
    await eventually(async () => expect(await found('q=grace')).toEqual([2]));
    expect(await found('q=LOVE*')).toEqual([0]);
    expect(await found('filter[colours]=red&filter[colours]=green')).toEqual([2, 0]);
    expect(await found('filter[age][gte]=70&filter[age][lt]=80')).toEqual([1]);
    expect(await found('filter[colours][answered]=false')).toEqual([1]);
    expect(await found('filter[name][contains]=love&filter[age][empty]=false')).toEqual([0]);
    expect(await found('sort=answers.age')).toEqual([0, 1, 2]);
    expect(await found('sort=-answers.name')).toEqual([2, 1, 0]);
    // Nobody's answer is the last one in both directions.
    expect(await found('sort=answers.colours')).toEqual([0, 2, 1]);
    expect(await found('sort=-answers.colours')).toEqual([2, 0, 1]);
    expect(await found('sort=assignee')).toEqual([0, 1, 2]);
    expect(await found('status=approved,new&sort=created')).toEqual([0, 1, 2]);
    expect(await found('status=approved')).toEqual([]);
  });

  it('gets 400 while its author has searching switched off, and finds all again afterwards', async () => {
    const mine = await given.publishedForm({ fields });
    const path = `/app/v1/forms/${mine}`;
    const search = () => asOwner.get(`${path}/submissions?q=ada`);
    expect(await asOwner.patch(path, { searchable: false })).toMatchObject({ status: 200, body: { searchable: false } });
    const id = await given.submission(mine, { name: 'Ada' });
    await eventually(async () =>
      expect(await search()).toMatchObject({
        status: 400,
        body: { error: { message: 'q: searching is switched off for this form' } },
      }),
    );
    expect((await asOwner.get(`${path}/submissions`)).body).toMatchObject({ data: [{ id }] });
    await asOwner.patch(path, { searchable: null });
    await eventually(async () => expect((await search()).body).toMatchObject({ data: [{ id }], indexed: true }));
  });

  it('follows the changes since a time, the oldest first', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    expect(await found(`changed_since=${since}`)).toEqual([0, 1, 2]);
    const mine = await given.publishedForm({ fields });
    const [one, two] = [await given.submission(mine, { name: 'One' }), await given.submission(mine, { name: 'Two' })];
    await asOwner.put(`/app/v1/forms/${mine}/submissions/${one}/assignee`, { user_id: credentials.user.id });
    const changes = async (query: string) =>
      ((await asOwner.get(`/app/v1/forms/${mine}/submissions?${query}`)).body as { data: { id: string; updated_at: string }[] }).data;
    const all = await changes(`changed_since=${since}`);
    expect(all.map(({ id }) => id)).toEqual([two, one]);
    expect((await changes(`changed_since=${all[1]?.updated_at}`)).map(({ id }) => id)).toEqual([one]);
    expect((await changes('sort=-updated')).map(({ id }) => id)).toEqual([one, two]);
  });

  it('finds by a field that only an earlier version has, and by one that only the newest has', async () => {
    const mine = await given.publishedForm({ fields: [{ key: 'town', label: 'Town', type: 'short_text' }] });
    const before = await given.submission(mine, { town: 'Bath' });
    await given.publishAgain(mine, { fields: [{ key: 'people', label: 'People', type: 'integer' }] });
    const after = await given.submission(mine, { people: 3 });
    const idsOf = async (query: string) =>
      ((await asOwner.get(`/app/v1/forms/${mine}/submissions?${query}`)).body as { data: { id: string }[] }).data.map(({ id }) => id);
    await eventually(async () => expect(await idsOf('filter[people][gte]=2')).toEqual([after]));
    expect(await idsOf('filter[town]=bath')).toEqual([before]);
    expect(await idsOf('filter[people][answered]=false')).toEqual([before]);
    expect(await idsOf('filter[town]=bath&filter[people]=3')).toEqual([]);
  });

  it('gets pages with a cursor, and the total where it is known', async () => {
    const first = (await find('limit=2')).body as { next_cursor: string };
    expect(first).toMatchObject({ total: 3, data: [{ id: ids[2], edited: false }, { id: ids[1] }] });
    expect((await find(`limit=2&cursor=${first.next_cursor}`)).body).toMatchObject({ data: [{ id: ids[0] }], next_cursor: null });
  });

  it.each([
    ['q=', 'q: must have between 1 and 200 characters'],
    ['Q=ada', 'Q: is not a parameter of this operation'],
    ['filter=red', 'filter: is not a parameter of this operation'],
    [
      'filter[]=red',
      'filter[]: must have the key of a field in brackets, such as filter[age], or one of _version, _language, _files, _created, _in, _match',
    ],
    ['filter[colour]=red', 'filter[colour]: no version of the form has this field'],
    [
      'filter[age][about]=3',
      'filter[age][about]: the comparison must be one of eq, ne, gt, gte, lt, lte, contains, starts_with, within, answered, empty',
    ],
    ['filter[age][gt]=old', 'filter[age][gt]: must be a number, a date, a time, or a date-time such as 2026-05-31T14:30:00Z'],
    ['status=lost', 'status.0: must be one of new, in_review, approved, rejected, archived, pending_payment'],
    [
      'sort=name',
      'sort: must be created, updated, status, assignee or answers.<key>, with the key of a field, or one of these with a - before it',
    ],
    ['changed_since=yesterday', 'changed_since: must be an RFC 3339 date-time with an offset, such as 2026-05-31T14:30:00Z'],
    ['changed_since=2026-05-31T14:30:00Z&sort=created', 'changed_since: can only be combined with sort=updated and sort=-updated'],
    ['cursor=AAAA', 'cursor: must be a next_cursor of this list'],
    ['limit=101', 'limit: must be between 1 and 100'],
  ])('is told what is wrong with ?%s', async (query, message) => {
    expect(await find(query)).toMatchObject({ status: 400, body: { error: { code: 'bad_request', message } } });
  });

  it('needs a role on the form', async () => {
    const viewer = await asMember('viewer');
    expect((await viewer.get(`/app/v1/forms/${form}/submissions?q=ada`)).status).toBe(200);
  });
});
