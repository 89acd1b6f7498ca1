import type { DayCount } from '@sheaf/client';
import { Section } from '../parts/page';
import { useWords } from '../words/use-words';
import { BarTable } from './bar-table';
import { noCounts, sumOf } from './period';

/** How many of those who open the form get to its end, in the period of the chart. */
export function CompletionSection({ days }: { days: readonly DayCount[] }) {
  const say = useWords('insights');
  const { views, starts, completions } = days.reduce(sumOf, noCounts);
  // Forms that are filled in through the API may be sent more often than they are opened.
  const most = Math.max(views, starts, completions);
  const bar = (id: string, label: string, count: number) => ({ id, label, count, share: most === 0 ? 0 : count / most });
  return (
    <Section title={say.completion} help={say.completionHelp}>
      {most === 0 ? (
        <p className="muted">{say.noVisits}</p>
      ) : (
        <BarTable
          label={say.completion}
          head={say.step}
          countHead={say.times}
          bars={[bar('views', say.opened, views), bar('starts', say.started, starts), bar('completions', say.sent, completions)]}
        />
      )}
    </Section>
  );
}
