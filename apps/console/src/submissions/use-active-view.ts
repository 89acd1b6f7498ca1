import type { SubmissionView } from '@sheaf/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { hasStatus } from '../api/problem-sentence';
import { readLayout, type Layout } from './columns';
import type { PageSearch } from './list-search';
import { isSameLayout, isSameSearch, pageSearchOf, viewSearchOf } from './view-search';
import type { ViewSettings } from './view-settings';
import { columnsOf, type Views } from './views-data';

export interface ActiveView {
  /** The view that the address names. */
  view: SubmissionView | undefined;
  layout: Layout;
  setLayout: (layout: Layout) => void;
  /** Whether the list is another one than the view has. */
  isChanged: boolean;
  /** Saves what is changed here, unless somebody has saved another list or other columns since the change began. */
  save: () => Promise<unknown>;
  /** The view as somebody else has saved it meanwhile, until it is decided what to keep. */
  conflict: SubmissionView | undefined;
  /** Saves all the same. */
  overwrite: () => Promise<unknown>;
  /** Leaves the decision for later. */
  leaveConflict: () => void;
  /** Goes back to the columns of the view. */
  forgetColumns: () => void;
}

/** The view of the page. Its columns stay those of everybody until they are saved; without a view, they are those of the person. */
export function useActiveView(
  views: Views,
  { search, settings, setSettings }: { search: PageSearch; settings: ViewSettings; setSettings: (settings: ViewSettings) => void },
): ActiveView {
  const [layouts, setLayouts] = useState<ReadonlyMap<string, Layout>>(new Map());
  const view = views.all.find(({ id }) => id === search.view);
  const own = useMemo(() => view?.columns && readLayout(view.columns), [view?.columns]);
  const layout = (view && own && layouts.get(view.id)) ?? own ?? settings.layout;
  const forgetColumns = () => setLayouts((before) => new Map([...before].filter(([id]) => id !== view?.id)));
  const [conflict, setConflict] = useState<SubmissionView>();
  const isSearchChanged = view !== undefined && !isSameSearch(search, pageSearchOf(view.search));
  const areColumnsChanged = own !== undefined && !isSameLayout(layout, own);
  const isChanged = isSearchChanged || areColumnsChanged;
  // From which the change began: the list of views is loaded anew while a person changes one.
  const begun = useRef<SubmissionView>(undefined);
  useEffect(() => {
    if (!isChanged || begun.current?.id !== view?.id) begun.current = view;
  }, [view, isChanged]);
  // The other half is left alone, as another person may have saved it meanwhile.
  const change = {
    ...(isSearchChanged && { search: viewSearchOf(search) }),
    ...(areColumnsChanged && { columns: columnsOf(layout) }),
  };
  const isAsBegun = (now: SubmissionView) =>
    begun.current === undefined ||
    ((!isSearchChanged || isSame(now.search, begun.current.search)) && (!areColumnsChanged || isSame(now.columns, begun.current.columns)));
  const saveOver = async (latest: SubmissionView) => {
    try {
      await views.update(latest, { ...change, if_updated_at: latest.updated_at });
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
      return setConflict(await views.latest(latest));
    }
    forgetColumns();
    setConflict(undefined);
  };
  return {
    view,
    layout,
    setLayout: (next) =>
      view && own ? setLayouts((before) => new Map(before).set(view.id, next)) : setSettings({ ...settings, layout: next }),
    isChanged,
    save: async () => {
      if (!view) return;
      const latest = await views.latest(view);
      if (isAsBegun(latest)) await saveOver(latest);
      else setConflict(latest);
    },
    conflict: conflict?.id === view?.id ? conflict : undefined,
    overwrite: async () => conflict && saveOver(await views.latest(conflict)),
    leaveConflict: () => setConflict(undefined),
    forgetColumns,
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
