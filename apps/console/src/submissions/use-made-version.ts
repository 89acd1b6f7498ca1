import type { SubmissionDetail } from '@sheaf/client';
import { isMeant } from '@sheaf/contracts';
import { useQuery } from '@tanstack/react-query';
import { hasStatus } from '../api/problem-sentence';
import { versionQuery } from './list-data';

/** The fields of the version that a submission was made against; one that is yet to be made has no time. */
type Made = Pick<SubmissionDetail, 'schema_version' | 'version_id'> & Partial<Pick<SubmissionDetail, 'created_at'>>;

/**
 * The version that a submission was made against; of a missing one `fields` is empty, so that answers stand under their keys. After a restore, another
 * version may have its number.
 */
export function useMadeVersion(form: string, made: Made) {
  const { data, error, isPending, refetch } = useQuery(versionQuery(form, made.schema_version, made.version_id));
  const isMissing = data
    ? !isMeant({ versionId: made.version_id, madeAt: made.created_at }, { id: data.id, publishedAt: data.published_at })
    : hasStatus(error, 404);
  return {
    version: isMissing ? undefined : data,
    fields: isMissing ? [] : data?.fields,
    isMissing,
    error: isMissing ? null : error,
    isPending,
    refetch: () => void refetch(),
  };
}
