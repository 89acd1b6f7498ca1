import type { Field, FormItem } from './draft';
import { asSent, type StoredOption } from './stored-option';

type Option = NonNullable<Field['options']>[number];

const toStored = ({ visible_if, ...option }: Option): Omit<Option, 'visible_if'> | StoredOption =>
  visible_if === undefined ? option : { option, visible_if };

/** Fields and elements as they are stored, and travel between services. */
export const asStored = (items: readonly FormItem[]): object[] =>
  items.map((item) => ('options' in item && item.options !== undefined ? { ...item, options: item.options.map(toStored) } : item));

/** Fields and elements as JSON text to store. */
export const storedItems = (items: readonly FormItem[]): string => JSON.stringify(asStored(items));

/** Fields and elements from the JSON text that is stored. */
export function itemsIn(stored: string): FormItem[] {
  const items = JSON.parse(stored) as FormItem[];
  return mayHaveStored(stored)
    ? items.map((item) =>
        'options' in item && item.options !== undefined
          ? { ...item, options: item.options.map((option) => asSent(option) as Option) }
          : item,
      )
    : items;
}

/** The JSON text that people see, of what is stored. Most forms have no such option, and stay as they are. */
export const sentItems = (stored: string): string => (mayHaveStored(stored) ? JSON.stringify(itemsIn(stored)) : stored);

/** A quotation mark within a text has a backslash before it. */
const mayHaveStored = (stored: string): boolean => stored.includes('"option":');
