import type { Condition, Field, FormItem } from '@sheaf/contracts';
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
function lasts(items: readonly Grouped[], section: number, group: Group): boolean {
  const end = items.findIndex(({ item }, index) => index > section && item.type === 'section');
  return items.slice(section, end === -1 ? undefined : end).every(({ groups }) => groups.includes(group));
}
