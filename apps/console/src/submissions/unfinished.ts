import type { FormExport } from '@sheaf/client';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

const pollMs = 2_000;

export const isUnfinished = ({ state }: Pick<FormExport, 'state'>): boolean => state === 'waiting' || state === 'running';

const refusals: readonly unknown[] = [401, 403, 404];

/**
 * When to load the exports again: no event tells how far one is. After a refusal nothing is asked for again, as it would be refused again.
 * @param error of the last attempt, with the status of an answer if there was one
 */
export function pollWhileUnfinished(exports: readonly Pick<FormExport, 'state'>[] = [], error: object | null = null): number | false {
  if (error && 'status' in error && refusals.includes(error.status)) return false;
  return exports.some(isUnfinished) ? pollMs : false;
}

/** Puts what goes on in the background into its list as it is now, first if it is new. */
export function noteCurrent(queryClient: QueryClient, queryKey: QueryKey, current: { id: string }): void {
  queryClient.setQueryData<{ data: { id: string }[] }>(queryKey, ({ data } = { data: [] }) => ({
    data: data.some(({ id }) => id === current.id) ? data.map((each) => (each.id === current.id ? current : each)) : [current, ...data],
  }));
}
