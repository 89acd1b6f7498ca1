import { useCallback, useSyncExternalStore } from 'react';
import { useSession } from '../session/session';

const listeners = new Set<() => void>();
/** For browsers that refuse storage: then it holds for as long as the page is open. */
const kept = new Map<string, string>();

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? kept.get(key) ?? null;
  } catch {
    return kept.get(key) ?? null;
  }
}

function store(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  kept.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // Kept above.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** A value that is remembered for this person. `read` takes whatever was stored, also nothing. */
export function useRemembered<Value>(name: string, read: (stored: unknown) => Value): [Value, (value: Value) => void] {
  const key = `sheaf.${useSession().user.id}.${name}`;
  const text = useSyncExternalStore(subscribe, () => stored(key));
  const set = useCallback((value: Value) => store(key, value), [key]);
  return [read(parsed(text)), set];
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
