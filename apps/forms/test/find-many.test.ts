import { newId, type User } from '@sheaf/kernel';
import { aServiceAccount, aUser } from '@sheaf/testing';
import { findForms } from '../src/list/find-forms';
import { db, instanceId, service, useService } from './stage';

useService();

type Search = Parameters<typeof findForms>[2];
type Limits = NonNullable<Parameters<typeof findForms>[3]>;
type Client = Parameters<typeof findForms>[1];

const search = (changes: Partial<Search> = {}): Search => ({
  workspaceId: undefined,
  folderId: undefined,
  status: undefined,
  q: undefined,
  favorite: false,
  shared: false,
  sort: 'updated',
  limit: 25,
  cursor: undefined,
  ...changes,
});

interface Crowd {
  person: User;
  guest: User;
  workspace: string;
}

/** A workspace with many forms, of which a person has some as favourites. A person from elsewhere has grants on some. */
async function crowdOf(count: number, some: number): Promise<Crowd> {
  const workspace = newId();
  const person = aUser({ instanceId, workspaceId: workspace, roles: { [workspace]: 'editor' } });
  const guest = aUser({ instanceId });
  await db.raw(
    `insert into form (id, instance_id, workspace_id, creator_kind, creator_id, title, status, current_version, publish_mode, created_at, updated_at)
     select gen_random_uuid(), :instance, :workspace, 'user', gen_random_uuid(),
            case when n % 2 = 0 then 'Common ' else 'Rarely ' end || md5(n::text), (array['active', 'archived', 'disabled'])[1 + n % 3], 0, 'draft',
            now() + make_interval(secs => n), now() + make_interval(secs => n * 7919 % :count)
       from generate_series(1, :count) n`,
    { instance: instanceId, workspace, count },
  );
  const someForms =
    '(select id, row_number() over (order by created_at) as n from form where workspace_id = :workspace) as f where n % :each = 0';
  const each = Math.floor(count / some);
  await db.raw(`insert into favorite select id, :person, now() from ${someForms}`, { person: person.id, workspace, each });
  await db.raw(`insert into form_grant select id, :guest, 'viewer', now() from ${someForms}`, { guest: guest.id, workspace, each });
  // Stands in for autovacuum, which is off in tests.
  for (const table of ['form', 'favorite', 'form_grant']) await db.raw('vacuum analyze ??', [table]);
  return { person, guest, workspace };
}

