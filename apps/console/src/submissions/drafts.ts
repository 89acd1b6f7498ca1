import type { FormItem } from '@sheaf/client';
import { fieldsOf, isNumeric, type AnswerField } from './fields';

/** An answer as it is in its control: a text, or the chosen options or files. */
export type Draft = string | readonly string[];
export type Drafts = Readonly<Record<string, Draft | undefined>>;

const isList = (field: AnswerField): boolean => field.type === 'multi_select' || field.type === 'file';

export function draftsOf(items: readonly FormItem[], answers: Readonly<Record<string, unknown>>): Drafts {
  const draftOf = (field: AnswerField): Draft => {
    const answer = answers[field.key];
    if (isList(field)) return (Array.isArray(answer) ? answer : [answer]).filter((each) => typeof each === 'string');
    if (answer === undefined || answer === null) return '';
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  };
  return Object.fromEntries(fieldsOf(items).map((field) => [field.key, draftOf(field)]));
}

/** The answers in the controls. What cannot be read goes on as it was typed: the API refuses it and says why. */
export function answersOf(items: readonly FormItem[], drafts: Drafts): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const field of fieldsOf(items)) {
    const answer = answerOf(field, drafts[field.key] ?? '');
    if (answer !== undefined) answers[field.key] = answer;
  }
  return answers;
}

function answerOf(field: AnswerField, draft: Draft): unknown {
  if (typeof draft !== 'string') {
    if (draft.length === 0) return undefined;
    return field.type === 'file' && field.multiple !== true ? draft[0] : [...draft];
  }
  if (draft.trim() === '') return undefined;
  if (isNumeric(field)) return Number.isFinite(Number(draft)) ? Number(draft) : draft;
  if (field.type === 'boolean') return draft === 'true' ? true : draft === 'false' ? false : draft;
  return draft;
}
