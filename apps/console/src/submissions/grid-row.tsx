import type { SubmissionDetail } from '@sheaf/client';
import { Images, MessageSquare } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import { classes } from '../parts/classes';
import { Since } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { fillTime, type Column } from './columns';
import { answerText, fileKeyIn } from './fields';
import style from './grid.module.css';
import { Marked } from './marked';
import type { People } from './people';
import type { Selection } from './selection';
import { StatusAndArea } from './status-badge';

export interface RowFrame {
  columns: readonly Column[];
  /** The indexes of the columns that are on the screen. */
  visible: readonly number[];
  /** The widths of all columns, for CSS. */
  tracks: string;
  hasChecks: boolean;
}

interface RowProps extends RowFrame {
  isCard: boolean;
  row: SubmissionDetail;
  index: number;
  start: number;
  height: number;
  /** The column where the keyboard is, if it is in this row. */
  activeColumn: number | undefined;
  isOpen: boolean;
  isSelected: boolean;
  select: Selection['select'] | undefined;
  onOpen: (id: string) => void;
  onLook: (id: string, key?: string) => void;
  people: People;
}

/** The columns on the screen seldom change while rows scroll by. */
export const GridRow = memo(Row, (before, after) =>
  (Object.keys(after) as (keyof RowProps)[]).every((name) =>
    name === 'visible'
      ? before.visible.join() === after.visible.join()
      : name === 'onOpen' || name === 'onLook' || name === 'people' || before[name] === after[name],
  ),
);

function Row({
  isCard,
  row,
  index,
  start,
  height,
  columns,
  visible,
  tracks,
  hasChecks,
  activeColumn,
  isOpen,
  isSelected,
  select,
  onOpen,
  onLook,
  people,
}: RowProps) {
  const say = useWords('submissions');
  const formats = useFormats();
  const first = hasChecks ? 1 : 0;
  const onClick = (event: MouseEvent) => {
    // A person who marks a text to copy it does not want to leave.
    if ((event.target as HTMLElement).closest('input, label, button') || getSelection()?.type === 'Range') return;
    onOpen(row.id);
  };
  const cells = visible.map((at) => {
    const column = columns[at];
    return (
      column && (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={at + first + 1}
          className={classes(style.cell, column.field && style.ofAnswer)}
          style={isCard ? undefined : { gridColumn: at + first + 1 }}
          data-cell={`${index}:${at + first}`}
          tabIndex={activeColumn === at + first ? 0 : -1}
        >
          {isCard && at > 0 && column.field && <span className={style.question}>{column.field.label}</span>}
          <Cell row={row} column={column} people={people} onLook={onLook} />
        </div>
      )
    );
  });
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={hasChecks ? isSelected : undefined}
      aria-current={isOpen ? 'true' : undefined}
      className={classes(style.row, isOpen && style.isOpen, isSelected && style.isSelected)}
      style={{ gridTemplateColumns: isCard ? undefined : tracks, transform: `translateY(${start}px)`, blockSize: height }}
      onClick={onClick}
    >
      {hasChecks && (
        <div role="gridcell" aria-colindex={1} className={style.check} data-cell={`${index}:0`}>
          <label>
            <input
              type="checkbox"
              aria-label={say.selectSubmission(formats.dateTime(row.created_at))}
              checked={isSelected}
              tabIndex={activeColumn === 0 ? 0 : -1}
              onChange={(event) => select?.(row.id, index, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
            />
          </label>
        </div>
      )}
      {isCard ? (
        <div role="presentation" className={style.card}>
          {cells}
        </div>
      ) : (
        cells
      )}
    </div>
  );
}

interface CellProps {
  row: SubmissionDetail;
  column: Column;
  people: People;
  onLook: (id: string, key?: string) => void;
}

function Cell({ row, column, people, onLook }: CellProps) {
  const say = useWords('submissions');
  const formats = useFormats();
  const files = fileKeyIn(column.field, row);
  if (column.field && files !== undefined)
    return (
      // The keyboard has a key for it, and stays in the cells.
      <button type="button" tabIndex={-1} data-look className={style.look} title={say.quickLook} onClick={() => onLook(row.id, files)}>
        <Images size={14} aria-hidden /> <bdi>{answerText(column.field, row.data[files], formats, say)}</bdi>
      </button>
    );
  if (column.field)
    return (
      <span dir="auto" className={style.text}>
        <Marked text={answerText(column.field, row.data[column.field.key], formats, say)} />
      </span>
    );
  if (column.id === 'status') return <StatusAndArea row={row} />;
  if (column.id === fillTime)
    return <span className={style.text}>{row.fill_seconds === undefined ? '' : formats.duration(row.fill_seconds)}</span>;
  if (column.id === 'assignee')
    return (
      <span dir="auto" className={style.text}>
        {row.assignee === undefined ? '' : (people.nameOf(row.assignee) ?? say.somebody)}
      </span>
    );
  return (
    <span className={style.received}>
      <Since time={row.created_at} />
      {(row.notes ?? 0) > 0 && (
        <span title={say.notesCount(row.notes ?? 0)}>
          <MessageSquare size={14} aria-label={say.notesCount(row.notes ?? 0)} role="img" />
        </span>
      )}
    </span>
  );
}
