import { getProfile } from '@sheaf/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client';

export const profileQuery = queryOptions({ queryKey: ['profile'], queryFn: ({ signal }) => getProfile({ client, signal }) });
