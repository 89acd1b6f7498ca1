import type { SearchFormsData } from '@sheaf/client';

/** The places that the list can show besides a folder. `all` is everything but the trash. */
export const views = ['all', 'favorites', 'shared', 'archived', 'trash'] as const;
export type View = (typeof views)[number];

export const sorts = ['updated', 'created', 'title'] as const;
export type Sort = (typeof sorts)[number];

export const statuses = ['active', 'archived', 'disabled'] as const;
export type Status = (typeof statuses)[number];

/** The place in their forms where a person is, as the address says. */
export interface Place {
  view: View;
  /** A folder's id, or `none` for the forms in no folder. Only in the view `all`. */
  folder: string | undefined;
  q: string | undefined;
  status: Status | undefined;
  sort: Sort;
}

export type PlaceSearch = Record<'view' | 'folder' | 'q' | 'status' | 'sort', string | undefined>;

const among = <T extends string>(values: readonly T[], value: string | undefined): T | undefined => values.find((each) => each === value);

/** Reads an address; what it does not understand counts as absent. */
export function placeOf(search: Partial<PlaceSearch>): Place {
  const view = among(views, search.view) ?? 'all';
  return {
    view,
    folder: view === 'all' ? search.folder : undefined,
    q: search.q?.trim() === '' ? undefined : search.q?.slice(0, 200),
    status: view === 'archived' || view === 'trash' ? undefined : among(statuses, search.status),
    sort: among(sorts, search.sort) ?? 'updated',
  };
}

/** The address of a place; what is usual is left out. */
export const searchOf = ({ view, folder, q, status, sort }: Place): PlaceSearch => ({
  view: view === 'all' ? undefined : view,
  folder,
  q,
  status,
  sort: sort === 'updated' ? undefined : sort,
});

/** The query for a place. Without a workspace, forms of the active one are found. */
export const queryOf = ({ view, folder, q, status, sort }: Place): NonNullable<SearchFormsData['query']> => ({
  limit: 50,
  sort,
  ...(q === undefined ? {} : { q }),
  ...(folder === undefined ? {} : { folder_id: folder }),
  ...(status === undefined ? {} : { status }),
  ...(view === 'favorites' ? { favorite: true } : {}),
  ...(view === 'shared' ? { shared: true } : {}),
  ...(view === 'archived' ? { status: 'archived' } : {}),
  ...(view === 'trash' ? { status: 'trashed' } : {}),
});

/** Another view or folder: what was searched and filtered in the one before does not hold there; the order does. */
export const elsewhere = (place: Place, change: Pick<Place, 'view' | 'folder'>): Place => ({
  ...change,
  q: undefined,
  status: undefined,
  sort: place.sort,
});

/** The address where a form begins, in a folder if one is given. */
export const newFormHref = (folder: string | undefined): string =>
  `/console/forms/new${folder === undefined ? '' : `?${new URLSearchParams({ folder }).toString()}`}`;
