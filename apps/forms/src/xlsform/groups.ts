import { isComputed, isField, withOthers, type Condition, type Field, type FormItem } from '@sheaf/contracts';
import { joined } from './condition-grammar';
import type { Report } from './report';
import { survey } from './questions';

/**
 * When something is shown, as far as a form can say it: under a condition, always or never. `isLost`: under another condition, which a form cannot
 * say, so it is shown at other times too.
 */
export interface Relevance {
  condition?: Condition | undefined;
  isLost?: boolean;
  isNever?: boolean;
}

/** A group that is open at a row, and when it is shown. */
export interface Group extends Relevance {
  row: number;
  name: string;
  isRepeat?: boolean;
}

/** An item with its own relevance, and the groups around it from the outermost on. For a section, the last group is its own. */
export interface Grouped {
  row: number;
  item: FormItem;
  relevance: Relevance;
  groups: readonly Group[];
  /** Of a repeat, the rows of its fields. */
  innerRows?: readonly number[];
}

/**
 * Gives items the conditions of their groups. In a form, a section goes on until the next one, and so does its condition; a group may end before. So
 * the section has the condition only if its group ends where the section does; otherwise each item has it. Respondents need not answer what
 * the author would have hidden from them.
 */
export function withConditions(items: readonly Grouped[], report: Report): FormItem[] {
  let carried: Group | undefined;
  return items.map(({ row, item, relevance, groups }, index) => {
    const isSection = item.type === 'section';
    const own = isSection ? groups.at(-1) : undefined;
    if (isSection) carried = own?.condition && lasts(items, index, own) ? own : undefined;
    const around = groups.filter((group) => group.condition && group !== carried && group !== own);
    const conditions = [
      relevance.condition ?? (own === carried ? own?.condition : undefined),
      ...around.map((group) => group.condition),
    ].filter((one) => one !== undefined);
    if (own?.condition && own !== carried)
      report.warn(survey, row, 'the heading of the group is always shown, as the form goes on after the group', 'condition');
    const isLost = relevance.isLost === true || groups.some((group) => group.isLost);
    const condition = conditions.length === 0 ? undefined : joined('all', conditions);
    const shown = isLost ? optional(item, row, report) : item;
    return condition ? { ...shown, visible_if: condition } : shown;
  });
}

const hiddenFromSome = 'it is shown to people from whom it was to be hidden';

/** The item as one that need not be answered. */
export function optional<Item extends FormItem>(item: Item, row: number, report: Report, because = hiddenFromSome): Item {
  if (!('required' in item) || !item.required) return item;
  report.warn(survey, row, `the question is optional now, as ${because}`, 'requirement');
  const { must_be_true: _, required_if: __, ...left } = item as Item & Partial<Field>;
  return { ...left, required: false } as Item;
}

/** Whether everything up to the next section is in the group. */
const lasts = (items: readonly Grouped[], section: number, group: Group): boolean =>
  items.slice(section, endOf(items, section)).every(({ groups }) => groups.includes(group));

/** The place of the next section, or the end. */
function endOf(items: readonly Grouped[], section: number): number {
  const end = items.findIndex(({ item }, index) => index > section && item.type === 'section');
  return end === -1 ? items.length : end;
}

/**
 * Moves the calculations that people do not see out of sections that would go on only for them: to an earlier section that does not hide them, or
 * else to a later one. They stay behind what they use, and before what uses them. If one cannot be moved, all of its section stay.
 */
export function withCalculationsMoved(items: readonly Grouped[]): readonly Grouped[] {
  // A group has many items, and its condition may be long.
  const ofGroups = new Map([...new Set(items.flatMap(({ groups }) => groups))].map((group) => [group, wordsIn([group.condition])]));
  const words = new Map(
    items.map((each) => [
      each,
      [wordsIn([each.item, each.relevance.condition]), ...each.groups.flatMap((group) => ofGroups.get(group) ?? [])],
    ]),
  );
  return items.filter(({ item }) => item.type === 'section').reduce((placed, section) => withoutStrays(placed, section, words), items);
}

type Words = ReadonlyMap<Grouped, readonly ReadonlySet<string>[]>;

const areIn = (keys: readonly string[], words: readonly ReadonlySet<string>[] = []): boolean =>
  keys.some((key) => words.some((each) => each.has(key)));

function withoutStrays(items: readonly Grouped[], section: Grouped, words: Words): readonly Grouped[] {
  const own = section.groups.at(-1);
  const at = items.indexOf(section);
  if (!own?.condition) return items;
  const strays = items.slice(at, endOf(items, at)).filter(({ groups }) => !groups.includes(own));
  if (!strays.every(({ item }) => isField(item) && isComputed(item) && item.shown === false)) return items;
  let placed = items;
  const left: Grouped[] = [];
  for (const stray of strays) {
    const earlier = movedBack(placed, stray, section, words);
    if (earlier) placed = earlier;
    else left.unshift(stray);
  }
  for (const stray of left) {
    const later = movedOn(placed, stray, words);
    if (!later) return items;
    placed = later;
  }
  return placed;
}

/** Whether a section hides nothing that is under the same groups as the calculation. */
function admits({ item, groups }: Grouped, calculation: Grouped): boolean {
  const own = groups.at(-1);
  return item.type === 'section' && (!own?.condition || calculation.groups.includes(own));
}

function movedBack(items: readonly Grouped[], calculation: Grouped, section: Grouped, words: Words): Grouped[] | undefined {
  const [from, before] = [items.indexOf(calculation), items.indexOf(section)];
  const admitting = items.slice(0, before).findLastIndex((each) => admits(each, calculation));
  const first = endOf(items, -1);
  // Nothing hides what stands before all sections.
  const to = admitting === -1 ? first : endOf(items, admitting);
  const uses = words.get(calculation);
  const isUsed = items.slice(to, from).some(({ item }) => areIn(keysOf(item), uses));
  return isUsed ? undefined : [...items.slice(0, to), calculation, ...items.slice(to, from), ...items.slice(from + 1)];
}

function movedOn(items: readonly Grouped[], calculation: Grouped, words: Words): Grouped[] | undefined {
  const from = items.indexOf(calculation);
  const to = items.findIndex((each, index) => index > from && admits(each, calculation));
  const keys = keysOf(calculation.item);
  const isUsed = items.slice(from + 1, to + 1).some((each) => areIn(keys, words.get(each)));
  return to === -1 || isUsed ? undefined : [...items.slice(0, from), ...items.slice(from + 1, to + 1), calculation, ...items.slice(to + 1)];
}

const keysOf = (item: FormItem): string[] =>
  withOthers([item])
    .filter(isField)
    .map(({ key }) => key);

/** All words that may be keys of fields; some are mere words of a text. */
const wordsIn = (parts: readonly unknown[]): ReadonlySet<string> => new Set(JSON.stringify(parts).match(/[a-z]\w*/g));
