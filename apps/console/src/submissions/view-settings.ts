import { readLayout, type Layout } from './columns';
import type { Density } from './grid';
import { listPart, type PageSearch } from './list-search';
import { useRemembered } from './remembered';

/** How a person wants to see the submissions of one form. */
export interface ViewSettings {
  layout: Layout;
  density: Density;
}

/** A view as earlier versions of the console kept it, in a preference of the person. */
export interface EarlierView {
  name: string;
  search: PageSearch;
  layout: Layout;
}

const readShown = (stored: unknown): ViewSettings => {
  const { layout, density } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  return { layout: readLayout(layout), density: density === 'compact' ? 'compact' : 'comfortable' };
};

const readEarlier = (stored: unknown): readonly EarlierView[] => (Array.isArray(stored) ? stored.flatMap(readView) : []);

export function readView(stored: unknown): EarlierView[] {
  const { name, search, layout } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof search !== 'object' || search === null) return [];
  const texts = Object.fromEntries(Object.entries(search).filter(([, value]) => typeof value === 'string')) as PageSearch;
  return [{ name, search: listPart(texts), layout: readLayout(layout) }];
}

export const earlierViewsKey = (form: string): string => `submissions.${form}.views`;

interface RememberedSettings {
  settings: ViewSettings;
  change: (settings: ViewSettings) => void;
  isPending: boolean;
  /** Undefined until they were read. */
  earlierViews: readonly EarlierView[] | undefined;
}

/** The settings of a form, how to change them, and the views that are still among them. */
export function useViewSettings(form: string): RememberedSettings {
  const shown = useRemembered(`submissions.${form}`, readShown);
  const earlier = useRemembered(earlierViewsKey(form), readEarlier);
  return {
    settings: shown.value,
    change: shown.set,
    isPending: shown.isPending,
    earlierViews: earlier.isPending ? undefined : earlier.value,
  };
}
