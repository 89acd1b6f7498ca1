import { useEffect } from 'react';

/** The title of the browser's tab: the most particular first. */
export function useTitle(...parts: (string | undefined)[]): void {
  const title = [...parts.filter((part) => part !== undefined && part !== ''), 'Sheaf'].join(' – ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
