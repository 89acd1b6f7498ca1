import type { FormSettingsDetail, SubmissionDetail } from '@sheaf/client';
import { ArrowDownUp } from 'lucide-react';
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { mayEdit } from '../form/form';
import { Button } from '../parts/button';
import { Problem } from '../parts/problem';
import { Skeleton } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { BulkBar } from './bulk-bar';
import { BulkChanges } from './bulk-changes';
import { useBulkChanges } from './bulk-changes-data';
import { Chips, filterFaultIn } from './chips';
import { arranged, fillTime, moved, resized, shown, stepped, toggled, type Column, type Layout } from './columns';
import { ColumnsDialog } from './columns-dialog';
import { EmptyList } from './empty-list';
import { fieldsOf } from './fields';
import { FilterDialog } from './filter-dialog';
import { chipsOf, targetOf, type Target } from './filters';
import { Grid } from './grid';
import { ownSort, type HeadActions } from './grid-head';
import style from './list.module.css';
import { isFiltered, listPart } from './list-search';
import { MarkSought } from './marked';
import { usePageAddress } from './page-search';
import { Panel } from './panel';
import { usePeople } from './people';
import { useSelection } from './selection';
import { useShortcuts } from './shortcuts';
import { useStatusName } from './status-badge';
import { Toolbar } from './toolbar';
import type { Look } from './quick-look';
import { useActiveView } from './use-active-view';
import { useDeeds } from './use-deeds';
import { useList } from './use-list';
import { useViewSettings, type ViewSettings } from './view-settings';
import { ViewsBar } from './views-bar';
import { useViews } from './views-data';

const Editor = lazy(() => import('./editor').then(({ Editor: component }) => ({ default: component })));
const ImportDialog = lazy(() => import('./import-dialog').then(({ ImportDialog: component }) => ({ default: component })));
const QuickLook = lazy(() => import('./quick-look').then(({ QuickLook: component }) => ({ default: component })));
const ExportDialog = lazy(() => import('./export-dialog').then(({ ExportDialog: component }) => ({ default: component })));

type Correcting = { kind: 'correct'; submission: SubmissionDetail };
type Opened =
  | { kind: 'look'; from: Look }
  | { kind: 'columns' | 'export' | 'enter' | 'import' }
  | { kind: 'filter'; target: Target }
  | Correcting;

