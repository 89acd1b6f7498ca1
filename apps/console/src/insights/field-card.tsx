import type { FieldInsights, FormSettingsDetail, NumberInsights, NumberScore, RangeCount } from '@sheaf/client';
import { answerKindOf, otherValue } from '@sheaf/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../parts/button';
import { Problem } from '../parts/problem';
import { Rows } from '../parts/rows';
import { amountStyleOf } from '../words/formats';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { BarTable, type Bar } from './bar-table';
import { Columns } from './columns';
import { Figures } from './figures';
import { hasRanks } from './has-ranks';
import style from './insights.module.css';
import { choicesOf, fieldQuery, useOptionName, type CountedField } from './insights-query';
import { MatrixRows } from './matrix-rows';
import type { Narrowing } from './narrowing';
import { OtherAnswers } from './other-answers';
import type { Span } from './period';

interface FieldCardProps {
  form: FormSettingsDetail;
  field: CountedField;
  isGone: boolean;
  span: Span;
  narrowing: Narrowing;
}

/** The answers to one question. */
export function FieldCard({ form, field, isGone, span, narrowing }: FieldCardProps) {
  const say = useWords('insights');
  const formats = useFormats();
  const share = [formats.number(field.answered), formats.percent(field.answered_share)] as const;
  const answered = field.asked === undefined ? say.answeredBy(...share) : say.answeredOf(...share, formats.number(field.asked));
  return (
    <article className={style.card} aria-label={field.label}>
      <div>
        <h3 dir="auto">{field.label}</h3>
        <p className="muted">
          {answered}
          {isGone && ` ${say.removed}`}
        </p>
      </div>
      {field.omitted === true ? <OmittedCounts {...{ form, field, span, narrowing }} /> : <FieldCounts field={field} />}
      {hasOther(field) && <OtherAnswers form={form} choice={field.key} {...{ span, narrowing }} />}
    </article>
  );
}

/** Whether somebody chose *Other*. */
const hasOther = ({ question, options = [] }: CountedField): boolean =>
  question !== undefined && 'other' in question && question.other !== undefined && options.some(({ value }) => value === otherValue);

/** One request has only so many counts: those of this field are loaded by themselves. */
function OmittedCounts({ form, field, span, narrowing }: Omit<FieldCardProps, 'isGone'>) {
  const say = useWords('insights');
  const [isWanted, setIsWanted] = useState(false);
  const { data, error, refetch, isFetching } = useQuery({ ...fieldQuery(form.id, field.key, span, narrowing), enabled: isWanted });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data) return <FieldCounts field={{ ...field, ...(data satisfies FieldInsights), label: field.label }} />;
  return (
    <div>
      <Button isSmall onPress={() => setIsWanted(true)} isPending={isFetching}>
        {say.loadCounts}
      </Button>
    </div>
  );
}

function FieldCounts({ field }: { field: CountedField }) {
  const say = useWords('insights');
  const nameOf = useOptionName();
  const formats = useFormats();
  return (
    <>
      {field.options && (
        <BarTable
          label={field.label}
          head={say.option}
          bars={barsOf(field, field.options, say, { format: formats.number, nameOf })}
          {...(hasRanks(field) ? { countHead: say.firstRanks } : {})}
        />
      )}
      {field.rows && <MatrixRows field={field} />}
      {field.numbers && <Numbers field={field} numbers={field.numbers} />}
      {field.numbers?.score && <Score score={field.numbers.score} />}
    </>
  );
}

/** The options that nobody chose are there too, but not all countries of the world; those that the question no longer has are marked. */
function barsOf(
  field: CountedField,
  counts: NonNullable<FieldInsights['options']>,
  say: {
    yes: string;
    no: string;
    removedOption: string;
    placesTaken: (taken: string, places: string) => string;
    meanRank: (mean: string) => string;
  },
  { format, nameOf }: { format: (number: number) => string; nameOf: ReturnType<typeof useOptionName> },
): Bar[] {
  const { question, answered, places = [] } = field;
  const offered = question ? choicesOf(field, say) : [];
  const isOffered = (value: string) => offered.some((option) => option.value === value);
  const chosen = new Set(counts.map(({ value }) => value));
  const all: typeof counts = [
    ...counts,
    ...offered.filter(({ value }) => !chosen.has(value)).map(({ value }) => ({ value, submissions: 0 })),
  ];
  const placesOf = (value: string) => {
    const limited = places.find((option) => option.value === value);
    return limited && say.placesTaken(format(limited.taken), format(limited.places));
  };
  return all.map(({ submissions, first = 0, mean_rank: mean, ...option }) => {
    const count = hasRanks(field) ? first : submissions;
    const facts = [
      offered.length > 0 && !isOffered(option.value) ? say.removedOption : placesOf(option.value),
      mean === undefined ? undefined : say.meanRank(format(mean)),
    ].filter((fact) => fact !== undefined);
    return {
      id: option.value,
      label: nameOf(field, option),
      note: facts.length === 0 ? undefined : facts.join(' '),
      count,
      share: answered === 0 ? 0 : count / answered,
    };
  });
}

/** The Net Promoter Score, and the three groups that make it. */
function Score({ score: { value, promoters, passives, detractors } }: { score: NumberScore }) {
  const say = useWords('insights');
  const formats = useFormats();
  const all = promoters + passives + detractors;
  const bar = (id: string, label: string, count: number) => ({ id, label, count, share: all === 0 ? 0 : count / all });
  return (
    <>
      <Figures figures={[[say.score, formats.number(value)]]} />
      <BarTable
        label={say.score}
        head={say.option}
        bars={[
          bar('promoters', say.promoters, promoters),
          bar('passives', say.passives, passives),
          bar('detractors', say.detractors, detractors),
        ]}
      />
    </>
  );
}

function Numbers({ field: { label, question }, numbers }: { field: CountedField; numbers: NumberInsights }) {
  const say = useWords('insights');
  const formats = useFormats();
  const amount = amountStyleOf(question);
  const write = (value: number) => formats.amount(value, amount);
  const isWhole = question !== undefined && answerKindOf(question) === 'whole';
  const nameOf = ({ from, to }: RangeCount) => {
    if (!isWhole) return say.fromBelow(write(from), write(to));
    return to - from <= 1 ? formats.number(from) : say.fromTo(formats.number(from), formats.number(to - 1));
  };
  const columns = numbers.ranges.map((range) => ({ label: nameOf(range), count: range.submissions }));
  const figures = [
    ...(numbers.mean === undefined ? [] : [[say.mean, numbers.mean] as const]),
    [say.lowest, numbers.min],
    [say.lowerQuartile, numbers.lower_quartile],
    [say.median, numbers.median],
    [say.upperQuartile, numbers.upper_quartile],
    [say.highest, numbers.max],
  ] as const;
  const last = numbers.ranges.at(-1)?.to ?? numbers.max;
  const ends = [write(numbers.ranges[0]?.from ?? numbers.min), write(isWhole ? last - 1 : last)] as const;
  return (
    <figure className={style.figure}>
      <Figures figures={figures.map(([name, value]) => [name, write(value)] as const)} />
      <Columns columns={columns} summary={say.numbersSummary(label, ...ends, write(numbers.median))} format={formats.number} ends={ends} />
      <details className={style.details}>
        <summary>{say.asTable}</summary>
        <Rows
          label={say.tableOf(label)}
          rows={columns}
          keyOf={(column) => column.label}
          columns={[
            { head: say.range, kind: 'name', cell: (column) => column.label },
            { head: say.submissions, cell: ({ count }) => formats.number(count) },
          ]}
        />
      </details>
    </figure>
  );
}