/** All ids of a list, read in pages. */
async function inPages(caller: Client, wanted: Search, most: Limits): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await findForms({ db }, caller, { ...wanted, cursor }, most);
    found.push(...page.forms.map(({ form }) => form.id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

describe('a list that reads as little as it can', () => {
  const wide = { walked: 1_000, candidates: 1_000, counted: 1_000 };
  let crowd: Crowd;
  beforeAll(async () => {
    crowd = await crowdOf(60, 20);
  });

  const sorts = ['updated', '-updated', 'created', '-created', 'title', '-title'] as const;
  it.each<[string, Partial<Search>, 'person' | 'guest']>([
    ['a title', { q: 'rarely' }, 'person'],
    ['a title of few letters', { q: 'a1' }, 'person'],
    ['favourites', { favorite: true }, 'person'],
    ['favourites with a title', { favorite: true, q: 'common' }, 'person'],
    ['shared forms', { shared: true }, 'guest'],
    ['shared forms of a status', { shared: true, status: 'active' }, 'guest'],
  ])('finds all by %s, in order', async (_, filter, who) => {
    for (const sort of sorts) {
      const wanted = search({ ...filter, sort, limit: 4 });
      const all = await inPages(crowd[who], wanted, wide);
      expect(all.length).toBeGreaterThan(3);
      for (const walked of [5, 7, 1_000])
        for (const candidates of [1, 1_000]) expect(await inPages(crowd[who], wanted, { walked, candidates, counted: 10 })).toEqual(all);
    }
  });

  it('says how many forms there are, or at least are', async () => {
    const totalOf = async (filter: Partial<Search>, most: Partial<Limits> = {}) => {
      const { total, isExact } = await findForms({ db }, crowd.person, search({ limit: 4, ...filter }), { ...wide, ...most });
      return { total, isExact };
    };
    expect(await totalOf({})).toEqual({ total: 60, isExact: true });
    expect(await totalOf({ status: 'archived' })).toEqual({ total: 20, isExact: true });
    expect(await totalOf({}, { counted: 59 })).toEqual({ total: 59, isExact: false });
    expect(await totalOf({ favorite: true })).toEqual({ total: 20, isExact: true });
    expect(await totalOf({ favorite: true }, { candidates: 1 })).toEqual({ total: 4, isExact: false });
  });
});

describe('a page among many forms', () => {
  let crowd: Crowd;
  beforeAll(async () => {
    crowd = await crowdOf(20_000, 100);
  });

  /** The most rows that a step of the statements of one page has read. */
  async function rowsRead(caller: Client, wanted: Partial<Search>): Promise<number> {
    service.queries.length = 0;
    await findForms({ db }, caller, search(wanted));
    let most = 0;
    for (const { sql, bindings } of [...service.queries]) {
      const { rows } = await db.raw<{ rows: { 'QUERY PLAN': { Plan: Step }[] }[] }>(
        `explain (analyze, format json) ${sql.replace(/\$\d+/g, '?')}`,
        bindings,
      );
      for (const step of rows[0]?.['QUERY PLAN'] ?? []) most = Math.max(most, rowsOfStep(step.Plan));
    }
    return most;
  }

  it.each<[Partial<Search>]>([
    [{}],
    [{ sort: '-updated' }],
    [{ sort: 'created', status: 'archived' }],
    [{ sort: 'title' }],
    [{ folderId: 'none', sort: '-title' }],
    [{ favorite: true }],
    [{ favorite: true, q: 'common' }],
    [{ q: 'common' }],
    [{ q: 'c4ca4238' }],
    [{ q: 'c4', sort: 'title' }],
    [{ q: 'nowhere' }],
    [{ status: 'trashed' }],
  ])('reads few of them for %j', async (wanted) => {
    expect(await rowsRead(crowd.person, wanted)).toBeLessThanOrEqual(2_001);
    const { nextCursor } = await findForms({ db }, crowd.person, search(wanted));
    if (nextCursor !== undefined) expect(await rowsRead(crowd.person, { ...wanted, cursor: nextCursor })).toBeLessThanOrEqual(2_001);
  });

  it('reads few of them for people from elsewhere and for programs', async () => {
    expect(await rowsRead(crowd.guest, { shared: true })).toBeLessThanOrEqual(2_001);
    expect(await rowsRead(crowd.guest, { workspaceId: crowd.workspace, q: 'common' })).toBeLessThanOrEqual(2_001);
    expect(await rowsRead(aServiceAccount({ instanceId }), { sort: 'title' })).toBeLessThanOrEqual(2_001);
    expect(await rowsRead(aServiceAccount({ instanceId }), { q: 'c4ca4238' })).toBeLessThanOrEqual(2_001);
  });

  it('finds a rare title at once', async () => {
    expect(await findForms({ db }, crowd.person, search({ q: 'C4CA4238' }))).toMatchObject({
      total: 1,
      nextCursor: undefined,
      forms: [{ form: { title: 'Rarely c4ca4238a0b923820dcc509a6f75849b' } }],
    });
  });
});

interface Step {
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Step[];
}

/** The most rows that this step or one below it has read. */
const rowsOfStep = (step: Step): number =>
  Math.max(
    ((step['Actual Rows'] ?? 0) + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0)) *
      (step['Actual Loops'] ?? 1),
    ...(step.Plans ?? []).map(rowsOfStep),
  );
