import { folded } from '../search/folded';
import type { Condition, Operand } from './condition-shape';
import type { Field, FormCheck, FormElement, FormEnding, FormItem } from './draft';
import { conditionalOptions, optionConditions, type Offering } from './option-conditions';

/** A condition that compares one answer. */
export type Comparison = Condition & { key: string };

export const isComparison = (condition: Condition): condition is Comparison => condition.key !== undefined;

export type Answers = Readonly<Record<string, unknown>>;

/**
 * Whether the answers meet the condition. An answer to a multiple choice equals each of its values. Without an answer, only `answered: false`,
 * `chosen_at_most` and the negations (`not_equals`, `not_contains`, `not`) are met.
 * @param look keeps what further conditions on the same answers need again
 */
export function isMet(condition: Condition, answers: Answers, look = new Look()): boolean {
  const { all, any, not, key = '' } = condition;
  if (all) return all.every((each) => isMet(each, answers, look));
  if (any) return any.some((each) => isMet(each, answers, look));
  if (not) return !isMet(not, answers, look);

  const { equals, not_equals, in: among, answered, gt, gte, lt, lte, contains, not_contains, starts_with } = condition;
  const answer = answerTo(key, answers);
  const valueOf = (operand: Operand) => (typeof operand === 'object' ? answerTo(operand.key, answers) : operand);
  const isEqual = (operand: Operand) => {
    const value = valueOf(operand);
    return value !== undefined && (Array.isArray(answer) ? look.chosen(answer).has(alike(value)) : alike(answer) === alike(value));
  };
  const has = (part: string) => (typeof answer === 'string' ? look.folded(answer).includes(folded(part)) : isEqual(part));
  if (equals !== undefined) return isEqual(equals);
  if (not_equals !== undefined) return !isEqual(not_equals);
  if (among !== undefined)
    return Array.isArray(answer) ? haveCommon(look.chosen(answer), valuesIn(among)) : valuesIn(among).has(alike(answer));
  if (answered !== undefined) return (answer !== undefined) === answered;
  if (gt !== undefined) return difference(answer, valueOf(gt)) > 0;
  if (gte !== undefined) return difference(answer, valueOf(gte)) >= 0;
  if (lt !== undefined) return difference(answer, valueOf(lt)) < 0;
  if (lte !== undefined) return difference(answer, valueOf(lte)) <= 0;
  if (contains !== undefined) return has(contains);
  if (not_contains !== undefined) return !has(not_contains);
  if (starts_with !== undefined) return typeof answer === 'string' && look.folded(answer).startsWith(folded(starts_with));
  const { chosen_at_least, chosen_at_most } = condition;
  // A later release has made it. Taken as met or not, it would show or hide what it should not.
  if (chosen_at_least === undefined && chosen_at_most === undefined) throw new Error('unknown condition');
  const count = answer === undefined ? 0 : Array.isArray(answer) ? answer.length : 1;
  return count >= (chosen_at_least ?? 0) && count <= (chosen_at_most ?? count);
}

// `constructor` is a valid key.
const answerTo = (key: string, answers: Answers): unknown => (Object.hasOwn(answers, key) ? answers[key] : undefined);

/** The facts about answers that many conditions need. A condition may ask for one of a thousand chosen options, or look into a long text. */
export class Look {
  private readonly texts = new Map<string, string>();
  private readonly choices = new Map<readonly unknown[], ReadonlySet<unknown>>();

  /** The text without case and accents. */
  folded(text: string): string {
    return remembered(this.texts, text, folded);
  }

  chosen(answer: readonly unknown[]): ReadonlySet<unknown> {
    return remembered(this.choices, answer, setOf);
  }
}

/** The values of `in`, for as long as their condition is known: it is compared with the answers of each submission. */
const valuesOfIn = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

const valuesIn = (among: readonly unknown[]): ReadonlySet<unknown> => remembered(valuesOfIn, among, setOf);

const setOf = (values: readonly unknown[]): ReadonlySet<unknown> => new Set(values.map(alike));

function remembered<Key, Fact>(
  known: { get: (key: Key) => Fact | undefined; set: (key: Key, fact: Fact) => unknown },
  key: Key,
  find: (key: Key) => Fact,
): Fact {
  const fact = known.get(key);
  if (fact !== undefined) return fact;
  const found = find(key);
  known.set(key, found);
  return found;
}

function haveCommon(some: ReadonlySet<unknown>, others: ReadonlySet<unknown>): boolean {
  const [fewer, more] = some.size < others.size ? [some, others] : [others, some];
  for (const value of fewer) if (more.has(value)) return true;
  return false;
}

/** Positive if the first is greater, negative if it is smaller; NaN, which is neither, if one of them cannot be compared. */
function difference(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string' || typeof other !== 'string') return NaN;
  const [a, b] = [moment(one), moment(other)];
  return a > b ? 1 : a < b ? -1 : 0;
}

/** A date or time to whole seconds as it was written, in the respondent's own time zone, like the bounds of a date. */
const moment = (text: string): string => {
  const written = text.slice(0, 19).toUpperCase();
  return /(?:^|T)\d\d:\d\d$/.test(written) ? `${written}:00` : written;
};

