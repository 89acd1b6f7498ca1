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

type Shown = Omit<ViewSettings, 'views'>;

const readShown = (stored: unknown): Shown => {
  const { layout, density } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  return { layout: readLayout(layout), density: density === 'compact' ? 'compact' : 'comfortable' };
};

const readViews = (stored: unknown): readonly View[] => (Array.isArray(stored) ? stored.flatMap(readView).slice(0, maxViews) : []);

function readView(stored: unknown): View[] {
  const { name, search, layout } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof search !== 'object' || search === null) return [];
  const texts = Object.fromEntries(Object.entries(search).filter(([, value]) => typeof value === 'string')) as PageSearch;
  return [{ name, search: listPart(texts), layout: readLayout(layout) }];
}

/** The settings of a form, and how to change them. The views are kept apart, so that resizing a column does not send them again. */
export function useViewSettings(form: string): { settings: ViewSettings; change: (settings: ViewSettings) => void; isPending: boolean } {
  const shown = useRemembered(`submissions.${form}`, readShown);
  const views = useRemembered(`submissions.${form}.views`, readViews);
  const { layout, density } = shown.value;
  return {
    settings: { layout, density, views: views.value },
    change: (next) => {
      if (next.layout !== layout || next.density !== density) shown.set({ layout: next.layout, density: next.density });
      if (next.views !== views.value) views.set(next.views);
    },
    isPending: shown.isPending,
  };
}
