import type { Field, FormItem } from './draft';

type Option = NonNullable<Field['options']>[number];

/**
 * An option with a condition as it is stored, and travels between services. A release that knows no conditions of options would drop one beside value and
 * label in silence, and take an answer that should not be there. It refuses this one, as it lacks a value and a label of its own.
 */
interface StoredOption {
  option: Omit<Option, 'visible_if'>;
  visible_if: NonNullable<Option['visible_if']>;
}

const isStored = (option: object): option is StoredOption => 'option' in option && 'visible_if' in option;

const toStored = ({ visible_if, ...option }: Option): Omit<Option, 'visible_if'> | StoredOption =>
  visible_if === undefined ? option : { option, visible_if };

/** An option as people send it, if it is one as it is stored; anything else stays as it is. */
export const asSent = (option: unknown): unknown =>
  typeof option === 'object' && option !== null && isStored(option) && typeof option.option === 'object'
    ? { ...option.option, visible_if: option.visible_if }
    : option;

/** Fields and elements as JSON text to store. */
export const storedItems = (items: readonly FormItem[]): string =>
  JSON.stringify(
    items.map((item) => ('options' in item && item.options !== undefined ? { ...item, options: item.options.map(toStored) } : item)),
  );

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
