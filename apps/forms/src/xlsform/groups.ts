import type { Condition, FormItem } from '@sheaf/contracts';
import type { Report } from './report';
import { survey } from './questions';

/** A group that is open at a row, and the condition on it. */
export interface Group {
  row: number;
  condition: Condition | undefined;
}

/** An item with its own condition, and the groups around it from the outermost on. For a section, the last group is its own. */
export interface Grouped {
  row: number;
  item: FormItem;
  condition: Condition | undefined;
  groups: readonly Group[];
}

/**
 * Gives items the conditions of their groups. In a form, a section goes on until the next one, and so does its condition; a group may end before. So
 * the section has the condition only if its group ends where the section does; otherwise each item has it.
 */
export function withConditions(items: readonly Grouped[], report: Report): FormItem[] {
  let carried: Group | undefined;
  return items.map(({ row, item, condition, groups }, index) => {
    const isSection = item.type === 'section';
    const own = isSection ? groups.at(-1) : undefined;
    if (isSection) carried = own?.condition && lasts(items, index, own) ? own : undefined;
    const around = groups.filter((group) => group.condition && group !== carried && group !== own);
    const conditions = [condition ?? (own === carried ? own?.condition : undefined), ...around.map((group) => group.condition)].filter(
      (one) => one !== undefined,
    );
    if (own?.condition && own !== carried)
      report.warn(survey, row, 'the heading of the group is always shown, as the form goes on after the group');
    if (conditions.length > 1) report.warn(survey, row, 'only one of the conditions of the question and its groups is taken over');
    const [first] = conditions;
    return first ? { ...item, visible_if: first } : item;
  });
}

/** Whether everything up to the next section is in the group. */
function lasts(items: readonly Grouped[], section: number, group: Group): boolean {
  const end = items.findIndex(({ item }, index) => index > section && item.type === 'section');
  return items.slice(section, end === -1 ? undefined : end).every(({ groups }) => groups.includes(group));
}
