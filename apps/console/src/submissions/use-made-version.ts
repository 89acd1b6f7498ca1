import type { FormVersionDetail, SubmissionDetail } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { hasStatus } from '../api/problem-sentence';
import { versionQuery } from './list-data';

/** The fields of the version that a submission was made against; one that is yet to be made has no time. */
type Made = Pick<SubmissionDetail, 'schema_version' | 'version_id'> & Partial<Pick<SubmissionDetail, 'created_at'>>;

/** How far the clocks of two services may be apart. */
const clocksApartMs = 60_000;

/**
 * The version that a submission was made against; of a missing one `fields` is empty, so that answers stand under their keys. After a restore, another
 * version may have its number.
 */
export function useMadeVersion(form: string, made: Made) {
  const { data, error, isPending, refetch } = useQuery(versionQuery(form, made.schema_version, made.version_id));
  const isMissing = data ? !isMeant(data, made) : hasStatus(error, 404);
  return {
    version: isMissing ? undefined : data,
    fields: isMissing ? [] : data?.fields,
    isMissing,
    error: isMissing ? null : error,
    isPending,
    refetch: () => void refetch(),
  };
}

/** Without an id, a version is not meant if it was published only after the submission. */
const isMeant = ({ id, published_at: publishedAt }: FormVersionDetail, made: Made): boolean =>
  id !== undefined && made.version_id !== undefined
    ? id === made.version_id
    : made.created_at === undefined || Date.parse(publishedAt) <= Date.parse(made.created_at) + clocksApartMs;
