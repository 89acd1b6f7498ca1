import type { SubmissionView } from '@sheaf/client';
import { useMemo, useState } from 'react';
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
  save: () => Promise<unknown>;
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
  const isSearchChanged = view !== undefined && !isSameSearch(search, pageSearchOf(view.search));
  const areColumnsChanged = own !== undefined && !isSameLayout(layout, own);
  return {
    view,
    layout,
    setLayout: (next) =>
      view && own ? setLayouts((before) => new Map(before).set(view.id, next)) : setSettings({ ...settings, layout: next }),
    isChanged: isSearchChanged || areColumnsChanged,
    save: async () => {
      if (!view) return;
      // The other half is left alone, as another person may have saved it meanwhile.
      await views.update(view, {
        ...(isSearchChanged && { search: viewSearchOf(search) }),
        ...(areColumnsChanged && { columns: columnsOf(layout) }),
      });
      forgetColumns();
    },
    forgetColumns,
  };
}
