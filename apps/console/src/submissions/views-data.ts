import {
  createSubmissionView,
  deleteSubmissionView,
  getPreferences,
  getSubmissionViewCounts,
  listSubmissionViews,
  removePreference,
  setPreference,
  updateSubmissionView,
  type SubmissionView,
  type SubmissionViewCount,
  type SubmissionViewRequest,
  type SubmissionViews,
  type SubmissionViewUpdateRequest,
} from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { client } from '../api/client';
import type { Layout } from './columns';
import { submissionsKey, viewCountsKey } from './list-data';
import { isSameSearch, pageSearchOf, viewSearchOf } from './view-search';
import { earlierViewsKey, readView, type EarlierView } from './view-settings';

const viewsKey = (form: string) => [...submissionsKey(form), 'views'] as const;

export interface Views {
  /** The shared ones, and then those of the person. */
  all: readonly SubmissionView[];
  /** Whether they are not known yet. */
  isPending: boolean;
  /** Why they are not known. */
  error: Error | null;
  retry: () => void;
  /** The numbers of those that are pinned; undefined while they are counted. */
  counts: ReadonlyMap<string, SubmissionViewCount> | undefined;
  create: (view: SubmissionViewRequest) => Promise<SubmissionView>;
  update: (view: SubmissionView, patch: SubmissionViewUpdateRequest) => Promise<SubmissionView>;
  /** As it is now; as it was if it is gone. */
  latest: (view: SubmissionView) => Promise<SubmissionView>;
  remove: (view: SubmissionView) => Promise<void>;
  /** Puts a view that was removed where it was. */
  restore: (view: SubmissionView) => Promise<SubmissionView>;
}

const none: readonly SubmissionView[] = [];

export const columnsOf = ({ order, hidden, widths }: Layout) => ({ order: [...order], hidden: [...hidden], widths: { ...widths } });

/** The views of a form. Those that an earlier version of the console kept in a preference are moved to them. */
export function useViews(form: string, earlier: readonly EarlierView[] | undefined): Views {
  const queryClient = useQueryClient();
  const { data, isPending, error, refetch } = useQuery({
    queryKey: viewsKey(form),
    queryFn: ({ signal }) => listSubmissionViews({ client, path: { id: form }, signal }),
  });
  const refresh = () => Promise.all([viewsKey(form), viewCountsKey(form)].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const change = (edit: (views: readonly SubmissionView[]) => SubmissionView[]) =>
    queryClient.setQueryData<SubmissionViews>(viewsKey(form), (before) => before && { data: edit(before.data) });
  const create = async (body: SubmissionViewRequest) => {
    const made = await createSubmissionView({ client, path: { id: form }, body });
    // Before the list is loaded again: whoever made it goes to it at once.
    change((views) => [...views, made]);
    await refresh();
    return made;
  };
  const update = async ({ id }: SubmissionView, body: SubmissionViewUpdateRequest) => {
    const changed = await updateSubmissionView({ client, path: { id: form, viewId: id }, body });
    change((views) => views.map((each) => (each.id === id ? changed : each)));
    await refresh();
    return changed;
  };
  const all = data?.data ?? none;
  const isRead = data !== undefined;
  const counted = useQuery({
    queryKey: viewCountsKey(form),
    queryFn: ({ signal }) => getSubmissionViewCounts({ client, path: { id: form }, signal }),
    enabled: all.some(({ pinned }) => pinned),
  });
  const counts = useMemo(
    () => (counted.isPending ? undefined : new Map((counted.data?.data ?? []).map((count) => [count.id, count]))),
    [counted.isPending, counted.data],
  );
  useEffect(() => {
    if (!isRead || earlier === undefined || earlier.length === 0 || moving.has(form)) return;
    moving.add(form);
    void moveEarlier(form)
      // The views that were moved are in the list, and the others wait for the next time.
      .catch(() => undefined)
      .then(() => queryClient.invalidateQueries({ queryKey: viewsKey(form) }));
  }, [form, isRead, earlier, queryClient]);
  return {
    all,
    isPending,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
    counts,
    create,
    update,
    latest: async (view) => {
      const { data: now } = await listSubmissionViews({ client, path: { id: form } });
      change(() => now);
      return now.find(({ id }) => id === view.id) ?? view;
    },
    remove: async ({ id }) => {
      await deleteSubmissionView({ client, path: { id: form, viewId: id } });
      change((views) => views.filter((each) => each.id !== id));
      await refresh();
    },
    restore: async (view) => {
      const { name, shared, pinned, search, columns } = view;
      const position = all.filter((each) => each.shared === shared).findIndex(({ id }) => id === view.id);
      const made = await create({ name, shared, pinned, search, ...(columns && { columns }) });
      return position < 0 ? made : update(made, { position });
    },
  };
}

/** Forms whose earlier views this page has begun to move: once is enough until it is opened again. */
const moving = new Set<string>();

/**
 * Moves views out of a preference. Those that cannot be kept stay in it, for another time. An earlier version may still write the preference,
 * from this or another device: so it is read anew before, and again before anything is taken out of it, which is only what was moved. A view
 * under a name that is taken gets another one, so that neither is lost.
 */
async function moveEarlier(form: string): Promise<void> {
  const { data: known } = await listSubmissionViews({ client, path: { id: form } });
  const own = known.filter(({ shared }) => !shared);
  const moved = new Set<string>();
  for (const stored of await storedViews(form)) {
    const [view] = readView(stored);
    if (!view) continue;
    const isKnown = own.some(({ name, search }) => isNamed(name, view.name) && isSameSearch(pageSearchOf(search), view.search));
    if (isKnown || (await keepEarlier(form, view, own))) moved.add(JSON.stringify(stored));
  }
  if (moved.size > 0) await takeOut(form, moved);
}

/** @returns whether it could be kept */
async function keepEarlier(form: string, view: EarlierView, own: SubmissionView[]): Promise<boolean> {
  const body = { search: viewSearchOf(view.search), columns: columnsOf(view.layout), shared: false, pinned: false };
  const name = freeName(view.name, own);
  try {
    own.push(await createSubmissionView({ client, path: { id: form }, body: { name, ...body } }));
    return true;
  } catch {
    return false;
  }
}

/** Another tab may have been faster. A view that is left in the preference is found to be moved the next time. */
async function takeOut(form: string, moved: ReadonlySet<string>): Promise<void> {
  const before = await storedViews(form);
  const left = before.filter((stored) => !moved.has(JSON.stringify(stored)));
  const path = { key: earlierViewsKey(form) };
  if (left.length === 0 && before.length > 0) await removePreference({ client, path });
  else if (left.length < before.length) await setPreference({ client, path, body: { value: left } });
}

async function storedViews(form: string): Promise<readonly unknown[]> {
  const stored = (await getPreferences({ client })).data[earlierViewsKey(form)];
  return Array.isArray(stored) ? (stored as unknown[]) : [];
}

const isNamed = (name: string, wanted: string): boolean => name === wanted || name.replace(/ \(\d+\)$/, '') === wanted;

/** A name that none of these views has, with a number where it is taken. */
export function freeName(wanted: string, among: readonly SubmissionView[]): string {
  let name = wanted.trim();
  for (let number = 2; among.some((view) => view.name === name); number++) name = `${wanted.trim()} (${number})`;
  return name;
}
