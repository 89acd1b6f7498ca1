import type { Field, FormItem } from './draft';
import { asSent, asSentItem, type StoredField, type StoredOption } from './stored-option';

type Option = NonNullable<Field['options']>[number];

function toStored({ visible_if, limit, image, ...option }: Option): object | StoredOption {
  const shown = image === undefined ? option : { option, image };
  const placed = limit === undefined ? shown : { option: shown, limit };
  return visible_if === undefined ? placed : { option: placed, visible_if };
}

const withStoredOptions = (item: FormItem): object =>
  'options' in item && item.options !== undefined ? { ...item, options: item.options.map(toStored) } : item;

function toStoredItem(item: FormItem): object | StoredField {
  if (!('unique' in item) || item.unique !== true) return withStoredOptions(item);
  const { unique, ...field } = item;
  return { ...field, options: [{ unique }] };
}

/** Fields and elements as they are stored, and travel between services. */
export const asStored = (items: readonly FormItem[]): object[] => items.map(toStoredItem);

/** Fields and elements as JSON text to store. */
export const storedItems = (items: readonly FormItem[]): string => JSON.stringify(asStored(items));

/** Fields and elements from the JSON text that is stored. */
export function itemsIn(stored: string): FormItem[] {
  const items = JSON.parse(stored) as FormItem[];
  return mayHaveStored(stored)
    ? items.map((each) => {
        const item = asSentItem(each) as FormItem;
        return 'options' in item && item.options !== undefined
          ? { ...item, options: item.options.map((option) => asSent(option) as Option) }
          : item;
      })
    : items;
}

/** The JSON text that people see, of what is stored. Most forms have nothing of it, and stay as they are. */
export const sentItems = (stored: string): string => (mayHaveStored(stored) ? JSON.stringify(itemsIn(stored)) : stored);

/** A quotation mark within a text has a backslash before it. */
const mayHaveStored = (stored: string): boolean => stored.includes('"option":') || stored.includes('"unique":');
