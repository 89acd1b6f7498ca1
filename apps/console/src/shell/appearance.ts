import { useSyncExternalStore } from 'react';
import { isLanguage, preferredLanguage, type Language } from '../words/words';
import { applyTheme, themes, type Theme } from './theme';

/** How the console looks on this device. The account page also keeps it with the person, for their other devices. */
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
    const { language, theme } = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, unknown>;
    if (isLanguage(language)) appearance.language = language;
    if (themes.includes(theme as Theme)) appearance.theme = theme as Theme;
  } catch {
    // A browser may refuse storage; then the defaults hold.
  }
  return appearance;
}

export function setAppearance(change: Partial<Appearance>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // Holds for this page at least.
  }
  showAppearance();
  for (const listener of listeners) listener();
}

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
