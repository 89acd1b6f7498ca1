import { getInstanceRetention } from '@sheaf/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from './client';

/** How long forms keep things that decide nothing themselves. */
export const retentionQuery = queryOptions({
  queryKey: ['instance', 'retention'],
  queryFn: ({ signal }) => getInstanceRetention({ client, signal }),
});
