import { useSyncExternalStore } from 'react';
import { isLanguage, preferredLanguage, type Language } from '../words/language';
import { loadWordsIn } from '../words/loading';
import { applyTheme, themes, type Theme } from './theme';

/** How the console looks on this device. The choice is kept with the person too (`kept-appearance.ts`), for their other devices. */
export interface Appearance {
  language: Language;
  theme: Theme;
}

const storageKey = 'sheaf.appearance';
const listeners = new Set<() => void>();
let current = read();

function read(): Appearance {
  const appearance: Appearance = { language: preferredLanguage(navigator.languages), theme: 'system' };
  try {
    return { ...appearance, ...parseAppearance(JSON.parse(localStorage.getItem(storageKey) ?? '{}')) };
  } catch {
    // A browser may refuse storage; then the defaults hold.
    return appearance;
  }
}

/** The valid part of an appearance that was kept. */
function parseAppearance(kept: unknown): Partial<Appearance> {
  const { language, theme } = (kept ?? {}) as Record<string, unknown>;
  return {
    ...(isLanguage(language) && { language }),
    ...(themes.includes(theme as Theme) && { theme: theme as Theme }),
  };
}

async function setAppearance(change: Partial<Appearance>): Promise<void> {
  // The page stays as it is until it can be written in the other language.
  if (change.language !== undefined) await loadWordsIn(change.language);
  current = { ...current, ...change };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // Holds for this page at least.
  }
  showAppearance();
  for (const listener of listeners) listener();
}

/** Takes effect here as soon as its words are there, and is kept with the person for their other devices. Rejects if it could not be kept. */
export async function chooseAppearance(change: Partial<Appearance>): Promise<void> {
  await setAppearance(change);
  const { keepAppearance } = await import('./kept-appearance');
  await keepAppearance(current);
}

/** Takes over what the person has chosen elsewhere; without a choice, or if it cannot be read, this device stays as it is. */
export async function recallAppearance(): Promise<void> {
  try {
    const { keptAppearance } = await import('./kept-appearance');
    await setAppearance(parseAppearance(await keptAppearance()));
  } catch {
    // The look is no reason to keep anybody from their work.
  }
}

export const currentLanguage = (): Language => current.language;

export function showAppearance(): void {
  document.documentElement.lang = current.language;
  applyTheme(current.theme);
}

export const useAppearance = (): Appearance =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => current,
  );
