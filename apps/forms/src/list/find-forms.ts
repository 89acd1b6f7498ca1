import { formStatuses, text, unfiled, type formSorts } from '@sheaf/contracts';
import { isId, Problem, type Client } from '@sheaf/kernel';
import { cursorAfter, placeOf, timeInPlace } from '@sheaf/rpc';
import type { Database } from '@sheaf/postgres';
import { z } from 'zod';
import type { Deps } from '../deps';
import { roleOn, type SeenForm } from '../form/load-form';
import type { FormStatus, ListedFormRow } from '../rows';
import {
  amongForms,
  canLookUpTitle,
  countUpTo,
  favoritesOf,
  formsGrantedTo,
  listedForms,
  titledIn,
  walk,
  type Conditions,
  type Order,
  type Place,
  type Scope,
} from './find-forms.queries';

export interface FormSearch {
  workspaceId: string | undefined;
  /** A folder's id or `none`. */
  folderId: string | undefined;
  status: FormStatus | undefined;
  q: string | undefined;
  favorite: boolean;
  shared: boolean;
  sort: (typeof formSorts)[number];
  limit: number;
  cursor: string | undefined;
}

/** A form in a list, as shown to a caller with a role on it. */
export type SeenListedForm = SeenForm & { form: ListedFormRow };

export interface FoundFormsPage {
  forms: SeenListedForm[];
  nextCursor: string | undefined;
  /** The number of forms on all pages: exact, or at least this many. */
  total: number;
  isExact: boolean;
}

const PlaceInTime = z.tuple([timeInPlace(), z.uuid()]);
const PlaceByTitle = z.tuple([text(0, 100), z.uuid()]);
const PlaceIn = {
  updated: PlaceInTime,
  '-updated': PlaceInTime,
  created: PlaceInTime,
  '-created': PlaceInTime,
  title: PlaceByTitle,
  '-title': PlaceByTitle,
};

/** The most forms that one request reads. Tests use smaller numbers. */
const limits = { walked: 2_000, candidates: 5_000, counted: 1_000 };
type Limits = typeof limits;

/** A list, once it is clear that it can have forms. */
interface List {
  scope: Scope;
  conditions: Conditions;
  order: Order;
  limit: number;
}

/** Part of a list. `total` is undefined if it is not known. */
interface Part {
  places: Place[];
  /** The place after which the next page starts; undefined on the last page. */
  next: Place | undefined;
  total: number | undefined;
}

/**
 * A page of the forms on which the caller has a role. A request reads a bounded number of forms; a page may therefore have fewer than the limit,
 * or none, and a cursor all the same.
 */
export async function findForms({ db }: Pick<Deps, 'db'>, caller: Client, search: FormSearch, most = limits): Promise<FoundFormsPage> {
  const list = listOf(caller, search);
  if (!list) return { forms: [], nextCursor: undefined, total: 0, isExact: true };
  const { places, next, ...part } = await partOf(db, list, most);

  const rows = await listedForms(
    db,
    caller.id,
    places.map(({ id }) => id),
  );
  const total = part.total ?? (isNarrowed(list) ? undefined : await countUpTo(db, list.scope, most.counted + 1));
  const isExact = total !== undefined && (part.total !== undefined || total <= most.counted);
  return {
    forms: rows.flatMap((form) => {
      const role = roleOn(caller, form);
      return role ? [{ form, role }] : [];
    }),
    nextCursor: next && cursorAfter([next.place, next.id], nameOf(caller, search)),
    total: isExact ? total : Math.min(total ?? places.length, most.counted),
    isExact,
  };
}

