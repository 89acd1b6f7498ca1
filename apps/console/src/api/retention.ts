import { getFormRetention, getInstanceRetention, type Retention } from '@sheaf/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from './client';

/** How long forms keep things that decide nothing themselves. */
export const retentionQuery = queryOptions({
  queryKey: ['instance', 'retention'],
  queryFn: ({ signal }) => getInstanceRetention({ client, signal }),
});

/** The days that a form keeps, and will keep, with these days of its own: others are another question. */
export const formRetentionQuery = (id: string, days: Retention | undefined) =>
  queryOptions({
    queryKey: ['form', id, 'retention', days ?? {}],
    queryFn: ({ signal }) => getFormRetention({ client, path: { id }, signal }),
  });
