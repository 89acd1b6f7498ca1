import { conditionsOf, isAlwaysRequired, isCheck, isEnding, mainTextOf, type Field } from '@sheaf/contracts';
import { CircleAlert, GitBranch, GripVertical } from 'lucide-react';
import { memo, useDeferredValue, useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { Button } from 'react-aria-components/Button';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { DropIndicator, useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { Text } from 'react-aria-components/Text';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { toast } from '../../parts/toasts';
import { classes } from '../../parts/classes';
import { useWords } from '../../words/use-words';
import { conditionText } from '../differences/value-text';
import { answeredIn, isField, type Entry } from '../model/contents';
import type { Faults } from '../model/faults';
import { iconOf, isElement, kindOf } from '../model/kinds';
import { useEditing, type Editing } from './editing';
import style from './editor.module.css';

/** The form from above: a line for each field and element, to select, and to move by mouse, touch or keyboard. */
export function ItemList() {
  const { state, edit, selected, select } = useEditing();
  const { onKeyDown } = useItemKeys();
  // A setting that is typed shows there at once, and here as soon as there is time.
  const entries = useDeferredValue(state.history.present.entries);
  const faults = useDeferredValue(state.faults);
  return (
    <div onKeyDownCapture={onKeyDown}>
      <Rows entries={entries} faults={faults} selected={selected} edit={edit} select={select} />
    </div>
  );
}

type RowsProps = Pick<Editing, 'edit' | 'selected' | 'select'> & { entries: readonly Entry[]; faults: Faults };

const Rows = memo(function Rows({ entries, faults, selected, edit, select }: RowsProps) {
  const say = useWords('builder').page;
  const { dragAndDropHooks } = useDragAndDrop<Entry>({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': textOf(entries.find(({ id }) => id === key)) })),
    onReorder: ({ keys, target }) => {
      const at = entries.findIndex(({ id }) => id === target.key) + (target.dropPosition === 'after' ? 1 : 0);
      edit({ do: 'move', ids: [...keys].map(String), at });
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className={style.drop ?? ''} />,
  });
  const list = useRef<HTMLDivElement>(null);
  const at = entries.findIndex(({ id }) => id === selected);
  useEffect(() => {
    if (list.current && at !== -1) showRow(list.current, at);
  }, [at]);
  const fields = useMemo(() => fieldsByKey(entries), [entries]);
  const chosen = useMemo(() => (selected === undefined ? [] : [selected]), [selected]);
  return (
    <Virtualizer layout={ListLayout} layoutOptions={layout}>
      <GridList
        ref={list}
        aria-label={say.items}
        className={style.rows ?? ''}
        items={entries}
        dependencies={[faults, fields]}
        selectionMode="single"
        selectionBehavior="replace"
        selectedKeys={chosen}
        onSelectionChange={(keys) => select(keys === 'all' ? undefined : [...keys].map(String)[0])}
        dragAndDropHooks={dragAndDropHooks}
      >
        {(entry) => <Item entry={entry} fields={fields} faults={faults} />}
      </GridList>
    </Virtualizer>
  );
});

const noFields: ReadonlyMap<string, Field> = new Map();

/** The labels of fields by their keys, if there is a check or an ending to name them: otherwise rows stay as they are while a label is typed. */
const fieldsByKey = (entries: readonly Entry[]): ReadonlyMap<string, Field> =>
  entries.some(({ item }) => isCheck(item) || isEnding(item))
    ? new Map(answeredIn(entries).map((field) => [field.key, field] as const))
    : noFields;

/** Rows that are out of sight are not in the page: a form may have 500. */
const layout = { estimatedRowSize: 48, gap: 4, padding: 4 };

/** Scrolls to a row, once the list has been laid out that far. */
function showRow(list: HTMLElement, at: number, frames = 60): void {
  const [top, size] = [at * (layout.estimatedRowSize + layout.gap), layout.estimatedRowSize];
  if (list.scrollHeight < top + size && frames > 0) {
    requestAnimationFrame(() => showRow(list, at, frames - 1));
    return;
  }
  const isInSight = top >= list.scrollTop && top + size <= list.scrollTop + list.clientHeight;
  if (!isInSight) list.scrollTop = top - list.clientHeight / 2;
}

const textOf = (entry: Entry | undefined): string => (entry ? mainTextOf(entry.item) : '');

function Item({ entry: { id, item, in: repeat }, fields, faults }: { entry: Entry; fields: ReadonlyMap<string, Field>; faults: Faults }) {
  const { page: say, kinds: kindSay, settings } = useWords('builder');
  const kind = kindOf(item);
  const Icon = iconOf(kind);
  const text = mainTextOf(item);
  const label = text.trim() === '' ? say.untitled : text;
  const count = faults.get(id)?.length ?? 0;
  const when = isCheck(item)
    ? { begin: settings.refuseWhen, condition: item.if }
    : isEnding(item)
      ? { begin: settings.endsWhen, condition: item.if }
      : undefined;
  return (
    <GridListItem
      id={id}
      textValue={label}
      className={classes(
        style.item,
        isElement(kind) && style.element,
        kind === 'page' && style.newPage,
        repeat !== undefined && style.inner,
      )}
    >
      <Button slot="drag" aria-label={say.drag(label)} className={style.grip ?? ''}>
        <GripVertical size={14} aria-hidden />
      </Button>
      <Icon size={16} aria-hidden className={style.kind} />
      <span className={style.itemText}>
        <span className={style.itemLabel}>
          <bdi>{label}</bdi>
          {isField(item) && isAlwaysRequired(item) && (
            <span className="fault" title={say.required}>
              <span aria-hidden> *</span>
              <span className="visually-hidden"> {say.required}</span>
            </span>
          )}
        </span>
        <Text slot="description" className="muted">
          {repeat !== undefined && <span className="visually-hidden">{say.inner} </span>}
          {when === undefined ? kindSay[kind] : `${when.begin} ${conditionText(when.condition, settings, (key) => fields.get(key))}`}
        </Text>
      </span>
      {conditionsOf(item).length > 0 && when === undefined && (
        <span className={style.mark} title={say.conditional}>
          <GitBranch size={14} aria-hidden />
          <span className="visually-hidden">{say.conditional}</span>
        </span>
      )}
      {count > 0 && (
        <span className="fault" title={say.hasFault(count)}>
          <CircleAlert size={16} aria-hidden />
          <span className="visually-hidden">{say.hasFault(count)}</span>
        </span>
      )}
    </GridListItem>
  );
}

/** The actions on the selected item. */
export function useItemActions() {
  const say = useWords('builder').page;
  const { editor, state, edit, selected, select } = useEditing();
  const { entries } = state.history.present;
  const at = entries.findIndex(({ id }) => id === selected);
  const entry = entries[at];
  // Those that stand beside it: the others of its repeat, or all that are in none.
  const beside = entry ? entries.filter((each) => each.in === entry.in) : [];
  const place = beside.findIndex(({ id }) => id === selected);
  return {
    isFirst: place <= 0,
    isLast: place === beside.length - 1,
    move: (by: -1 | 1) => {
      const next = beside[place + by];
      if (entry && next) edit({ do: 'move', ids: [entry.id], at: entries.indexOf(next) + (by === -1 ? 0 : 1) });
    },
    duplicate: () => {
      if (!entry) return;
      const as = freshId();
      edit({ do: 'duplicate', id: entry.id, as });
      select(as);
    },
    remove: () => {
      if (!entry) return;
      edit({ do: 'remove', id: entry.id });
      select((beside[place + 1] ?? beside[place - 1])?.id ?? entry.in);
      // Takes back only this, whatever was done since.
      const onUndo = () => {
        const { entries: now } = editor.read().history.present;
        if (now.some(({ id }) => id === entry.id)) return;
        edit({ do: 'add', entries: [entry, ...entries.filter((each) => each.in === entry.id)], at: Math.min(at, now.length) });
        select(entry.id);
      };
      toast({ text: say.itemDeleted(mainTextOf(entry.item)), onUndo });
    },
  };
}

let count = 0;
export const freshId = (): string => `new-${Date.now().toString(36)}-${++count}`;

export type ItemActions = ReturnType<typeof useItemActions>;

/** Keys on the list: Alt with an arrow moves the selected item, Delete deletes it. */
function useItemKeys() {
  const { move, remove } = useItemActions();
  const onKeyDown = (event: KeyboardEvent) => {
    const action =
      event.altKey && event.key === 'ArrowUp'
        ? () => move(-1)
        : event.altKey && event.key === 'ArrowDown'
          ? () => move(1)
          : event.key === 'Delete'
            ? remove
            : undefined;
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  return { onKeyDown };
}
