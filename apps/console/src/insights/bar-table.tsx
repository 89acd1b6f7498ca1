import { useState, type ReactNode } from 'react';
import { Button } from '../parts/button';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './insights.module.css';

export interface Bar {
  id: string;
  label: string;
  /** After the label, such as that the option is gone. */
  note?: string | undefined;
  count: number;
  /** Between 0 and 1; also the length of the bar. */
  share: number;
}

/** Bars that are a table at the same time: the picture is beside the numbers, and a screen reader reads those. */
export function BarTable({
  label,
  head,
  bars,
  countHead,
  shown = 12,
}: {
  label: string;
  head: string;
  bars: readonly Bar[];
  countHead?: string;
  /** How many rows there are until all are wanted. */
  shown?: number;
}): ReactNode {
  const say = useWords('insights');
  const formats = useFormats();
  const [isAll, setIsAll] = useState(false);
  const rows = isAll ? bars : bars.slice(0, shown);
  return (
    <div className={style.bars}>
      <table className={style.barTable} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">{countHead ?? say.submissions}</th>
            <th scope="col">{say.share}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, label: text, note, count, share }) => (
            <tr key={id}>
              <th scope="row">
                <span dir="auto">{text}</span>
                {note !== undefined && <span className="muted"> {note}</span>}
                <svg aria-hidden width="100%" height="6" className={style.meter}>
                  <rect width="100%" height="6" rx="3" className={style.track} />
                  <rect width={`${Math.min(share, 1) * 100}%`} height="6" rx="3" className={style.bar} />
                </svg>
              </th>
              <td>{formats.number(count)}</td>
              <td>{formats.percent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < bars.length && (
        <Button isSmall look="quiet" onPress={() => setIsAll(true)}>
          {say.showAll(formats.number(bars.length))}
        </Button>
      )}
    </div>
  );
}
