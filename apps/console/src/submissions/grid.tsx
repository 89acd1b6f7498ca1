import type { SubmissionDetail } from '@sheaf/client';
import { useVirtualizer, defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { classes } from '../parts/classes';
import { useMedia } from '../parts/use-media';
import { useWords } from '../words/use-words';
import { onCard, widthOf, type Column, type Layout } from './columns';
import { fileKeyIn } from './fields';
import style from './grid.module.css';
import { GridHead, type HeadActions } from './grid-head';
import { GridRow } from './grid-row';
import type { People } from './people';
import type { Selection } from './selection';

export type Density = 'comfortable' | 'compact';
const rowHeights: Record<Density, number> = { comfortable: 44, compact: 32 };
export const checkWidth = 40;
/** The name, the facts, and one more answer: a line each, in the text size that the person has chosen. */
const cardHeight = () => 5.5 * parseFloat(getComputedStyle(document.documentElement).fontSize);

export interface GridProps {
  /** Another list begins at its top. */
  listKey: string;
  rows: readonly SubmissionDetail[];
  columns: readonly Column[];
  layout: Layout;
  density: Density;
  /** The number of submissions on all pages; undefined where it is unknown. */
  total: number | undefined;
  /** Absent where the person may not change submissions. */
  selection: Selection | undefined;
  openId: string | undefined;
  onOpen: (id: string) => void;
  /** Shows the files of a submission, those of a question first. */
  onLook: (id: string, key?: string) => void;
  head: HeadActions;
  people: People;
  hasMore: boolean;
  isLoading: boolean;
  /** Rows will follow though there are none yet. */
  isWaiting: boolean;
  loadMore: () => void;
  /** Below the head where there are no rows. */
  children: ReactNode;
}

/** The place of the keyboard: row -1 is the head, and column 0 the check boxes where there are any. */
interface Place {
  row: number;
  column: number;
}

/** A page of rows before the end, so that scrolling never meets it. */
const aheadRows = 40;

/**
 * The table of submissions. Only what is on the screen is in the page, rows and columns alike; the arrow keys reach everything. On a phone its rows are
 * cards with the facts and the first two answers, and its head scrolls by itself, since all columns sort and filter.
 */
export function Grid(props: GridProps) {
  const { rows, columns, layout, density, total, selection, openId, onOpen, onLook, head, people, hasMore, isLoading, loadMore, children } =
    props;
  const say = useWords('submissions');
  const scroller = useRef<HTMLDivElement>(null);
  const headScroller = useRef<HTMLDivElement>(null);
  const card = useMedia('(max-width: 40rem)') ? onCard(columns) : undefined;
  const { place, onFocus, onBlur, onKeyDown } = useGridKeys(props, scroller, card);
  const rowHeight = card ? cardHeight() : rowHeights[density];
  const withPlace = (range: Range, index: number) => {
    const indexes = defaultRangeExtractor(range);
    return index < 0 || index >= range.count || indexes.includes(index) ? indexes : [...indexes, index].sort((a, b) => a - b);
  };
  const down = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The head sticks over the first row.
    scrollPaddingStart: rowHeight,
    rangeExtractor: (range) => withPlace(range, place.row),
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => (card ? headScroller : scroller).current,
    estimateSize: (index) => (columns[index] ? widthOf(columns[index], layout) : 0),
    overscan: 2,
    scrollPaddingStart: selection ? checkWidth : 0,
    rangeExtractor: (range) => withPlace(range, place.column - (selection ? 1 : 0)),
  });
  useEffect(() => down.measure(), [down, rowHeight]);
  useEffect(() => across.measure(), [across, columns, layout]);
  useLayoutEffect(() => down.scrollToOffset(0), [down, props.listKey]);

  const openIndex = openId === undefined ? -1 : rows.findIndex(({ id }) => id === openId);
  useEffect(() => {
    if (openIndex >= 0) down.scrollToIndex(openIndex, { align: 'auto' });
  }, [down, openIndex]);

  const items = down.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && !isLoading && last >= rows.length - aheadRows) loadMore();
  }, [hasMore, isLoading, last, rows.length, loadMore]);

  const visible = across.getVirtualItems().map(({ index }) => index);
  const tracks = [...(selection ? [checkWidth] : []), ...columns.map((column) => widthOf(column, layout))]
    .map((width) => `${width}px`)
    .join(' ');
  const width = across.getTotalSize() + (selection ? checkWidth : 0);
  const shared = { columns, visible, tracks, hasChecks: selection !== undefined };
  return (
    <div className={style.table}>
      <div
        ref={scroller}
        className={classes(style.scroller, rows.length === 0 && style.isBare, card && style.hasCards)}
        role="grid"
        aria-label={say.submissions}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-colcount={columns.length + (selection ? 1 : 0)}
        aria-multiselectable={selection !== undefined}
        aria-busy={isLoading || props.isWaiting}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        <GridHead
          {...shared}
          scroller={headScroller}
          layout={layout}
          width={width}
          selection={selection}
          activeColumn={place.row === -1 ? place.column : undefined}
          actions={head}
        />
        {rows.length > 0 && (
          <div role="rowgroup" className={style.body} style={{ blockSize: down.getTotalSize(), inlineSize: card ? undefined : width }}>
            {items.map(({ index, start, size }) => {
              const row = rows[index];
              return (
                row && (
                  <GridRow
                    key={row.id}
                    {...shared}
                    visible={card ?? visible}
                    isCard={card !== undefined}
                    row={row}
                    index={index}
                    start={start}
                    height={size}
                    activeColumn={place.row === index ? place.column : undefined}
                    isOpen={row.id === openId}
                    isSelected={selection?.has(row.id) ?? false}
                    select={selection?.select}
                    onOpen={onOpen}
                    onLook={onLook}
                    people={people}
                  />
                )
              );
            })}
          </div>
        )}
      </div>
      {rows.length === 0 && <div className={style.below}>{children}</div>}
    </div>
  );
}

