import { useNavigate, useSearch } from '@tanstack/react-router';
import type { PageSearch } from './list-search';

export interface PageAddress {
  search: PageSearch;
  /** Goes to the address with other parameters. `replace` for steps that Back need not take one by one. */
  go: (change: (search: PageSearch) => PageSearch, options?: { replace?: boolean }) => void;
}

/** The part of the address that is about the page. */
export function usePageAddress(): PageAddress {
  const search = useSearch({ from: '/shell/console/forms/$form/submissions' });
  const navigate = useNavigate({ from: '/console/forms/$form/submissions' });
  return {
    search,
    go: (change, { replace = false } = {}) =>
      void navigate({
        search: (before) => Object.fromEntries(Object.entries(change(before)).filter(([, value]) => value !== undefined && value !== '')),
        replace,
        resetScroll: false,
      }),
  };
}
