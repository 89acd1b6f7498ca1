import {
  ArrowDown,
  ArrowDownUp,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ChevronDown,
  EyeOff,
  ListFilter,
  StretchHorizontal,
  UnfoldHorizontal,
} from 'lucide-react';
import { useState, type DragEvent, type PointerEvent, type RefObject } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { classes } from '../parts/classes';
import { Menu, MenuItem, MenuSection } from '../parts/menu';
import { useWords } from '../words/use-words';
import { fillTime, widthOf, type Column, type Layout } from './columns';
import style from './grid.module.css';
import type { RowFrame } from './grid-row';
import type { Selection } from './selection';

export interface HeadActions {
  /** Undefined where the list is in an order of no column. */
  sort: string | undefined;
  /** Whether the API takes the order by this column. */
  maySort: (column: Column) => boolean;
  /** Undefined for the order that a list has by itself. */
  onSort: (sort: string | undefined) => void;
  onFilter: (column: Column) => void;
  onHide: (column: Column) => void;
  /** To the place of the column before or after it. */
  onStep: (column: Column, direction: 1 | -1) => void;
  onMove: (id: string, target: string) => void;
  onWider: (column: Column, direction: 1 | -1) => void;
  onResize: (column: Column, width: number) => void;
}

interface HeadProps extends RowFrame {
  /** The box that scrolls sideways above cards. */
  scroller: RefObject<HTMLDivElement | null>;
  layout: Layout;
  width: number;
  selection: Selection | undefined;
  activeColumn: number | undefined;
  actions: HeadActions;
}

