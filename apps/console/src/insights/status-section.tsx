import type { StatusCount } from '@sheaf/client';
import { Section } from '../parts/page';
import { useWords } from '../words/use-words';
import { BarTable } from './bar-table';

/** The order of their work. */
const order = ['pending_payment', 'new', 'in_review', 'approved', 'rejected', 'archived'];

export function StatusSection({ statuses, total }: { statuses: readonly StatusCount[]; total: number }) {
  const say = useWords('insights');
  const names: Record<string, string> = {
    pending_payment: say.pendingPayment,
    new: say.new,
    in_review: say.inReview,
    approved: say.approved,
    rejected: say.rejected,
    archived: say.archived,
  };
  const placeOf = (status: string) => (order.includes(status) ? order.indexOf(status) : order.length);
  const bars = statuses
    .toSorted((a, b) => placeOf(a.status) - placeOf(b.status))
    .map(({ status, submissions }) => ({
      id: status,
      label: names[status] ?? status,
      count: submissions,
      share: total === 0 ? 0 : submissions / total,
    }));
  return (
    <Section title={say.byStatus} help={say.ofAll}>
      <BarTable label={say.byStatus} head={say.status} bars={bars} />
    </Section>
  );
}
