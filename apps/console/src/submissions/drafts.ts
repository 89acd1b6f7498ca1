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
import { fieldsInItem, fieldsOf, fileIdsOf, matrixIn, type AnswerField } from './fields';

/** An answer as it is in its control: a text, or the chosen options or files; of a repeat, the drafts of each item as JSON. */
export type Draft = string | readonly string[];
export type Drafts = Readonly<Record<string, Draft | undefined>>;

const isList = (field: AnswerField): boolean => ['options', 'file'].includes(answerKindOf(field));

/** Numbers are written as in the language in which they will be read. */
export function draftsOf(items: readonly FormItem[], answers: Readonly<Record<string, unknown>>, language: string): Drafts {
  const draftOf = (field: AnswerField): Draft => {
    const answer = answers[field.key];
    if (isRepeat(field)) return itemsIn(answer).map((item) => draftOfItem(draftsOf(fieldsInItem(field), item, language)));
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
  [answer].flat().filter((item): item is Readonly<Record<string, unknown>> => typeof item === 'object' && item !== null);

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
  /** The same of each item of a repeat, by its key: that of an item has the answers in it. */
  inItems: ReadonlyMap<string, readonly Filled[]>;
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

/** The values that are filled in, read in display order as the page of the form does, because each answer may show or hide what follows. */
export const filledIn = (items: readonly FormItem[], drafts: Drafts, reading: Reading): Filled => read(items, drafts, reading, items, {});

/**
 * @param form all items, whose formulas also those in an item of a repeat are
 * @param before the answers before a repeat, which are known in its items
 */
function read(items: readonly FormItem[], drafts: Drafts, reading: Reading, form: readonly FormItem[], before: Filled['answers']): Filled {
  const { language, today } = reading;
  const isShown = visibility();
  const answers: Record<string, unknown> = {};
  const known: Record<string, unknown> = { ...before };
  const hidden = new Set<FormItem>();
  const fallingAway: AnswerField[] = [];
  const offered = new Map<FormItem, Offered>();
  const inItems = new Map<string, readonly Filled[]>();
  const readItems = (field: AnswerField): object[] | undefined => {
    const filled = itemsOf(drafts[field.key]).map((item) => read(fieldsInItem(field), draftsOfItem(item), reading, form, known));
    inItems.set(field.key, filled);
    return filled.length === 0 ? undefined : filled.map((item) => item.answers);
  };
  for (const item of items) {
    const isHere = isShown(item, known);
    if (!isHere) hidden.add(item);
    const options = 'options' in item ? offeredOptions(item, known) : undefined;
    if (options) offered.set(item, options);
    if (!('key' in item)) continue;
    // Others may depend on it. The server computes the one that is saved.
    const isOwn = isComputed(item);
    if (isOwn && !isHere) continue;
    const answer = isOwn
      ? calculated(form, item, { answers: known, today: () => today })
      : isRepeat(item)
        ? readItems(item)
        : answerIn(item, drafts[item.key] ?? '', language);
    if (answer === undefined) continue;
    if (isHere) answers[item.key] = known[item.key] = answer;
    else fallingAway.push(item);
  }
  return { answers, hidden, fallingAway, offered, inItems };
}

/** The drafts of the items of a repeat. */
export const itemsOf = (draft: Draft = []): string[] => [draft].flat().filter((item) => item !== '');

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