/** The head of the table. Its names sort the list; each column has a menu that does everything that dragging does. */
export function GridHead({ scroller, columns, visible, tracks, layout, width, selection, activeColumn, actions }: HeadProps) {
  const first = selection ? 1 : 0;
  return (
    <div ref={scroller} role="rowgroup" className={style.head}>
      <div role="row" aria-rowindex={1} className={style.headRow} style={{ gridTemplateColumns: tracks, inlineSize: width }}>
        {selection && <SelectAll selection={selection} isActive={activeColumn === 0} />}
        {visible.map((at) => {
          const column = columns[at];
          return (
            column && (
              <HeadCell
                key={column.id}
                column={column}
                at={at + first}
                isActive={activeColumn === at + first}
                layout={layout}
                actions={actions}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

function SelectAll({ selection, isActive }: { selection: Selection; isActive: boolean }) {
  const say = useWords('submissions');
  return (
    <div role="columnheader" aria-colindex={1} className={style.check} data-cell="-1:0">
      <label>
        <input
          type="checkbox"
          aria-label={say.selectLoaded}
          ref={(box) => {
            if (box) box.indeterminate = selection.ids.size > 0 && !selection.isAll;
          }}
          checked={selection.isAll}
          tabIndex={isActive ? 0 : -1}
          onChange={(event) => selection.selectAll(event.target.checked)}
        />
      </label>
    </div>
  );
}

/** The order that a list has by itself. */
export const ownSort = '-created';

/** The name of the order by a column. */
const sortName = ({ id }: Column): string => (id === 'received' ? 'created' : id);

interface CellProps {
  column: Column;
  at: number;
  isActive: boolean;
  layout: Layout;
  actions: HeadActions;
}

function HeadCell({ column, at, isActive, layout, actions }: CellProps) {
  const say = useWords('submissions');
  const [isTarget, setIsTarget] = useState(false);
  const name = column.field?.label ?? say[`column_${column.id as 'received'}`];
  const sort = sortName(column);
  const direction = actions.sort === sort ? 'ascending' : actions.sort === `-${sort}` ? 'descending' : undefined;
  const isByItself = actions.sort === ownSort;
  // Without an order, the list would be in its own again: its column has only two.
  const nextSort = direction === undefined || isByItself ? sort : direction === 'ascending' ? `-${sort}` : undefined;
  const maySort = actions.maySort(column);
  const maySortOff = direction !== undefined && !isByItself;
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsTarget(false);
    actions.onMove(event.dataTransfer.getData('text/plain'), column.id);
  };
  const content = (
    <>
      <span dir="auto" className={style.text}>
        {name}
      </span>
      {direction === 'ascending' && <ArrowUp size={14} aria-hidden />}
      {direction === 'descending' && <ArrowDown size={14} aria-hidden />}
    </>
  );
  return (
    <div
      role="columnheader"
      aria-colindex={at + 1}
      aria-sort={direction}
      className={classes(style.headCell, isTarget && style.isTarget)}
      style={{ gridColumn: at + 1 }}
      data-cell={`-1:${at}`}
      draggable
      onDragStart={(event) => event.dataTransfer.setData('text/plain', column.id)}
      onDragOver={(event) => {
        event.preventDefault();
        setIsTarget(true);
      }}
      onDragLeave={() => setIsTarget(false)}
      onDrop={onDrop}
    >
      {maySort ? (
        <AriaButton
          className={classes(style.headName, style.headButton)}
          excludeFromTabOrder={!isActive}
          onPress={() => actions.onSort(nextSort)}
        >
          {content}
        </AriaButton>
      ) : (
        <span className={style.headName}>{content}</span>
      )}
      <Menu
        label={name}
        trigger={
          <AriaButton className={style.headMenu ?? ''} aria-label={say.columnMenu(name)} excludeFromTabOrder={!isActive}>
            <ChevronDown size={14} aria-hidden />
          </AriaButton>
        }
      >
        {(maySort || maySortOff) && (
          <MenuSection aria-label={say.sort}>
            {maySort && (
              <MenuItem icon={ArrowUp} onAction={() => actions.onSort(sort)}>
                {say.sortAscending}
              </MenuItem>
            )}
            {maySort && (
              <MenuItem icon={ArrowDown} onAction={() => actions.onSort(`-${sort}`)}>
                {say.sortDescending}
              </MenuItem>
            )}
            {maySortOff && (
              <MenuItem icon={ArrowDownUp} onAction={() => actions.onSort(undefined)}>
                {say.sortOff}
              </MenuItem>
            )}
          </MenuSection>
        )}
        <MenuSection aria-label={say.column}>
          {column.id !== fillTime && (
            <MenuItem icon={ListFilter} onAction={() => actions.onFilter(column)}>
              {say.filterColumn}
            </MenuItem>
          )}
          <MenuItem icon={ArrowLeft} onAction={() => actions.onStep(column, -1)}>
            {say.moveToStart}
          </MenuItem>
          <MenuItem icon={ArrowRight} onAction={() => actions.onStep(column, 1)}>
            {say.moveToEnd}
          </MenuItem>
          <MenuItem icon={UnfoldHorizontal} onAction={() => actions.onWider(column, 1)}>
            {say.wider}
          </MenuItem>
          <MenuItem icon={StretchHorizontal} onAction={() => actions.onWider(column, -1)}>
            {say.narrower}
          </MenuItem>
          <MenuItem icon={EyeOff} onAction={() => actions.onHide(column)}>
            {say.hideColumn}
          </MenuItem>
        </MenuSection>
      </Menu>
      <Resizer width={widthOf(column, layout)} onResize={(width) => actions.onResize(column, width)} />
    </div>
  );
}

/** For the pointer; the menu of the column does the same. */
function Resizer({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const [start, setStart] = useState<number>();
  const move = (event: PointerEvent) => {
    if (start === undefined) return;
    const sign = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    onResize(width + sign * (event.clientX - start));
    setStart(event.clientX);
  };
  return (
    <div
      className={style.resizer}
      aria-hidden
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart(event.clientX);
      }}
      onPointerMove={move}
      onPointerUp={() => setStart(undefined)}
      onPointerCancel={() => setStart(undefined)}
    />
  );
}
