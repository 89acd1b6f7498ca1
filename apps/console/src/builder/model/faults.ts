import {
  conditionsOf,
  hasSetting,
  isAmount,
  isCheck,
  isHidden,
  isRepeat,
  keysIn,
  mainPartOf,
  mainTextOf,
  pipedKeys,
  pipeFaults,
  withOthers,
  type Condition,
  type Field,
  type FormItem,
} from '@sheaf/contracts';
import { checkFormula, typeOfFormat, type FormulaFault } from '@sheaf/formulas';
import { answeredIn, isField, itemsOf, type Contents, type Entry } from './contents';
import type { ChoicePart } from './edits';

/** The faults of an item, as far as they can be told before the server is asked. */
export type FaultCode =
  | 'blank'
  | 'key_form'
  | 'key_taken'
  | 'no_options'
  | 'option_blank'
  | 'option_taken'
  // The smallest is larger than the largest.
  | 'crossed'
  | 'condition_later'
  | 'condition_unset'
  | 'pipe_later'
  | 'at_later'
  | 'formula_blank'
  // A repeat without a field.
  | 'no_fields'
  | 'price_lost';

export interface Fault {
  /** The part of the item, such as `label` or `options.2`; for a fault of the price, `payment.amount`. */
  part: string;
  /** One that we have words for, or the server's own message. */
  code?: FaultCode;
  /** Of a formula. */
  formula?: FormulaFault;
  message?: string;
}

/** Faults by the id of the item. */
export type Faults = ReadonlyMap<string, readonly Fault[]>;

export const noFaults: Faults = new Map();

/** The key under which faults are that belong to no item. */
export const ofWhole = '';

export function faultsIn({ entries, payment }: Contents): Faults {
  const earlier = new Map<string, Field>();
  const seen = new Set<string>();
  const keys = new Set<string>();
  const found: [string, Fault[]][] = [];
  const note = ({ id, item }: Entry, known: ReadonlyMap<string, Field>, faults: readonly Fault[] = []) => {
    const all = [
      ...textFaults(item),
      ...(isField(item) ? fieldFaults(item, known, keys) : []),
      ...conditionFaults(item, known),
      ...pipedFaults(item, known),
      ...faults,
    ];
    if (all.length > 0) found.push([id, all]);
  };
  for (const entry of entries) {
    const { id, item } = entry;
    if (entry.in !== undefined) continue;
    const inner = isField(item) && isRepeat(item) ? entries.filter((each) => each.in === id) : undefined;
    note(entry, earlier, [
      ...(isCheck(item) && !seen.has(item.at) ? [{ part: 'at', code: 'at_later' } as const] : []),
      ...(inner?.length === 0 ? [{ part: 'fields', code: 'no_fields' } as const] : []),
    ]);
    const own = answeredIn([entry]);
    for (const { key } of own) keys.add(key);
    // A form has hundreds of fields, and few repeats.
    const within = inner ? new Map(earlier) : earlier;
    for (const each of inner ?? []) {
      note(each, within);
      for (const field of answeredIn([each])) {
        within.set(field.key, field);
        keys.add(field.key);
      }
    }
    for (const field of withOthers(itemsOf([entry, ...(inner ?? [])])).filter(isField)) {
      earlier.set(field.key, field);
      if (!isHidden(field)) seen.add(field.key);
    }
  }
  const amount = payment?.amount_from === undefined ? undefined : earlier.get(payment.amount_from);
  const isPriceLost = payment?.amount_from !== undefined && !(amount && isAmount(amount));
  return new Map(isPriceLost ? [...found, [ofWhole, [{ part: 'payment.amount_from', code: 'price_lost' }]]] : found);
}

const textFaults = (item: FormItem): Fault[] => (mainTextOf(item).trim() === '' ? [{ part: mainPartOf(item), code: 'blank' }] : []);

const bounds: readonly (readonly [low: keyof Field, high: keyof Field])[] = [
  ['min', 'max'],
  ['min_length', 'max_length'],
  ['min_choices', 'max_choices'],
  ['min_date', 'max_date'],
];

export const keyFault = (key: string, taken: Pick<ReadonlySet<string | undefined>, 'has'>): 'key_form' | 'key_taken' | undefined =>
  !/^[a-z][a-z0-9_]{0,63}$/.test(key) ? 'key_form' : taken.has(key) ? 'key_taken' : undefined;

