import type { SubmissionDetail } from '@sheaf/client';
import { Badge, type Tone } from '../parts/states';
import { useWords } from '../words/use-words';
import { statuses } from './list-search';

const tones: Readonly<Record<string, Tone>> = {
  new: 'active',
  in_review: 'waiting',
  approved: 'good',
  rejected: 'bad',
  pending_payment: 'waiting',
};

/** The name of a status. The API may gain new ones. */
export function useStatusName(): (status: string) => string {
  const say = useWords('submissions');
  return (status) => {
    const known = statuses.find((each) => each === status);
    return known === undefined ? status : say[`status_${known}`];
  };
}

export function StatusBadge({ status }: { status: string }) {
  const nameOf = useStatusName();
  return <Badge tone={tones[status] ?? 'neutral'}>{nameOf(status)}</Badge>;
}

/** A search may also find what is not in the list, which then says so. */
export function StatusAndArea({ row }: { row: Pick<SubmissionDetail, 'status' | 'spam_at' | 'deleted_at'> }) {
  const { areas } = useWords('submissions').filterWords;
  const area = row.deleted_at !== undefined ? areas.trash : row.spam_at !== undefined ? areas.spam : undefined;
  return (
    <>
      <StatusBadge status={row.status} />
      {area !== undefined && (
        <>
          {' '}
          <Badge tone="bad">{area}</Badge>
        </>
      )}
    </>
  );
}
