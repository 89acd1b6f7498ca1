import type { formSorts } from '@sheaf/contracts';
import { exactTime, readOf, type Database } from '@sheaf/postgres';
import type { FormStatus, ListedFormRow } from '../rows';

/** The place in which a list looks for forms: a workspace, one folder of it or its unfiled forms (null), or else the whole instance. */
export interface Scope {
  instanceId: string;
  workspaceId: string | undefined;
  folderId: string | null | undefined;
  statuses: readonly FormStatus[];
}

/** The conditions that no index of the scope's order carries. */
export interface Conditions {
  /** The forms that this caller has as favourites. */
  favoriteOf: string | undefined;
  /** The forms granted to this user, outside the given workspaces. */
  grantedTo: { userId: string; outside: readonly string[] } | undefined;
  /** A part of the title. */
  q: string | undefined;
}

/** A form's place in the order of a list. */
export interface Place {
  id: string;
  place: string;
}

export interface Order {
  sort: (typeof formSorts)[number];
  after: Place | undefined;
}

const time = { type: 'timestamptz', isDescending: true, printed: exactTime };
const keys = {
  updated: { ...time, column: 'f.updated_at' },
  created: { ...time, column: 'f.created_at' },
  title: { type: 'text', isDescending: false, printed: (place: string) => place, column: 'title_place(f.title) collate "C"' },
};

function keyOf({ sort }: Order) {
  const { column, type, isDescending, printed } = keys[sort.replace('-', '') as keyof typeof keys];
  const [direction, after] = isDescending === sort.startsWith('-') ? ['asc', '>'] : ['desc', '<'];
  return {
    column,
    printed,
    orderBy: (place: string, id: string) => `order by ${place} ${direction}, ${id} ${direction}`,
    isAfter: `(${column}, f.id) ${after} (cast(:place as ${type}), cast(:id as uuid))`,
  };
}

function withinScope({ workspaceId, folderId }: Scope): string {
  if (workspaceId === undefined) return 'f.instance_id = :instance';
  const inWorkspace = 'f.workspace_id = :workspace and f.instance_id = :instance';
  if (folderId === undefined) return inWorkspace;
  return `${inWorkspace} and f.folder_id ${folderId === null ? 'is null' : '= :folder'}`;
}

/**
 * Runs a statement that is not kept prepared: there are hundreds of such texts, and a plan that suits any values may read the whole workspace.
 */
async function planned<Row>(db: Database, sql: string, values: Record<string, string | number | string[] | null>): Promise<Row[]> {
  return (await db.raw<{ rows: Row[] }>(sql, values)).rows;
}

const scopeValues = ({ instanceId, workspaceId, folderId }: Scope) => ({
  instance: instanceId,
  workspace: workspaceId ?? null,
  folder: folderId ?? null,
});

/** The first forms of the scope in the order of the list. Each status is a range of an index; a form in another status costs nothing. */
function inOrder(scope: Scope, order: Order): string {
  const { column, isAfter, orderBy } = keyOf(order);
  const ranges = scope.statuses.map(
    (_, index) => `
      (select f.id, f.title, f.workspace_id, ${column} as place from form f
        where ${withinScope(scope)} and f.status = :status${index} ${order.after ? `and ${isAfter}` : ''}
        ${orderBy(column, 'f.id')} limit cast(:most as int))`,
  );
  return `select * from (${ranges.join(' union all ')}) as ranges ${orderBy('place', 'id')} limit cast(:most as int)`;
}

const rangeValues = (scope: Scope, { after }: Order, most: number) => ({
  ...scopeValues(scope),
  ...Object.fromEntries(scope.statuses.map((status, index) => [`status${index}`, status])),
  place: after?.place ?? null,
  id: after?.id ?? null,
  most,
});