function fieldFaults(field: Field, earlier: ReadonlyMap<string, Field>, keys: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = formulaFaults(field, earlier);
  const ofKey = keyFault(field.key, keys);
  if (ofKey) faults.push({ part: 'key', code: ofKey });
  for (const part of ['options', 'rows', 'columns'] as const)
    if (hasSetting(field, part)) faults.push(...optionFaults(part, field[part] ?? []));
  for (const [low, high] of bounds) {
    const [from, to] = [field[low], field[high]] as (number | string | undefined)[];
    if (from !== undefined && to !== undefined && from > to) faults.push({ part: high, code: 'crossed' });
  }
  return faults;
}

function formulaFaults({ formula, format = 'number', type }: Field, earlier: ReadonlyMap<string, Field>): Fault[] {
  if (type !== 'calculated') return [];
  if (formula === undefined || formula.trim() === '') return [{ part: 'formula', code: 'formula_blank' }];
  const checked = checkFormula(formula, (key) => earlier.get(key));
  if (checked.fault) return [{ part: 'formula', formula: checked.fault }];
  const [expected, found] = [typeOfFormat[format], checked.formula.gives];
  return found === expected ? [] : [{ part: 'format', formula: { code: 'result_expected', at: 0, expected, found } }];
}

function optionFaults(list: ChoicePart, options: NonNullable<Field['options']>): Fault[] {
  if (options.length === 0) return [{ part: list, code: 'no_options' }];
  const values = new Set<string>();
  return options.flatMap(({ value, label }, index): Fault[] => {
    const part = `${list}.${index}`;
    if (label.trim() === '' || value.trim() === '') return [{ part, code: 'option_blank' }];
    if (values.has(value.trim())) return [{ part, code: 'option_taken' }];
    values.add(value.trim());
    return [];
  });
}

const conditionFaults = (item: FormItem, earlier: ReadonlyMap<string, Field>): Fault[] =>
  conditionsOf(item).flatMap(([part, condition]): Fault[] => {
    if ([...keysIn(condition)].some((key) => !earlier.has(key))) return [{ part, code: 'condition_later' }];
    return isUnset(condition) ? [{ part, code: 'condition_unset' }] : [];
  });

/** A question that is missing has words of ours; other faults of a text that shows answers are said as the server says them. */
const pipedFaults = (item: FormItem, earlier: ReadonlyMap<string, Field>): Fault[] =>
  pipeFaults(item, (key) => earlier.has(key)).map(([part, message]) =>
    [...pipedKeys(item)].every((key) => earlier.has(key)) ? { part, message } : { part, code: 'pipe_later' },
  );

/** Whether a comparison lacks its value, as one that somebody is about to type does. */
const isUnset = ({ key: _, all = [], any = [], not, ...parts }: Condition): boolean => {
  const joined = [...all, ...any, ...(not ? [not] : [])];
  return joined.length > 0 ? joined.some(isUnset) : Object.values<unknown>(parts).every((part) => part === undefined || part === '');
};

/** The server's faults, which name positions in the draft that was sent: `fields.2.options.0: …`, within a repeat `fields.2.fields.0.label: …`. */
export function faultsFrom(details: readonly { key: string; message: string }[], entries: readonly Entry[]): Faults {
  const faults = new Map<string, Fault[]>();
  const note = (id: string, fault: Fault) => faults.set(id, [...(faults.get(id) ?? []), fault]);
  const entryAt = (place: string, repeat?: string) => entries.filter((entry) => entry.in === repeat)[Number(place)];
  for (const { key, message } of details) {
    const [, place = '', part = ''] = /^fields\.(\d+)(?:\.(.*))?$/.exec(key) ?? [];
    const [, within = '', innerPart = ''] = /^fields\.(\d+)(?:\.(.*))?$/.exec(part) ?? [];
    const entry = place === '' ? undefined : entryAt(place);
    const inner = within === '' ? undefined : entryAt(within, entry?.id);
    if (inner) note(inner.id, { part: innerPart, message });
    else if (entry) note(entry.id, { part, message });
    else note(ofWhole, { part: key, message });
  }
  return faults;
}

/** The first fault of a part, or of something within it. */
export const faultOf = (faults: readonly Fault[] | undefined, part: string): Fault | undefined =>
  faults?.find((fault) => fault.part === part || fault.part.startsWith(`${part}.`));
