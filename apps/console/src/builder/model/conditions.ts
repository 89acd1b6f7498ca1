import {
  answerKindOf,
  conditionBounds,
  countriesOf,
  isComparison,
  isOtherText,
  type Comparison,
  type Condition,
  type Field,
} from '@sheaf/contracts';

export const valued = ['equals', 'not_equals', 'gt', 'gte', 'lt', 'lte'] as const;
export const searching = ['contains', 'not_contains', 'starts_with'] as const;
export const counting = ['chosen_at_least', 'chosen_at_most'] as const;
export const operators = [...valued, 'in', ...searching, ...counting, 'answered', 'unanswered'] as const;

/** As people choose them: an answer is there or not. */
export type Operator = (typeof operators)[number];

export const isAmong = <Name extends string>(names: readonly Name[], name: string): name is Name => names.includes(name as Name);

/** The operator of a comparison; undefined if a later release has made it. */
export function operatorOf(comparison: Comparison): Operator | undefined {
  if (comparison.answered === false) return 'unanswered';
  return operators.find((operator) => operator !== 'unanswered' && comparison[operator] !== undefined);
}

export type Value = string | number | boolean;

/** A comparison with values, as the filters of webhooks have them. */
export interface SimpleCondition {
  key: string;
  equals?: Value | undefined;
  not_equals?: Value | undefined;
  in?: Value[] | undefined;
  answered?: boolean | undefined;
}

/** The first answer that one can think of; undefined where all answers are as likely. */
export function firstAnswerTo(field: Field): Value | undefined {
  const kind = answerKindOf(field);
  if (kind === 'country') return field.preferred?.[0] ?? countriesOf(field)[0];
  return kind === 'boolean' ? true : field.options?.[0]?.value;
}

/** The condition that one begins with: that the answer is the first that one can think of, or that there is one. */
export function begun(field: Field): SimpleCondition {
  const value = firstAnswerTo(field);
  return value === undefined ? { key: field.key, answered: true } : { key: field.key, equals: value };
}

/** The field that a condition begins with: the last one before it that authors have made. */
export const nearestOf = (earlier: readonly Field[]): Field | undefined => earlier.findLast((field) => !isOtherText(field));

/** How the conditions of a group are joined. */
export const joints = ['all', 'any', 'not_all', 'none'] as const;
export type Joint = (typeof joints)[number];

/** Conditions that are joined, with a negation of them all as another way to join them, as people say it. */
export interface Group {
  joint: Joint;
  parts: readonly Condition[];
}

/** The group that a condition is; undefined for a comparison, and for what a later release has made. */
export function groupOf({ all, any, not }: Condition): Group | undefined {
  if (all) return { joint: 'all', parts: all };
  if (any) return { joint: 'any', parts: any };
  if (!not) return undefined;
  if (not.all) return { joint: 'not_all', parts: not.all };
  return { joint: 'none', parts: not.any ?? [not] };
}

export function joined({ joint, parts: given }: Group): Condition {
  const parts = [...given];
  switch (joint) {
    case 'all':
      return { all: parts };
    case 'any':
      return { any: parts };
    case 'not_all':
      return { not: { all: parts } };
    case 'none': {
      const [only, ...others] = parts;
      return { not: only && others.length === 0 && isComparison(only) ? only : { any: parts } };
    }
  }
}

/** The whole condition: without a group around a single part, and nothing if there is none. */
export function whole(group: Group): Condition | undefined {
  const [only, ...others] = group.parts;
  if (!only) return undefined;
  return others.length === 0 && (group.joint === 'all' || group.joint === 'any') ? only : joined(group);
}

const partsOf = ({ all = [], any = [], not }: Condition): readonly Condition[] => [...all, ...any, ...(not ? [not] : [])];

export const depthOf = (condition: Condition): number => {
  const parts = partsOf(condition);
  return parts.length === 0 ? 0 : 1 + Math.max(...parts.map(depthOf));
};

export const termsIn = (condition: Condition): number => {
  const parts = partsOf(condition);
  return parts.length === 0 ? 1 : parts.reduce((terms, each) => terms + termsIn(each), 0);
};

/** Whether forms take a condition of this size. */
export const isWithinBounds = (condition: Condition): boolean =>
  depthOf(condition) <= conditionBounds.depth && termsIn(condition) <= conditionBounds.terms;