/** @param form the alias of a row with the columns id, title and workspace_id */
function meeting({ favoriteOf, grantedTo, q }: Conditions, form: string): string {
  const conditions = [
    ...(favoriteOf === undefined ? [] : [`exists (select from favorite v where v.form_id = ${form}.id and v.principal_id = :caller)`]),
    ...(grantedTo === undefined
      ? []
      : [
          `${form}.workspace_id <> all(cast(:outside as uuid[]))`,
          `exists (select from form_grant g where g.form_id = ${form}.id and g.user_id = :caller)`,
        ]),
    ...(q === undefined ? [] : [`folded(${form}.title) like folded(:title)`]),
  ];
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

const conditionValues = ({ favoriteOf, grantedTo, q }: Conditions) => ({
  caller: favoriteOf ?? grantedTo?.userId ?? null,
  outside: grantedTo ? [...grantedTo.outside] : [],
  title: titlePattern(q ?? ''),
});

const titlePattern = (q: string): string => `%${q.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Reads at most `most` forms in the order of the list and returns the first ones that meet the conditions. `end` is the place at which it
 * stopped reading; undefined if it has read all forms or found enough.
 */
export async function walk(
  db: Database,
  scope: Scope,
  conditions: Conditions,
  order: Order,
  { limit, most }: { limit: number; most: number },
): Promise<{ found: Place[]; end: Place | undefined }> {
  const { printed, orderBy } = keyOf(order);
  const rows = await planned<Place & { meets: boolean; number: number }>(
    db,
    `select id, ${printed('place')} as place, meets, number
       from (select *, ${meeting(conditions, 'read')} as meets, (row_number() over (rows unbounded preceding))::int as number
               from (${inOrder(scope, order)}) as read) as numbered
      where meets or number = :most ${orderBy('numbered.place', 'numbered.id')} limit cast(:limit as int)`,
    { ...rangeValues(scope, order, most), ...conditionValues(conditions), limit },
  );
  const last = rows.at(-1);
  return { found: rows.filter(({ meets }) => meets), end: last?.number === most ? last : undefined };
}

/** All of these forms that are in the list, in its order. `isAfter` is false for those of earlier pages. */
export async function amongForms(
  db: Database,
  ids: readonly string[],
  scope: Scope,
  conditions: Conditions,
  order: Order,
): Promise<(Place & { isAfter: boolean })[]> {
  const { column, isAfter, printed, orderBy } = keyOf(order);
  return planned(
    db,
    `select f.id, ${printed(column)} as place, ${order.after ? isAfter : 'true'} as "isAfter"
       from form f
      where f.id = any(cast(:ids as uuid[])) and ${withinScope(scope)} and f.status = any(cast(:statuses as text[]))
        and ${meeting(conditions, 'f')}
      ${orderBy(column, 'f.id')}`,
    {
      ...scopeValues(scope),
      ...conditionValues(conditions),
      ids: [...ids],
      statuses: [...scope.statuses],
      place: order.after?.place ?? null,
      id: order.after?.id ?? null,
    },
  );
}

/** The ids of up to `most` forms that this caller has as favourites. */
export const favoritesOf = async (db: Database, principalId: string, most: number): Promise<string[]> =>
  idsOf(await readOf(db, 'select form_id as id from favorite where principal_id = ? limit ?', [principalId, most]));

/** The ids of up to `most` forms granted to this user. */
export const formsGrantedTo = async (db: Database, userId: string, most: number): Promise<string[]> =>
  idsOf(await readOf(db, 'select form_id as id from form_grant where user_id = ? limit ?', [userId, most]));

/** Whether the index of titles can narrow down this text. Which letters it knows depends on the locale of the database. */
export async function canLookUpTitle(db: Database, q: string): Promise<boolean> {
  if (!/[\p{L}\p{N}]{3}/u.test(q)) return false;
  const [row] = await readOf<{ has: boolean }>(db, 'select cardinality(show_trgm(folded(?))) > 0 as has', [q]);
  return row?.has === true;
}

/** The ids of up to `most` forms of the workspace with this text in their titles, in the trash too. Materialized, so that the planner uses the index. */
export const titledIn = async (db: Database, workspaceId: string, q: string, most: number): Promise<string[]> =>
  idsOf(
    await planned(
      db,
      `with titled as materialized (select id from form where workspace_id = :workspace and folded(title) like folded(:title))
       select id from titled limit :most`,
      { workspace: workspaceId, title: titlePattern(q), most },
    ),
  );

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** The number of forms in the scope, counting up to `most`. */
export async function countUpTo(db: Database, scope: Scope, most: number): Promise<number> {
  const order: Order = { sort: 'updated', after: undefined };
  const [row] = await planned<{ total: number }>(
    db,
    `select count(*)::int as total from (${inOrder(scope, order)}) as counted`,
    rangeValues(scope, order, most),
  );
  return row?.total ?? 0;
}

/** Forms with the caller's grant and favourite, in the given order. A form that is gone meanwhile is left out. */
export const listedForms = (db: Database, caller: string, ids: readonly string[]): Promise<ListedFormRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : readOf(
        db,
        `select f.*,
                (select g.role from form_grant g where g.form_id = f.id and g.user_id = :caller) as granted,
                exists (select from favorite v where v.form_id = f.id and v.principal_id = :caller) as favorite,
                exists (select from draft d
                         where d.form_id = f.id and d.revision > 0
                           and not exists (select from version v
                                            where v.form_id = f.id and v.number = f.current_version
                                              and v.fields = d.fields and v.payment is not distinct from d.payment)) as unpublished_changes
           from unnest(cast(:ids as uuid[])) with ordinality as found (id, position) join form f on f.id = found.id
          order by position`,
        { caller, ids: [...ids] },
      );
