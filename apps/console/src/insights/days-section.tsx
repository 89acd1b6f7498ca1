import type { FormInsights } from '@sheaf/client';
import type { ReactNode } from 'react';
import { classes } from '../parts/classes';
import { Section } from '../parts/page';
import { Rows } from '../parts/rows';
import type { Formats } from '../words/formats';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { Columns } from './columns';
import { Figures } from './figures';
import style from './insights.module.css';
import { bucketsOf, noCounts, unitFor, type Bucket } from './period';

interface DaysSectionProps {
  data: FormInsights;
  isStale: boolean;
  /** Visits are not those of the submissions that match, and are left out. */
  isNarrow: boolean;
  actions: ReactNode;
}

/** How many submissions arrived when. */
export function DaysSection({ data, isStale, isNarrow, actions }: DaysSectionProps) {
  const say = useWords('insights');
  const formats = useFormats();
  const unit = unitFor(data.days.length);
  const buckets = bucketsOf(data.days, unit);
  const total = buckets.reduce((sum, { submissions }) => sum + submissions, 0);
  const most = buckets.reduce((best, each) => (each.submissions > best.submissions ? each : best), buckets[0] ?? emptyBucket);
  const title = { day: say.perDay, week: say.perWeek, month: say.perMonth }[unit];
  const nameOf = (bucket: Bucket) => daysOf(bucket, formats);
  const [first, last] = [buckets[0] ?? emptyBucket, buckets.at(-1) ?? emptyBucket];
  const period = [formats.days(first.from, first.from), formats.days(last.to, last.to)] as const;
  const count = formats.number(total);
  const summary =
    total === 0 ? say.noneFromTo(...period) : say.chartSummary(title, ...period, count, nameOf(most), formats.number(most.submissions));
  return (
    <Section title={title} help={say.inZone(data.timezone)} actions={actions}>
      <Figures
        figures={[
          [say.inPeriod, count],
          [say.perDayOnAverage, formats.number(Math.round((total / Math.max(data.days.length, 1)) * 10) / 10)],
          [say.inAll, formats.number(data.submissions)],
        ]}
      />
      <figure className={classes(style.figure, isStale && style.stale)}>
        <Columns
          columns={buckets.map((bucket) => ({ label: nameOf(bucket), count: bucket.submissions }))}
          summary={summary}
          format={formats.number}
          ends={[nameOf(first), nameOf(last)]}
        />
        {total === 0 && <figcaption>{say.noneInPeriod}</figcaption>}
        <details className={style.details}>
          <summary>{say.asTable}</summary>
          <BucketTable title={title} buckets={buckets} isNarrow={isNarrow} />
        </details>
      </figure>
    </Section>
  );
}

const emptyBucket: Bucket = { from: '', to: '', ...noCounts };

/** The newest first, as people look for yesterday. */
function BucketTable({ title, buckets, isNarrow }: { title: string; buckets: readonly Bucket[]; isNarrow: boolean }) {
  const say = useWords('insights');
  const formats = useFormats();
  return (
    <div className={style.scrolls}>
      <Rows
        label={say.tableOf(title)}
        rows={buckets.toReversed()}
        keyOf={({ from }) => from}
        columns={[
          { head: say.when, kind: 'name', cell: (bucket) => daysOf(bucket, formats) },
          { head: say.submissions, cell: ({ submissions }) => formats.number(submissions) },
          ...(isNarrow
            ? []
            : [
                { head: say.opened, cell: ({ views }: Bucket) => formats.number(views) },
                { head: say.started, cell: ({ starts }: Bucket) => formats.number(starts) },
                { head: say.sent, cell: ({ completions }: Bucket) => formats.number(completions) },
              ]),
        ]}
      />
    </div>
  );
}

const daysOf = ({ from, to }: Bucket, formats: Formats): string => (from === '' ? '' : formats.days(from, to));
