/**
 * An option with a condition, with places or with a picture as it is stored, and travels between services. A release that does not know them would drop
 * them beside value and label in silence, and take an answer that should not be there, or publish a form without its pictures. It refuses this one, as it
 * lacks a value and a label of its own. An option with several of them is wrapped for each, because a release that knows one would drop the others beside it.
 */
export type StoredOption =
  | { option: object; visible_if: unknown }
  | { option: object; limit: unknown }
  | { option: object; image: unknown };

/**
 * A field whose answers are unique as it is stored: with one option that is none. A release that does not know it refuses this field, but its key and type
 * stay where every reader finds them.
 */
export interface StoredField {
  options: [{ unique: true }];
}

const settings = ['visible_if', 'limit', 'image'] as const;

/** An option as people send it, if it is one as it is stored; anything else stays as it is. */
export function asSent(option: unknown): unknown {
  let sent = option;
  for (const setting of settings) {
    if (!isObject(sent) || !('option' in sent) || !(setting in sent) || !isObject(sent.option)) continue;
    const { option: inner, ...outer } = sent;
    sent = { ...inner, ...outer };
  }
  return sent;
}

/** A field as people send it, if it is one as it is stored; anything else stays as it is. */
export function asSentItem(item: unknown): unknown {
  if (!isObject(item) || !('options' in item) || !Array.isArray(item.options) || item.options.length !== 1) return item;
  const { options, ...field } = item;
  const [only] = options as unknown[];
  return isObject(only) && 'unique' in only && only.unique === true && !('value' in only) ? { ...field, unique: true } : item;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
