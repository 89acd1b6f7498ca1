import { useSyncExternalStore } from 'react';

/** How far a person is with the tour on this device. Nothing secret: an id of a form, and whether a webhook answered. */
export interface TourProgress {
  /** The form that the person made in it. */
  form?: string;
  /** Whether a sample arrived at their webhook, or they went on without one. */
  hasWebhook?: boolean;
  isOver?: boolean;
}

const keyOf = (tourKey: string) => `sheaf.tour.${tourKey}`;
const listeners = new Set<() => void>();
/** The progress that this page has written, also where the browser refuses storage. */
const written = new Map<string, string>();

function read(tourKey: string): string {
  try {
    return written.get(tourKey) ?? localStorage.getItem(keyOf(tourKey)) ?? '{}';
  } catch {
    return written.get(tourKey) ?? '{}';
  }
}

export function parseProgress(text: string): TourProgress {
  try {
    const { form, hasWebhook, isOver } = JSON.parse(text) as Record<string, unknown>;
    return {
      ...(typeof form === 'string' ? { form } : {}),
      ...(hasWebhook === true ? { hasWebhook } : {}),
      ...(isOver === true ? { isOver } : {}),
    };
  } catch {
    return {};
  }
}

export function noteTour(tourKey: string, progress: TourProgress): void {
  written.set(tourKey, JSON.stringify(progress));
  try {
    localStorage.setItem(keyOf(tourKey), JSON.stringify(progress));
  } catch {
    // Holds for this page at least.
  }
  for (const listener of listeners) listener();
}

export function useTourProgress(tourKey: string): TourProgress {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => read(tourKey),
  );
  return parseProgress(text);
}

export type TourStep = 'form' | 'submission' | 'webhook' | 'done';

/** The step that is next, by what the form has. */
export function stepOf(
  progress: TourProgress,
  form: { current_version: number; submissions: { total: number } | null } | undefined,
): TourStep {
  if (!form || form.current_version === 0) return 'form';
  if ((form.submissions?.total ?? 0) === 0) return 'submission';
  return progress.hasWebhook === true ? 'done' : 'webhook';
}