/** @returns undefined for a list that is empty, whatever forms there are */
function listOf(caller: Client, search: FormSearch): List | undefined {
  const { folderId, favorite, shared, q, limit } = search;
  const place = search.cursor === undefined ? undefined : placeOf(PlaceIn[search.sort], search.cursor, nameOf(caller, search));
  const workspaceId = search.workspaceId ?? (caller.kind === 'user' && !shared ? (caller.workspaceId ?? '') : undefined);
  if (workspaceId === undefined && folderId !== undefined) throw Problem.badRequest('folder_id: needs workspace_id');
  if (![workspaceId, folderId].every((id) => id === undefined || id === unfiled || isId(id))) return undefined;
  // Grants are for people.
  if (caller.kind === 'service_account' && shared) return undefined;

  const isMember = caller.kind === 'service_account' || (workspaceId !== undefined && caller.roles[workspaceId] !== undefined);
  const grantedTo = shared
    ? { userId: caller.id, outside: workspacesOf(caller) }
    : isMember
      ? undefined
      : { userId: caller.id, outside: [] };
  return {
    scope: {
      instanceId: caller.instanceId,
      workspaceId,
      folderId: folderId === unfiled ? null : folderId,
      statuses: search.status === undefined ? formStatuses.filter((status) => status !== 'trashed') : [search.status],
    },
    conditions: { favoriteOf: favorite ? caller.id : undefined, grantedTo, q },
    order: { sort: search.sort, after: place && { place: place[0], id: place[1] } },
    limit,
  };
}

const workspacesOf = (caller: Client): string[] => (caller.kind === 'user' ? Object.keys(caller.roles) : []);

/** Everything that decides which forms a list has, and in which order. */
const nameOf = (caller: Client, { workspaceId, folderId, status, q, favorite, shared, sort }: FormSearch) => [
  'forms',
  caller.kind === 'user' ? [caller.id, caller.workspaceId] : caller.instanceId,
  { workspaceId, folderId, status, q, favorite, shared, sort },
];

const isNarrowed = ({ conditions }: List): boolean => Object.values(conditions).some((condition) => condition !== undefined);

/**
 * A list with conditions is read in one of two ways: all forms that one condition selects through its own index, if these are few; else the forms
 * in the order of the list, of which many meet the condition.
 */
async function partOf(db: Database, list: List, most: Limits): Promise<Part> {
  const { conditions, scope, order, limit } = list;
  if (!isNarrowed(list)) return pageOf(list, await walk(db, scope, conditions, order, { limit: limit + 1, most: limit + 1 }));

  const personal = await personalForms(db, conditions, most.candidates + 1);
  if (personal && personal.length <= most.candidates) return partAmong(db, personal, list);

  const walked = await walk(db, scope, conditions, order, { limit: limit + 1, most: most.walked });
  const { q } = conditions;
  const needsMore = walked.end !== undefined && walked.found.length <= limit;
  if (!needsMore || q === undefined || scope.workspaceId === undefined || !(await canLookUpTitle(db, q))) return pageOf(list, walked);

  const titled = await titledIn(db, scope.workspaceId, q, most.candidates + 1);
  return titled.length <= most.candidates ? partAmong(db, titled, list) : pageOf(list, walked);
}

async function personalForms(db: Database, { favoriteOf, grantedTo }: Conditions, most: number): Promise<string[] | undefined> {
  if (favoriteOf !== undefined) return favoritesOf(db, favoriteOf, most);
  return grantedTo && formsGrantedTo(db, grantedTo.userId, most);
}

function pageOf({ limit, order }: List, { found, end }: Awaited<ReturnType<typeof walk>>): Part {
  const places = found.slice(0, limit);
  const next = found.length > limit ? places.at(-1) : end;
  return { places, next, total: next === undefined && order.after === undefined ? places.length : undefined };
}

async function partAmong(db: Database, ids: readonly string[], { scope, conditions, order, limit }: List): Promise<Part> {
  const all = await amongForms(db, ids, scope, conditions, order);
  const rest = all.filter(({ isAfter }) => isAfter);
  const places = rest.slice(0, limit);
  return { places, next: rest.length > limit ? places.at(-1) : undefined, total: all.length };
}
