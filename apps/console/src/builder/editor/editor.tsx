import { labelTextOf } from '@sheaf/contracts';
import { CreditCard, LayoutList } from 'lucide-react';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { Empty, Skeleton } from '../../parts/states';
import { classes } from '../../parts/classes';
import { useMedia } from '../../parts/use-media';
import { useLanguage, useWords } from '../../words/use-words';
import { fieldsIn, type Entry } from '../model/contents';
import { isForItems, type Kind } from '../model/kinds';
import { begunCheck, newItem } from '../model/new-item';
import { useEditing } from './editing';
import style from './editor.module.css';
import { freshId, ItemList, useItemActions } from './item-list';
import { Palette } from './palette';
import { priceText } from '../differences/price-text';

const loadItemSettings = () => import('../settings/item-settings');
const ItemSettings = lazy(() => loadItemSettings().then((module) => ({ default: module.ItemSettings })));
const PageBeside = lazy(() => import('../preview/page-beside').then((module) => ({ default: module.PageBeside })));
const PriceSettings = lazy(() => import('../settings/price-settings').then((module) => ({ default: module.PriceSettings })));

export const priceId = 'payment';

/** Three columns: the list, the settings and the page. The style sheet has no part in it, as a page that is not shown is not loaded. */
const hasRoomForPage = '(min-width: 90rem)';

/** The form as a list, beside it the settings of what is selected, and on a wide screen the page itself. */
export function Editor() {
  const say = useWords('builder').page;
  const { editor, state, selected } = useEditing();
  const { entries } = state.history.present;
  const entry = entries.find(({ id }) => id === selected);
  const hasPage = useMedia(hasRoomForPage);
  const hasPanel = entry !== undefined || selected === priceId;
  const add = useAdd();
  const actions = useItemActions();
  const first = useLocation({ select: ({ state: { firstField } }) => firstField });
  const begin = useEffectEvent((kind: Kind) => {
    // A page that is loaded anew has it already, unless it could not be saved.
    if (editor.read().revision === 0 && editor.read().history.present.entries.length === 0) add(kind);
  });
  useEffect(() => {
    if (first !== undefined) begin(first);
  }, [first]);
  // Once the list is there: whoever adds a field types its label at once.
  useEffect(() => void loadItemSettings().catch(() => undefined), []);
  return (
    <div className={classes(style.editor, hasPanel && style.hasPanel, hasPage && style.hasPage)}>
      <div className={style.outline}>
        <div className={style.actions}>
          <Palette
            onAdd={(kind) => add(kind, entry?.in)}
            label={entry?.in === undefined ? undefined : say.addInner}
            isOffered={entry?.in === undefined ? undefined : isForItems}
            hasFields={begunCheck(entries) !== undefined}
          />
        </div>
        {entries.length === 0 ? (
          <Empty icon={LayoutList} title={say.emptyTitle}>
            {say.emptyHelp}
          </Empty>
        ) : (
          <ItemList />
        )}
        <PriceRow />
      </div>
      <section aria-label={say.settings} className={style.panel}>
        <Suspense fallback={<Skeleton />}>
          {entry ? (
            <ItemSettings key={entry.id} entry={entry} actions={actions} onAddInner={(kind) => add(kind, entry.id)} />
          ) : selected === priceId ? (
            <PriceSettings />
          ) : (
            <p className="muted">{say.nothingSelected}</p>
          )}
        </Suspense>
      </section>
      {hasPage && (
        <Suspense fallback={<Skeleton />}>
          <PageBeside />
        </Suspense>
      )}
    </div>
  );
}

function useAdd() {
  const kindSay = useWords('builder').kinds;
  const say = useWords('builder').settings;
  const { editor, edit, selected, select } = useEditing();
  const begun = (kind: Kind, entries: readonly Entry[]) =>
    newItem(kind, kindSay[kind], { options: say.option, rows: say.row, columns: say.column }, begunCheck(entries));
  /** @param repeat the id of the one whose items are asked for it */
  return (kind: Kind, repeat?: string) => {
    const { entries } = editor.read().history.present;
    const at = entries.findIndex(({ id, in: of }) => id === selected && of === repeat);
    const item = begun(kind, entries);
    if (!item) return;
    const entry: Entry = { id: freshId(), item, isKeyDerived: true, ...(repeat === undefined ? {} : { in: repeat }) };
    // A repeat asks for something.
    const first = kind === 'repeat' ? begun('short_text', entries) : undefined;
    const inner = first && { id: freshId(), item: first, isKeyDerived: true, in: entry.id };
    // A check and an ending may depend on all fields.
    const isLast = at === -1 || kind === 'check' || kind === 'ending';
    edit({ do: 'add', entries: inner ? [entry, inner] : [entry], at: isLast ? entries.length : at + 1 });
    select(entry.id, true);
  };
}

/** The price is no field: it stands below them. */
function PriceRow() {
  const say = useWords('builder').page;
  const language = useLanguage();
  const { state, selected, select } = useEditing();
  const { payment, entries } = state.history.present;
  const nameOf = (key: string) => {
    const field = fieldsIn(entries).find((each) => each.key === key);
    return field ? labelTextOf(field) : key;
  };
  return (
    <ToggleButton className={style.price ?? ''} isSelected={selected === priceId} onChange={(isOn) => select(isOn ? priceId : undefined)}>
      <CreditCard size={16} aria-hidden />
      <span className={style.itemText}>
        <span>{say.payment}</span>
        <span className="muted">{payment ? priceText(payment, language, say, nameOf) : say.noPayment}</span>
      </span>
    </ToggleButton>
  );
}