/** The list of submissions, and the one that is open beside it. */
export function ListPlace({ form }: { form: FormSettingsDetail }) {
  const say = useWords('submissions');
  const formats = useFormats();
  const { search, go } = usePageAddress();
  const list = useList(form, search);
  const people = usePeople(form);
  const deeds = useDeeds(form.id, list);
  const selection = useSelection(list.listKey, list.rows);
  const { settings: ownSettings, change: setOwnSettings, isPending, earlierViews } = useViewSettings(form.id);
  const views = useViews(form.id, earlierViews);
  const active = useActiveView(views, { search, settings: ownSettings, setSettings: setOwnSettings });
  const settings = { ...ownSettings, layout: active.layout };
  const setSettings = (next: ViewSettings) => {
    if (next.layout !== settings.layout) active.setLayout(next.layout);
    if (next.density !== settings.density) setOwnSettings({ ...ownSettings, density: next.density });
  };
  const [opened, setOpened] = useState<Opened>();
  const searchField = useRef<HTMLInputElement>(null);
  const status = useRef<HTMLButtonElement>(null);
  const assign = useRef<HTMLButtonElement>(null);
  const all = useMemo(() => arranged(list.fields ?? [], settings.layout), [list.fields, settings.layout]);
  const columns = useMemo(() => shown(all, settings.layout), [all, settings.layout]);
  const open = usePanel(list);
  const selected = list.rows.filter(({ id }) => selection.has(id));
  const isEditor = mayEdit(form);
  const bulkChanges = useBulkChanges(form.id, list.query, isEditor);
  const [foundIn, setFoundIn] = useState<string>();
  const isAllFound = foundIn === list.listKey && selection.isAll && list.hasMore;
  const close = () => setOpened(undefined);
  const look = (submission: string, key?: string) => setOpened({ kind: 'look', from: { submission, key } });
  const head = useHeadActions(form, all, settings.layout, {
    setLayout: active.setLayout,
    onFilter: (target) => setOpened({ kind: 'filter', target }),
  });

  useShortcuts({
    j: open.after ?? (open.id === undefined ? () => open.openAt(0) : undefined),
    k: open.before,
    Escape: open.id === undefined ? () => selection.selectAll(false) : open.close,
    x: isEditor && open.index >= 0 ? () => open.id !== undefined && selection.select(open.id, open.index, false) : undefined,
    s: () => status.current?.click(),
    a: () => assign.current?.click(),
    v: open.id === undefined ? undefined : () => open.id !== undefined && look(open.id),
    '/': () => searchField.current?.focus(),
  });

  const { chips, fault } = useChips(list.fields ?? [], people.nameOf, list.error);
  const isFaultAtChip = fault !== undefined && chips.some(({ names }) => names.includes(fault.parameter));
  const isSortRefused = fault?.parameter === 'sort';
  const box = useRef<HTMLDivElement>(null);
  /** In place of a control that goes away. */
  const focusList = () => box.current?.focus({ preventScroll: true });
  const clear = () => {
    focusList();
    go((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !(name in listPart(before)) || (name === 'sort' && !isSortRefused))),
    );
  };
  // The head keeps the focus of who sorts, and is the way back to another order. Only a form without submissions has none.
  const hasHead =
    list.rows.length > 0 ||
    list.hasMore ||
    list.isLoading ||
    list.isPaused ||
    list.error !== null ||
    isFiltered(search) ||
    search.sort !== undefined;
  // Its columns are those of the view that the address names.
  const isViewPending = search.view !== undefined && views.isPending;
  const isReady = !list.areFieldsPending && !isPending && !isViewPending && (hasHead || !list.isWaiting);
  const below = list.isWaiting ? (
    <Skeleton lines={12} />
  ) : list.hasMore || list.isPaused || list.error ? null : (
    <EmptyList
      form={form}
      isFiltered={isFiltered(search)}
      onClear={clear}
      onEnter={() => setOpened({ kind: 'enter' })}
      onImport={() => setOpened({ kind: 'import' })}
    />
  );
  const clearSelection = () => {
    setFoundIn(undefined);
    selection.selectAll(false);
  };
  /** A selection of all that is found goes with what is done to it: most of it is not on the screen. */
  const andClear =
    <Args extends unknown[]>(deed: (...args: Args) => void) =>
    (...args: Args) => {
      deed(...args);
      clearSelection();
    };
  const allFoundDeeds = {
    ...bulkChanges.deeds,
    setStatus: andClear(bulkChanges.deeds.setStatus),
    assign: andClear(bulkChanges.deeds.assign),
  };
  // The keys act on what is selected; without a selection, on the submission that is open.
  const [ofBar, ofPanel] =
    selected.length > 0 ? [{ statusRef: status, assignRef: assign }, noRefs] : [noRefs, { statusRef: status, assignRef: assign }];
  return (
    <>
      <ViewsBar form={form} views={views} active={active} keys={list.fields && fieldsOf(list.fields).map(({ key }) => key)} />
      <Toolbar
        form={form}
        list={list}
        views={views}
        active={active}
        inputRef={searchField}
        fault={fault?.parameter === 'q' ? fault.message : undefined}
        onFilter={(target) => setOpened({ kind: 'filter', target })}
        onOpen={(kind) => setOpened({ kind })}
      />
      <Chips
        chips={chips}
        fault={fault}
        onEdit={({ target }) => setOpened({ kind: 'filter', target })}
        onRemove={({ names }, isLast) => {
          if (isLast) focusList();
          go((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name))));
        }}
        onClear={clear}
      />
      <NewsBar list={list} />
      <BulkChanges changes={bulkChanges} focusList={focusList} />
      {list.preparing && (
        <p className={style.news} role="status">
          {say.preparing(formats.number(list.preparing.done), formats.number(list.preparing.of))}
        </p>
      )}
      {list.error && !isFaultAtChip && fault?.parameter !== 'q' && <Problem error={list.error} onRetry={list.retry} />}
      {isSortRefused && (
        <p>
          <Button
            icon={ArrowDownUp}
            isSmall
            onPress={() => {
              focusList();
              head.onSort(undefined);
            }}
          >
            {say.sortOff}
          </Button>
        </p>
      )}
      <MarkSought q={search.q}>
        <Split ref={box}>
          {isReady && hasHead ? (
            <Grid
              {...list}
              columns={columns}
              layout={settings.layout}
              density={settings.density}
              selection={isEditor ? selection : undefined}
              openId={open.id}
              onOpen={open.open}
              onLook={look}
              head={head}
              people={people}
            >
              {below}
            </Grid>
          ) : (
            <div className={style.filling}>{isReady ? below : !list.error && <Skeleton lines={12} />}</div>
          )}
          {open.id !== undefined && (
            <Panel
              form={form}
              id={open.id}
              row={open.row}
              people={people}
              deeds={deeds}
              onClose={open.close}
              onBefore={open.before}
              onAfter={open.after}
              onCorrect={(submission) => setOpened({ kind: 'correct', submission })}
              {...ofPanel}
            />
          )}
        </Split>
      </MarkSought>
      {list.isPaused && (
        <p className={style.news} role="status">
          {say.nothingYet}{' '}
          <Button isSmall onPress={list.lookFurther}>
            {say.lookFurther}
          </Button>
        </p>
      )}
      {isEditor && (
        <BulkBar
          rows={selected}
          deeds={isAllFound ? allFoundDeeds : deeds}
          people={people}
          found={
            selection.isAll && list.hasMore
              ? { total: list.total, isSelected: isAllFound, onSelect: () => setFoundIn(list.listKey) }
              : undefined
          }
          onClear={clearSelection}
          focusList={focusList}
          {...ofBar}
        />
      )}
      {opened?.kind === 'columns' && <ColumnsDialog onClose={close} columns={all} settings={settings} onChange={setSettings} />}
      {opened?.kind === 'filter' && (
        <FilterDialog
          target={opened.target}
          search={search}
          people={people}
          versions={form.current_version}
          onClose={close}
          onChange={(next) => go(() => next)}
        />
      )}
      <Suspense>
        {opened?.kind === 'export' && (
          <ExportDialog
            form={form.id}
            mayShare={mayEdit(form)}
            items={list.fields ?? []}
            query={list.query}
            isFiltered={isFiltered(search)}
            counts={{ filtered: list.total ?? list.atLeast, all: form.submissions?.total ?? 0 }}
            onClose={close}
          />
        )}
        {opened?.kind === 'look' && (
          <QuickLook form={form.id} items={list.fields ?? []} rows={list.rows} from={opened.from} onClose={close} />
        )}
        {opened?.kind === 'import' && <ImportDialog form={form.id} items={list.fields ?? []} onDone={list.refresh} onClose={close} />}
        {opened?.kind === 'correct' && <Editor form={form} submission={opened.submission} onClose={close} />}
        {opened?.kind === 'enter' && (
          <Editor
            form={form}
            onClose={close}
            onEntered={(id) => {
              list.refresh();
              go((before) => ({ ...before, open: id }));
            }}
          />
        )}
      </Suspense>
    </>
  );
}

