import style from './insights.module.css';
import { scaleFor } from './period';

export interface Column {
  label: string;
  count: number;
}

const height = 160;

/** Columns with a scale. Its table says the same in words; `summary` is what a screen reader reads instead of the picture. */
export function Columns({
  columns,
  summary,
  format,
  ends,
}: {
  columns: readonly Column[];
  summary: string;
  format: (count: number) => string;
  /** Below the first and the last column. */
  ends: readonly [string, string];
}) {
  const { top, steps } = scaleFor(Math.max(0, ...columns.map(({ count }) => count)));
  const width = 100 / columns.length;
  // Thin columns stand close together.
  const gap = Math.min(width * 0.25, 1);
  return (
    <div className={style.chart}>
      <div className={style.scale} aria-hidden>
        {steps.map((step) => (
          <span key={step} style={{ insetBlockEnd: `${(step / top) * 100}%` }}>
            {format(step)}
          </span>
        ))}
      </div>
      <svg role="img" aria-label={summary} width="100%" height={height} className={style.columns}>
        {steps.map((step) => (
          <line key={step} x1="0" x2="100%" y1={yOf(step, top)} y2={yOf(step, top)} className={style.gridLine} />
        ))}
        {columns.map(({ label, count }, n) => (
          <rect
            key={label}
            x={`${n * width + gap / 2}%`}
            width={`${width - gap}%`}
            y={yOf(count, top)}
            height={height - yOf(count, top)}
            className={style.bar}
          >
            <title>{`${label}: ${format(count)}`}</title>
          </rect>
        ))}
      </svg>
      <div className={style.ends} aria-hidden>
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </div>
  );
}

const yOf = (count: number, top: number): number => height - (count / top) * (height - 1);
