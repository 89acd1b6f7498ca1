import {
  boundsOf,
  choiceBounds,
  fieldsOfItem,
  hasPartControls,
  isComputed,
  isRanked,
  isRepeat,
  maxControlsOfRepeat,
  maxFieldsOfRepeat,
  maxItemsOfRepeat,
  notInRepeats,
  partsOf,
  pipesIn,
  type Field,
  type FieldType,
  type InnerField,
} from '@sheaf/contracts';
import type { Fault } from './faults';

/** How many controls a page has for a repeat with all its items. */
export const controlsOf = (field: Field): number =>
  fieldsOfItem(field).reduce((all, inner) => all + controlsIn(inner), 0) * (boundsOf(field).max ?? 0);

/** A page posts a value for each part and each rank of a question. */
function controlsIn(field: InnerField): number {
  if (hasPartControls(field)) return partsOf(field).length;
  return isRanked(field) ? (choiceBounds(field).max ?? 1) : 1;
}

/** The faults of a repeat by itself: a page draws all of its items, and each submission is checked item by item. */
export function repeatFaults(field: Field): Fault[] {
  if (!isRepeat(field)) return translatedItemLabels(field).map(([part]) => [part, `is not allowed for the type ${field.type}`]);
  const { fields, min, max } = field;
  if (!fields) return [['fields', `is required for the type ${field.type}`]];
  const faults = itemLabelFaults(field);
  // An item in which people answer nothing is not counted, so no page could send one.
  if (fields.every(isComputed)) faults.push(['fields', 'must have a field that people answer']);
  // Those for the texts of *Other* are made after the list is read.
  if (fields.length > maxFieldsOfRepeat)
    faults.push(['fields', `must have at most ${maxFieldsOfRepeat} fields, with those for the texts of "other"`]);
  if (min !== undefined && (min < 0 || min > maxItemsOfRepeat)) faults.push(['min', `must be between 0 and ${maxItemsOfRepeat}`]);
  if (max !== undefined && (max < 1 || max > maxItemsOfRepeat)) faults.push(['max', `must be between 1 and ${maxItemsOfRepeat}`]);
  const { max: most = 0 } = boundsOf(field);
  if (max === undefined && min !== undefined && min > most) faults.push(['min', `must be at most ${most} without max`]);
  const controls = controlsOf(field);
  if (controls > maxControlsOfRepeat)
    faults.push(['fields', `with their parts and ranks, times max (${most}) must be at most ${maxControlsOfRepeat}, but are ${controls}`]);
  return faults;
}

const translatedItemLabels = ({ translations = {} }: Field): [part: string, label: string][] =>
  Object.entries(translations).flatMap(([language, { item_label: label }]) =>
    label === undefined ? [] : [[`translations.${language}.item_label`, label]],
  );

/** A page numbers the items with it, and announces it to those who cannot see. An answer would not be shown in it. */
const itemLabelFaults = (repeat: Field): Fault[] =>
  [['item_label', repeat.item_label ?? ''] as const, ...translatedItemLabels(repeat)].flatMap(([part, label]): Fault[] =>
    pipesIn(label).length > 0 ? [[part, 'must not show an answer']] : [],
  );

const refused: ReadonlySet<FieldType> = new Set(notInRepeats);

/** The faults of a field for being in a repeat. Places and uniqueness are counted by submissions, and an address names no item. */
export function inItemFaults(field: InnerField): Fault[] {
  if (refused.has(field.type)) return [['type', `must not be ${field.type} in a repeat`]];
  const faults: Fault[] = [];
  for (const part of ['unique', 'prefill'] as const) if (field[part] === true) faults.push([part, 'must not be true in a repeat']);
  for (const part of ['limit', 'image'] as const) {
    const at = field.options?.findIndex((option) => option[part] !== undefined) ?? -1;
    if (at >= 0) faults.push([`options.${at}.${part}`, 'is not allowed in a repeat']);
  }
  return faults;
}
