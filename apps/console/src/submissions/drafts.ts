import type { FormItem } from '@sheaf/client';
import { answerOf, isTypedNumber, writeNumber } from '@sheaf/form-view';
import { fieldsOf, type AnswerField } from './fields';

/** An answer as it is in its control: a text, or the chosen options or files. */
export type Draft = string | readonly string[];
export type Drafts = Readonly<Record<string, Draft | undefined>>;

const isList = (field: AnswerField): boolean => field.type === 'multi_select' || field.type === 'file';

/** Numbers are written as in the language in which they will be read. */
export function draftsOf(items: readonly FormItem[], answers: Readonly<Record<string, unknown>>, language: string): Drafts {
  const draftOf = (field: AnswerField): Draft => {
    const answer = answers[field.key];
    if (isList(field)) return (Array.isArray(answer) ? answer : [answer]).filter((each) => typeof each === 'string');
    if (answer === undefined || answer === null) return '';
    if (typeof answer === 'number' && isTypedNumber(field.type)) return writeNumber(answer, language);
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  };
  return Object.fromEntries(fieldsOf(items).map((field) => [field.key, draftOf(field)]));
}

/** The answers in the controls. What cannot be read goes on as it was typed: the API refuses it and says why. */
export function answersOf(items: readonly FormItem[], drafts: Drafts, language: string): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const field of fieldsOf(items)) {
    const draft = drafts[field.key] ?? '';
    const trim = 'trim' in field ? field.trim : undefined;
    const answer = field.type === 'file' ? filesIn(field, draft) : answerOf({ type: field.type, trim }, [draft].flat(), language);
    if (answer !== undefined) answers[field.key] = answer;
  }
  return answers;
}

function filesIn(field: Extract<AnswerField, { type: 'file' }>, draft: Draft): string | string[] | undefined {
  const files = [draft].flat().filter((id) => id !== '');
  if (files.length === 0) return undefined;
  return field.multiple === true ? files : files[0];
}