const moves: Readonly<Record<string, (place: Place, last: Place, page: number) => Place>> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  PageDown: ({ row, column }, _, page) => ({ row: row + page, column }),
  PageUp: ({ row, column }, _, page) => ({ row: Math.max(0, row - page), column }),
};

/** The arrow keys go from cell to cell. Tab enters and leaves the whole table. */
function useGridKeys(
  { rows, columns, selection, openId, onOpen, onLook, listKey }: GridProps,
  scroller: RefObject<HTMLDivElement | null>,
  card: readonly number[] | undefined,
) {
  const [chosen, setPlace] = useState<Place>({ row: 0, column: 0 });
  const [placedIn, setPlacedIn] = useState(listKey);
  if (placedIn !== listKey) {
    // Another list begins at its top; who sorts stays in the head.
    setPlacedIn(listKey);
    if (chosen.row > 0) setPlace({ ...chosen, row: 0 });
  }
  const isMoving = useRef(false);
  const last = { row: rows.length - 1, column: columns.length - (selection ? 0 : 1) };
  const row = Math.min(chosen.row, last.row);
  const column = Math.min(chosen.column, last.column);
  // The window may have become narrow meanwhile: the keyboard is on the card then.
  const place = { row, column: row < 0 || !card ? column : besides(card, selection ? 1 : 0, column, column) };
  const isInside = useRef(false);
  useLayoutEffect(() => {
    // The row that had the focus has left the list: the one in its place has it now.
    const isLost = isInside.current && document.activeElement === document.body;
    if (!isMoving.current && !isLost) return;
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${place.row}:${place.column}"]`);
    const target = cell?.querySelector<HTMLElement>('input, button:not([data-look])') ?? cell;
    target?.focus({ preventScroll: true });
    if (isMoving.current) cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    isMoving.current = false;
  });
  const onFocus = ({ currentTarget, target }: FocusEvent<HTMLDivElement>) => {
    // React also tells of the menus of columns, which stand elsewhere in the page.
    isInside.current = currentTarget.contains(target);
    const at = target.closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(':');
    if (at) setPlace({ row: Number(at[0]), column: Number(at[1]) });
  };
  // React does not tell of what it removes itself.
  const onBlur = () => {
    isInside.current = false;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.metaKey || !scroller.current?.contains(event.target as Node)) return;
    const next = nextPlace(event, place, last, getComputedStyle(event.currentTarget).direction === 'rtl');
    if (next) {
      event.preventDefault();
      isMoving.current = true;
      const row = Math.min(last.row, Math.max(-1, next.row));
      const column = Math.min(last.column, Math.max(0, next.column));
      setPlace({ row, column: row < 0 || !card ? column : besides(card, selection ? 1 : 0, column, place.column) });
      return;
    }
    const row = rows[place.row];
    const isCheck = selection !== undefined && place.column === 0;
    if (row && event.key === 'Enter') onOpen(row.id);
    else if (row && event.key === 'v' && !event.ctrlKey && openId === undefined) {
      event.preventDefault();
      onLook(row.id, fileKeyIn(columns[place.column - (selection ? 1 : 0)]?.field, row));
    } else if (row && selection && ((event.key === ' ' && !isCheck) || (event.key === 'x' && openId === undefined))) {
      event.preventDefault();
      selection.select(row.id, place.row, event.shiftKey);
    }
  };
  return { place, onFocus, onBlur, onKeyDown };
}

/** The column of a card that the keyboard meets first on its way to a column. */
function besides(card: readonly number[], first: number, column: number, from: number): number {
  const columns = [...(first > 0 ? [0] : []), ...card.map((at) => at + first)];
  const onTheWay = column < from ? columns.findLast((at) => at <= column) : columns.find((at) => at >= column);
  return onTheWay ?? columns.at(column < from ? 0 : -1) ?? column;
}

function nextPlace(event: KeyboardEvent<HTMLDivElement>, place: Place, last: Place, isRightToLeft: boolean): Place | undefined {
  const forward = isRightToLeft ? -1 : 1;
  const { row, column } = place;
  if (event.key === 'ArrowRight') return { row, column: column + forward };
  if (event.key === 'ArrowLeft') return { row, column: column - forward };
  if (event.key === 'Home') return event.ctrlKey ? { row: 0, column: 0 } : { row, column: 0 };
  if (event.key === 'End') return event.ctrlKey ? last : { row, column: last.column };
  const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / 44) - 2);
  return moves[event.key]?.(place, last, page);
}
