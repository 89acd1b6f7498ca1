import { isField, otherValue, type Field, type FormElement } from '@sheaf/contracts';

/**
 * A choice as one respondent gets it: with the options in an order of their own if its author wants that, and *Other* as the last one. Each option has a
 * place by itself, so that the others stay where they are when one is offered, or is not any more.
 * @param seed what stays the same as long as somebody fills in the form
 */
export function shuffledItem(item: Field | FormElement, seed: string): Field | FormElement {
  if (!isField(item) || item.shuffle !== true || !item.options) return item;
  const isLast = (value: string) => item.other !== undefined && value === otherValue;
  const placed = item.options.map((option) => ({
    option,
    place: isLast(option.value) ? Infinity : placeOf(`${seed}\n${item.key}\n${option.value}`),
  }));
  return { ...item, options: placed.sort((a, b) => a.place - b.place).map(({ option }) => option) };
}

/** A number that looks random, and is always the same for a text: FNV-1a, mixed as MurmurHash3 does it in the end, so that texts that differ little are far apart. */
function placeOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