/** A time, with a day or without. */
const aTime = /^(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d(?::\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?$/i;

/** The same for values that are equal: browsers leave out seconds that are zero, and a comparison takes both for the same time. */
const alike = (value: unknown): unknown => (typeof value === 'string' && isTime(value) ? moment(value) : value);

/** Most texts are none by a single character. */
const isTime = (text: string): boolean => (text[2] === ':' || text[13] === ':') && aTime.test(text);

/** The keys of the fields on whose answers the condition depends. */
export function keysIn(condition: Condition): Set<string> {
  const keys = new Set<string>();
  const look = ({ key, all = [], any = [], not, ...operators }: Condition) => {
    if (key !== undefined) keys.add(key);
    for (const operand of Object.values(operators)) if (typeof operand === 'object' && !Array.isArray(operand)) keys.add(operand.key);
    [...all, ...any, ...(not ? [not] : [])].forEach(look);
  };
  look(condition);
  return keys;
}

/** The condition with each of its comparisons as the function makes it. */
export function withComparisons(condition: Condition, change: (comparison: Comparison) => Condition): Condition {
  const { all, any, not } = condition;
  const again = (each: Condition) => withComparisons(each, change);
  if (all) return { all: all.map(again) };
  if (any) return { any: any.map(again) };
  if (not) return { not: again(not) };
  return isComparison(condition) ? change(condition) : condition;
}

/** The values of the options of a field that the answers to the items before it let people choose. */
export type Offered = ReadonlySet<unknown>;

/** @returns undefined if all options are always offered. */
export function offeredOptions(field: Offering, answers: Answers, look = new Look()): Offered | undefined {
  const conditions = optionConditions(field);
  if (!conditions) return undefined;
  const met = conditions.groups.filter(({ condition }) => isMet(condition, answers, look));
  return new Set<unknown>([...conditions.always, ...met.flatMap(({ values }) => values)]);
}

function offersAny(field: Offering, answers: Answers, look: Look): boolean {
  const conditions = optionConditions(field);
  return !conditions || conditions.always.size > 0 || conditions.groups.some(({ condition }) => isMet(condition, answers, look));
}

/** The facts of an item that its visibility needs. */
export type Conditional = Pick<FormItem, 'type'> & { visible_if?: (Field | FormElement)['visible_if'] } & Offering;

/**
 * Decides in display order which fields and elements are shown; checks and endings never are. The condition of a page or section also applies to what
 * follows it, up to the next one. A field whose options have conditions is shown as long as there is one to choose: nobody could answer it otherwise. It has
 * no dependencies, because the script of the hosted form runs it too.
 * @returns a function to call once for each item, with the answers to the items before it.
 */
export function visibility(): (item: Conditional, answers: Answers) => boolean {
  let page = true;
  let section = true;
  const look = new Look();
  return (item, answers) => {
    const { type, visible_if } = item;
    if (type === 'check' || type === 'ending') return false;
    const isShown = (visible_if === undefined || isMet(visible_if, answers, look)) && offersAny(item, answers, look);
    if (type === 'page') {
      page = isShown;
      section = true;
      return page;
    }
    if (type === 'section') {
      section = isShown;
      return page && section;
    }
    return page && section && isShown;
  };
}

/** Whether a field has to be answered whatever the other answers are, as far as it is shown. */
export const isAlwaysRequired = ({ required, required_if }: Requirement): boolean => required && required_if === undefined;

type Requirement = Pick<Field, 'required' | 'required_if'>;

/** Decides whether fields have to be answered. @returns a function to call for each field, with the answers to the items before it. */
export function requirement(): (field: Requirement, answers: Answers) => boolean {
  const look = new Look();
  return ({ required, required_if }, answers) => required && (required_if === undefined || isMet(required_if, answers, look));
}

/** The fields that a check names. */
export const keysOfCheck = (check: Pick<FormCheck, 'if' | 'at'>): Set<string> => keysIn(check.if).add(check.at);

/**
 * Decides whether checks refuse the answers.
 * @returns a function to call for each check, with the answers to what is shown, the keys of the fields that are shown, and those whose answers
 * are at fault already: what depends on such an answer is decided once it is right.
 */
export function refusal(): (
  check: Pick<FormCheck, 'if' | 'at'>,
  answers: Answers,
  shown: ReadonlySet<string>,
  faulty: ReadonlySet<string>,
) => boolean {
  const look = new Look();
  return (check, answers, shown, faulty) =>
    shown.has(check.at) && ![...keysOfCheck(check)].some((key) => faulty.has(key)) && isMet(check.if, answers, look);
}

/** The end of a form for these answers to what was shown: the first ending whose condition holds. */
export function endingFor(endings: readonly FormEnding[], answers: Answers): FormEnding | undefined {
  const look = new Look();
  return endings.find((ending) => isMet(ending.if, answers, look));
}

/** The parts of an item that are conditions. */
export const conditionParts = ['visible_if', 'required_if', 'if'] as const;

type Conditions = Partial<Pick<Field, 'visible_if' | 'required_if'> & Pick<FormCheck, 'if'>>;

/** The conditions of an item and of its options, by the names of their parts. */
export const conditionsOf = (item: FormItem): [part: ConditionPart, condition: Condition][] => [
  ...conditionParts.flatMap((part): [ConditionPart, Condition][] => {
    const condition = (item as Conditions)[part];
    return condition === undefined ? [] : [[part, condition]];
  }),
  ...conditionalOptions(item as Pick<Field, 'options'>),
];

export type ConditionPart = (typeof conditionParts)[number] | `options.${number}.visible_if`;

/** The item with its conditions as the function makes them. */
export function withConditionsAs<Item extends FormItem>(item: Item, change: (condition: Condition) => Condition): Item {
  const changed = { ...item };
  for (const part of conditionParts) {
    const condition = (item as Conditions)[part];
    if (condition !== undefined) Object.assign(changed, { [part]: change(condition) });
  }
  if (!('options' in changed) || changed.options === undefined) return changed;
  const options = changed.options.map((option) => (option.visible_if ? { ...option, visible_if: change(option.visible_if) } : option));
  return { ...changed, options };
}
