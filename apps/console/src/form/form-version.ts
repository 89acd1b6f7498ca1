import { getFormVersion, type FormSettingsDetail } from '@sheaf/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client';

/** The published version of a form. It never changes. */
export const versionQuery = ({ id, current_version: version }: Pick<FormSettingsDetail, 'id' | 'current_version'>) =>
  queryOptions({
    queryKey: ['form', id, 'version', version],
    queryFn: ({ signal }) => getFormVersion({ client, path: { id, version: String(version) }, signal }),
    staleTime: 'static',
  });
