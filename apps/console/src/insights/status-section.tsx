import type { StatusCount } from '@sheaf/client';
import { Section } from '../parts/page';
import { useWords } from '../words/use-words';
import { BarTable } from './bar-table';
import { statuses as order } from './narrowing';

export function useStatusNames(): Record<string, string> {
  const say = useWords('insights');
  return {
    pending_payment: say.pendingPayment,
    new: say.new,
    in_review: say.inReview,
    approved: say.approved,
    rejected: say.rejected,
    archived: say.archived,
  };
}

export function StatusSection({ counts, total, of }: { counts: readonly StatusCount[]; total: number; of: string }) {
  const say = useWords('insights');
  const names = useStatusNames();
  const placeOf = (status: StatusCount['status']) => (order.includes(status) ? order.indexOf(status) : order.length);
  const bars = counts
    .toSorted((a, b) => placeOf(a.status) - placeOf(b.status))
    .map(({ status, submissions }) => ({
      id: status,
      label: names[status] ?? status,
      count: submissions,
      share: total === 0 ? 0 : submissions / total,
    }));
  return (
    <Section title={say.byStatus} help={of}>
      <BarTable label={say.byStatus} head={say.status} bars={bars} />
    </Section>
  );
}
