/**
 * The names of the questions in the items of a repeat. Faults name them so, too: `guests[0].name`. The script of a page loads this, so it needs nothing.
 */
export const keyInItem = (repeat: string, at: number, key: string): string => `${repeat}[${at}].${key}`;

/** The place of a question of an item in its page. */
export const indexInItem = (repeat: number, at: number, question: number): string => `${repeat}.${at}.${question}`;

/** The key by which a condition or a text names the question, which is the same in each item. */
export const innerKey = (key: string): string => key.replace(/^[^]*\]\./, '');

/** The key of the field of the form: of the repeat, for a question of an item. */
export const outerKey = (key: string): string => key.split('[', 1)[0] ?? '';
