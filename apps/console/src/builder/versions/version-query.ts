import { getFormVersion, type FormSettingsDetail } from '@sheaf/client';
import type { Field } from '@sheaf/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../../api/client';
import { contentsOf, isField } from '../model/contents';

/** A version never changes. */
export const versionQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['form', id, 'version', version],
    queryFn: ({ signal }) => getFormVersion({ client, path: { id, version: String(version) }, signal }),
    staleTime: 'static',
  });

/** The fields of the latest version by their key; none until they are loaded, or if there is no version. */
export function usePublishedFields({ id, current_version: version }: FormSettingsDetail): ReadonlyMap<string, Field> {
  const { data } = useQuery({ ...versionQuery(id, version), enabled: version > 0 });
  return useMemo(
    () =>
      new Map(contentsOf({ fields: data?.fields ?? [] }).entries.flatMap(({ item }) => (isField(item) ? [[item.key, item] as const] : []))),
    [data],
  );
}
