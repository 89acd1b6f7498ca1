import { Rows } from '../parts/rows';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './insights.module.css';
import type { CountedField } from './insights-query';
import { matrixCounts, type CountedRow } from './matrix-counts';

/** A bar for each row of a matrix, whose parts are the columns. */
export function MatrixRows({ field }: { field: CountedField }) {
  const say = useWords('insights');
  const formats = useFormats();
  const { rows, columns } = matrixCounts(field);
  const nameOf = ({ label, isGone }: { label: string; isGone: boolean }) => (isGone ? `${label} ${say.removedOption}` : label);
  const strengthOf = (index: number) => ({ opacity: columns.length === 1 ? 1 : 0.3 + (0.7 * index) / (columns.length - 1) });
  const partsOf = ({ counts }: CountedRow) => counts.flatMap((each, index) => (each.count === 0 ? [] : [{ ...each, index }]));
  const sentence = (row: CountedRow) =>
    say.rowSummary(
      nameOf(row),
      formats.number(row.answered),
      partsOf(row).map(({ index, count, share }) =>
        say.columnCount(columns[index]?.label ?? '', formats.number(count), formats.percent(share)),
      ),
    );
  return (
    <figure className={style.figure}>
      <ul className={style.legend} aria-hidden>
        {columns.map((column, index) => (
          <li key={column.value}>
            <span className={style.part} style={strengthOf(index)} />
            <span dir="auto">{nameOf(column)}</span>
          </li>
        ))}
      </ul>
      <div className={style.stacks}>
        {rows.map((row) => (
          <div key={row.value} role="img" aria-label={sentence(row)}>
            <div className={style.stackName}>
              <span dir="auto">{nameOf(row)}</span>
              <span className="muted">{formats.number(row.answered)}</span>
            </div>
            <div className={style.stack}>
              {partsOf(row).map(({ index, count, share }) => (
                <span
                  key={index}
                  className={style.part}
                  style={{ ...strengthOf(index), flexGrow: count }}
                  title={say.columnCount(columns[index]?.label ?? '', formats.number(count), formats.percent(share))}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
      <details className={style.details}>
        <summary>{say.asTable}</summary>
        <Rows
          label={say.tableOf(field.label)}
          rows={rows}
          keyOf={({ value }) => value}
          columns={[
            { head: say.row, kind: 'name', cell: nameOf },
            { head: say.answers, cell: ({ answered }) => formats.number(answered) },
            ...columns.map((column, index) => ({
              head: nameOf(column),
              cell: ({ counts }: CountedRow) => {
                const { count, share } = counts[index] ?? { count: 0, share: 0 };
                return say.countAndShare(formats.number(count), formats.percent(share));
              },
            })),
          ]}
        />
      </details>
    </figure>
  );
}
