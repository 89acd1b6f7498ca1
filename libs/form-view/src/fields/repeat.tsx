import type { ReactNode } from 'react';
import { Written } from '../parts/text';
import { ReadingProvider, useReading, type Reading } from '../reading';
import type { RepeatedItem, ShownItem } from '../view';
import { formatNumber } from '../words/formats';
import { isolated } from '../words/isolated';
import { innerKey } from '../filling/item-keys';
import { describedBy, idOf, type Control } from './control';
import { Hints, Label } from './surroundings';
import type { LocalItem, LocalText } from '../words/localized';

/** The name of an item, such as "Guest 2". */
export const itemName = (
  { itemLabel }: Pick<LocalItem, 'itemLabel'>,
  at: number,
  { language, words }: Pick<Reading, 'language' | 'words'>,
): string => `${isolated(language, itemLabel?.text ?? words.item)} ${formatNumber(language, at + 1)}`;

/**
 * The same questions for each item. Its buttons draw the page again, with everything that was entered.
 * @param begin the item that has the focus
 * @param draw draws a question of an item
 */
export function Repeat({
  control,
  repeated: { items, least, most },
  begin,
  draw,
}: {
  control: Control;
  repeated: NonNullable<ShownItem['repeated']>;
  begin: string | undefined;
  draw: (question: ShownItem) => ReactNode;
}) {
  const reading = useReading();
  const { words, language } = reading;
  const { field, texts } = control;
  const label: LocalText = texts.itemLabel ?? { text: words.item, lang: reading.documentLanguage };
  const add = items.length === 0 ? words.addItem : words.addAnother;
  return (
    <fieldset id={idOf(control)} aria-describedby={describedBy(control)} tabIndex={-1} autoFocus={begin === field.key}>
      <legend className="label">
        <Label control={control} />
      </legend>
      <Hints control={control} />
      <input type="hidden" name={`a.${field.key}`} value={items.length} />
      {items.map((item, at) => {
        const place = `${field.key}[${at}]`;
        return (
          <fieldset key={place} id={`f-${place}`} className="repeated" data-repeated={field.key} tabIndex={-1} autoFocus={begin === place}>
            <legend>
              <Written text={label} /> {formatNumber(language, at + 1)}
            </legend>
            <ReadingProvider reading={inItem(reading, item)}>{item.questions.map(draw)}</ReadingProvider>
            {items.length > least && (
              <button className="quiet" name="do" value={`drop:${field.key}:${at}`}>
                {words.removeNamed(itemName(texts, at, reading))}
              </button>
            )}
          </fieldset>
        );
      })}
      {items.length < most ? (
        <button className="add" name="do" value={`add:${field.key}`}>
          {add(isolated(language, label.text))}
        </button>
      ) : (
        <p className="hint">{words.noMoreItems(formatNumber(language, most))}</p>
      )}
    </fieldset>
  );
}

/** Texts in an item show the answers of this item. */
export const inItem = (reading: Reading, { questions, piped }: RepeatedItem): Reading => ({
  ...reading,
  piped: { ...reading.piped, ...piped },
  live: new Map([...reading.live, ...questions.flatMap(({ item }) => ('key' in item ? [[innerKey(item.key), item.key] as const] : []))]),
});
