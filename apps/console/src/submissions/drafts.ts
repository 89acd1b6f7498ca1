import type { FormItem, FormSettingsDetail, SubmissionDetail } from '@sheaf/client';
import {
  answerFormOf,
  answerKindOf,
  cellsIn,
  hasParts,
  isComputed,
  isFile,
  isMatrix,
  isRepeat,
  isSignature,
  isTypedNumber,
  offeredOptions,
  partIn,
  partsOf,
  visibility,
  type Offered,
} from '@sheaf/contracts';
import { calculated, dayIn } from '@sheaf/formulas';
import { answerInParts, writeNumber } from '@sheaf/form-view';
import { fieldsOf, fileIdsOf, itemFieldsOf, matrixIn, type AnswerField } from './fields';

/** An answer as it is in its control: a text, or the chosen options or files; of a repeat, the drafts of each item as JSON. */
export type Draft = string | readonly string[];
export type Drafts = Readonly<Record<string, Draft | undefined>>;

const isList = (field: AnswerField): boolean => ['options', 'file'].includes(answerKindOf(field));

/** Numbers are written as in the language in which they will be read. */
export function draftsOf(items: readonly FormItem[], answers: Readonly<Record<string, unknown>>, language: string): Drafts {
  const draftOf = (field: AnswerField): Draft => {
    const answer = answers[field.key];
    if (isRepeat(field)) return itemsIn(answer).map((item) => draftOfItem(draftsOf(itemFieldsOf(field), item, language)));
    if (isMatrix(field)) return cellsIn(matrixIn(field), answer);
    // The name, and the picture behind it.
    if (isSignature(field)) return [textIn(partIn(answer, 'name')), ...fileIdsOf(field, answer)];
    if (hasParts(field)) return draftOfParts(field, answer);
    if (isList(field)) return (Array.isArray(answer) ? answer : [answer]).filter((each) => typeof each === 'string');
    if (answer === undefined || answer === null) return '';
    if (typeof answer === 'number' && isTypedNumber(field)) return writeNumber(answer, language);
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  };
  return Object.fromEntries(fieldsOf(items).map((field) => [field.key, draftOf(field)]));
}

const itemsIn = (answer: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(answer) ? answer.filter((item) => typeof item === 'object' && item !== null) : [];

export const draftOfItem = (drafts: Drafts): string => JSON.stringify(drafts);

export const draftsOfItem = (draft: string): Drafts => JSON.parse(draft) as Drafts;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A text for each part. An answer from before there were parts is the first. */
function draftOfParts(field: AnswerField, answer: unknown): Draft {
  const [first, ...others] = partsOf(field).map(({ name }) => {
    const text = partIn(answer, name);
    return typeof text === 'string' || typeof text === 'number' ? String(text) : '';
  });
  return [typeof answer === 'string' ? answer : (first ?? ''), ...others];
}

export interface Filled {
  /** The answers in the controls. A text that cannot be read goes on as it was typed: the API refuses it and says why. */
  answers: Record<string, unknown>;
  /** The fields and elements that are not shown, because of other answers. */
  hidden: ReadonlySet<FormItem>;
  /** Those of them whose controls have an answer, which is not kept. */
  fallingAway: readonly AnswerField[];
  /** The options to choose from, of fields whose options depend on other answers. */
  offered: ReadonlyMap<FormItem, Offered>;
}

/** The day with which the server calculates, in the time zone of the form: that on which the submission arrived; of a new one, that on which it is `now`. */
export const dayOf = ({ timezone }: Zoned, submission: Pick<SubmissionDetail, 'created_at'> | undefined, now: Date): string =>
  dayIn(timezone, submission ? new Date(submission.created_at) : now);

type Zoned = Pick<FormSettingsDetail, 'timezone'>;

interface Reading {
  language: string;
  /** The day for formulas that ask for it. */
  today: string;
}

/**
 * The values that are filled in, read in display order as the page of the form does, because each answer may show or hide what follows.
 * @param before the answers before a repeat, of an item of which these are the items
 */
export function filledIn(items: readonly FormItem[], drafts: Drafts, reading: Reading, before: Filled['answers'] = {}): Filled {
  const { language, today } = reading;
  const isShown = visibility();
  const answers: Record<string, unknown> = { ...before };
  const hidden = new Set<FormItem>();
  const fallingAway: AnswerField[] = [];
  const offered = new Map<FormItem, Offered>();
  for (const item of items) {
    const isHere = isShown(item, answers);
    if (!isHere) hidden.add(item);
    const options = 'options' in item ? offeredOptions(item, answers) : undefined;
    if (options) offered.set(item, options);
    // Others may depend on it. The server computes the one that is saved.
    if ('key' in item && isComputed(item)) {
      const result = isHere ? calculated(items, item, { answers, today: () => today }) : undefined;
      if (result !== undefined) answers[item.key] = result;
      continue;
    }
    const draft = 'key' in item ? (drafts[item.key] ?? '') : '';
    const answer = !('key' in item) ? undefined : isRepeat(item) ? itemsOf(item, draft, reading, answers) : answerIn(item, draft, language);
    if (!('key' in item) || answer === undefined) continue;
    if (isHere) answers[item.key] = answer;
    else fallingAway.push(item);
  }
  return { answers, hidden, fallingAway, offered };
}

/** An item that is empty is none. */
function itemsOf(field: AnswerField, draft: Draft, reading: Reading, before: Filled['answers']): object[] | undefined {
  const inner = itemFieldsOf(field);
  const given = [draft].flat().filter((item) => item !== '');
  const items = given.flatMap((item) => {
    const { answers } = filledIn(inner, draftsOfItem(item), reading, before);
    const own = inner.flatMap(({ key }) => (Object.hasOwn(answers, key) ? [[key, answers[key]]] : []));
    return inner.some(({ key, ...each }) => !isComputed(each) && Object.hasOwn(answers, key)) ? [Object.fromEntries(own) as object] : [];
  });
  return items.length === 0 ? undefined : items;
}

function answerIn(field: AnswerField, draft: Draft, language: string): unknown {
  const [name = '', picture] = [draft].flat();
  if (isSignature(field)) return answerInParts(answerFormOf(field), [name], language, picture);
  return isFile(field) ? filesIn(field, draft) : answerInParts(answerFormOf(field), [draft].flat(), language);
}

function filesIn(field: AnswerField, draft: Draft): string | string[] | undefined {
  const files = [draft].flat().filter((id) => id !== '');
  if (files.length === 0) return undefined;
  return 'multiple' in field && field.multiple === true ? files : files[0];
}
