import {
  createSubmissionView,
  deleteSubmissionView,
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
import { hasStatus } from '../api/problem-sentence';
import type { Layout } from './columns';
import { submissionsKey, viewCountsKey } from './list-data';
import { isSameSearch, pageSearchOf, viewSearchOf } from './view-search';
import type { EarlierView } from './view-settings';

const viewsKey = (form: string) => [...submissionsKey(form), 'views'] as const;

export interface Views {
  /** The shared ones, and then those of the person. */
  all: readonly SubmissionView[];
  /** The numbers of those that are pinned; undefined while they are counted. */
  counts: ReadonlyMap<string, SubmissionViewCount> | undefined;
  create: (view: SubmissionViewRequest) => Promise<SubmissionView>;
  update: (view: SubmissionView, patch: SubmissionViewUpdateRequest) => Promise<SubmissionView>;
  remove: (view: SubmissionView) => Promise<void>;
  /** Puts a view that was removed where it was. */
  restore: (view: SubmissionView) => Promise<SubmissionView>;
}

const none: readonly SubmissionView[] = [];

export const columnsOf = ({ order, hidden, widths }: Layout) => ({ order: [...order], hidden: [...hidden], widths: { ...widths } });

/** The views of a form. Those that an earlier version of the console kept in a preference are moved to them. */
export function useViews(form: string, earlier: readonly EarlierView[] | undefined): Views {
  const queryClient = useQueryClient();
  const { data } = useQuery({
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
    void moveEarlier(form, earlier, all).then((hasMoved) => {
      if (hasMoved) void queryClient.invalidateQueries({ queryKey: viewsKey(form) });
    });
  }, [form, isRead, earlier, all, queryClient]);
  return {
    all,
    counts,
    create,
    update,
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
 * Moves views out of a preference. Those that cannot be kept stay in it, for another time. An earlier version may still write the preference:
 * a view that it has under a name that is taken gets another one, so that neither is lost.
 */
async function moveEarlier(form: string, earlier: readonly EarlierView[], known: readonly SubmissionView[]): Promise<boolean> {
  const own = known.filter(({ shared }) => !shared);
  const kept: EarlierView[] = [];
  for (const view of earlier) {
    const body = { search: viewSearchOf(view.search), columns: columnsOf(view.layout) };
    const isKnown = own.some(({ name, search }) => isNamed(name, view.name) && isSameSearch(pageSearchOf(search), view.search));
    if (isKnown) continue;
    const name = freeName(
      view.name,
      own.map((each) => each.name),
    );
    try {
      own.push(await createSubmissionView({ client, path: { id: form }, body: { name, shared: false, pinned: false, ...body } }));
    } catch {
      kept.push(view);
    }
  }
  const key = `submissions.${form}.views`;
  try {
    if (kept.length === 0) await removePreference({ client, path: { key } });
    else if (kept.length < earlier.length) await setPreference({ client, path: { key }, body: { value: kept } });
  } catch (error) {
    // Another tab was faster; otherwise they are found to be there the next time.
    if (!hasStatus(error, 404)) return kept.length < earlier.length;
  }
  return kept.length < earlier.length;
}

const isNamed = (name: string, wanted: string): boolean => name === wanted || name.replace(/ \(\d+\)$/, '') === wanted;

function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted.trim();
  for (let number = 2; taken.includes(name); number++) name = `${wanted.trim()} (${number})`;
  return name;
}
