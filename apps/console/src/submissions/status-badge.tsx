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
