import { readLayout, type Layout } from './columns';
import type { Density } from './grid';
import { listPart, type PageSearch } from './list-search';
import { useRemembered } from './remembered';

/** A list that a person keeps under a name: what it has, its order and its columns. */
export interface View {
  name: string;
  search: PageSearch;
  layout: Layout;
}

/** How a person wants to see the submissions of one form. */
export interface ViewSettings {
  layout: Layout;
  density: Density;
  views: readonly View[];
}

export const maxViews = 30;

function readSettings(stored: unknown): ViewSettings {
  const { layout, density, views } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  return {
    layout: readLayout(layout),
    density: density === 'compact' ? 'compact' : 'comfortable',
    views: Array.isArray(views) ? views.flatMap(readView).slice(0, maxViews) : [],
  };
}

function readView(stored: unknown): View[] {
  const { name, search, layout } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof search !== 'object' || search === null) return [];
  const texts = Object.fromEntries(Object.entries(search).filter(([, value]) => typeof value === 'string')) as PageSearch;
  return [{ name, search: listPart(texts), layout: readLayout(layout) }];
}

export const useViewSettings = (form: string): [ViewSettings, (settings: ViewSettings) => void] =>
  useRemembered(`submissions.${form}`, readSettings);