const noRefs = { statusRef: null, assignRef: null };

/** The submission that the address names, and the way to the ones beside it, which are loaded where they are not yet. */
function usePanel({
  rows,
  hasMore,
  isLoadingMore,
  loadMore,
}: Pick<ReturnType<typeof useList>, 'rows' | 'hasMore' | 'isLoadingMore' | 'loadMore'>) {
  const { search, go } = usePageAddress();
  const opener = useRef<HTMLElement>(null);
  const id = search.open;
  const index = id === undefined ? -1 : rows.findIndex((row) => row.id === id);
  /** The place of an open submission before it left the list. */
  const place = useRef(0);
  useLayoutEffect(() => {
    if (index >= 0) place.current = index;
  }, [index]);
  const show = (next: string, replace: boolean) => go((before) => ({ ...before, open: next }), { replace });
  const rowAt = (at: number) => {
    const row = rows[at];
    return row && (() => show(row.id, id !== undefined));
  };
  const isGone = id !== undefined && index < 0;
  // The next one has moved to the place of one that is gone.
  const nextPlace = isGone ? place.current : index + 1;
  const next = rows[nextPlace]?.id;
  /** The submission after which the next one is awaited. */
  const [awaitedAfter, setAwaitedAfter] = useState<string>();
  const isAwaited = id !== undefined && awaitedAfter === id;
  const isVain = next === undefined && !hasMore && !isLoadingMore;
  useEffect(() => {
    // The person has gone elsewhere, or there is no next one, so that nobody is to be led on later.
    if (awaitedAfter !== undefined && (!isAwaited || isVain)) setAwaitedAfter(undefined);
    if (!isAwaited) return;
    if (next !== undefined) {
      setAwaitedAfter(undefined);
      go((before) => ({ ...before, open: next }), { replace: true });
    } else if (hasMore && !isLoadingMore) loadMore();
  }, [awaitedAfter, isAwaited, isVain, next, hasMore, isLoadingMore, loadMore, go]);
  return {
    id,
    index,
    row: rows[index],
    before: id === undefined ? undefined : rowAt((isGone ? place.current : index) - 1),
    after: id === undefined ? undefined : (rowAt(nextPlace) ?? (hasMore ? () => setAwaitedAfter(id) : undefined)),
    openAt: (at: number) => rowAt(at)?.(),
    open: (next: string) => {
      if (id === undefined && document.activeElement instanceof HTMLElement) opener.current = document.activeElement;
      show(next, id !== undefined);
    },
    close: () => {
      go(({ open: _, ...rest }) => rest);
      requestAnimationFrame(() => opener.current?.focus({ preventScroll: true }));
    },
  };
}

