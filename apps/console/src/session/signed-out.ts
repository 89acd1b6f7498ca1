import { useSyncExternalStore } from 'react';

/** Whether the session has ended while the page was open: elsewhere, by its time, or because the person lost access. */
let isSignedOut = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (isSignedOut === value) return;
  isSignedOut = value;
  for (const listener of listeners) listener();
}

export const noteSignedOut = (): void => set(true);
export const noteSignedIn = (): void => set(false);

export const useSignedOut = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => isSignedOut,
  );