function useChips(
  items: NonNullable<ReturnType<typeof useList>['fields']>,
  personName: (id: string) => string | undefined,
  error: unknown,
) {
  const say = useWords('submissions');
  const formats = useFormats();
  const statusName = useStatusName();
  const { search } = usePageAddress();
  return {
    chips: chipsOf(search, {
      fields: fieldsOf(items),
      formats,
      say: { ...say, or: formats.either },
      statusName,
      personName,
    }),
    fault: filterFaultIn(error),
  };
}

interface HeadEffects {
  setLayout: (layout: Layout) => void;
  onFilter: (target: Target) => void;
}

function useHeadActions(
  { searchable }: FormSettingsDetail,
  columns: readonly Column[],
  layout: Layout,
  { setLayout, onFilter }: HeadEffects,
): HeadActions {
  const { search, go } = usePageAddress();
  const visible = shown(columns, layout);
  const isByChange = search.changed_since !== undefined;
  return {
    // The list of what has changed since is in the order of change, which is that of no column.
    sort: isByChange ? undefined : (search.sort ?? ownSort),
    maySort: ({ id, field }) => id !== fillTime && !isByChange && (searchable !== false || field === undefined),
    onSort: (sort) => go((before) => ({ ...before, sort: sort === ownSort ? undefined : sort })),
    onFilter: (column) => onFilter(targetOf(column)),
    onHide: ({ id }) => setLayout(toggled(columns, layout, id)),
    onStep: ({ id }, direction) => {
      const target = visible[visible.findIndex((column) => column.id === id) + direction];
      if (target) setLayout(moved(columns, layout, id, target.id));
    },
    onMove: (id, target) => setLayout(moved(columns, layout, id, target)),
    onWider: (column, direction) => setLayout(stepped(layout, column, direction)),
    onResize: ({ id }, width) => setLayout(resized(layout, id, width)),
  };
}

/** The news since the list was loaded, without moving it. */
function NewsBar({ list }: { list: ReturnType<typeof useList> }) {
  const say = useWords('submissions');
  const { arrived, hasChanged } = list.news;
  const isNew = arrived.size > 0;
  return (
    <div role="status" className={isNew || hasChanged || !list.isIndexed ? style.news : undefined}>
      {(isNew || hasChanged) && (
        <>
          {isNew ? say.newSubmissions(arrived.size) : say.listChanged}{' '}
          <Button isSmall onPress={list.refresh}>
            {isNew ? say.show : say.refresh}
          </Button>
        </>
      )}
      {!list.isIndexed && say.notIndexed}
    </div>
  );
}

/** List and panel side by side, as high as the window has room below them. */
function Split({ ref: box, children }: { ref: RefObject<HTMLDivElement | null>; children: ReactNode }) {
  useLayoutEffect(() => {
    const fit = () => {
      if (box.current) box.current.style.setProperty('--above', `${Math.round(box.current.getBoundingClientRect().top + scrollY)}px`);
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(document.body);
    const above = box.current?.parentElement;
    if (above) for (const each of above.children) observer.observe(each);
    return () => observer.disconnect();
  });
  return (
    <div ref={box} className={style.split} tabIndex={-1}>
      {children}
    </div>
  );
}
