import type { Condition } from '../app/condition-shape';

export type Operator = Exclude<keyof Condition, 'key' | 'all' | 'any' | 'not'>;

/** The way in which people give an answer, which decides how a page asks for it. Each language of the pages has a sentence for each. */
export type EntryKind =
  | 'text'
  | 'number'
  | 'date'
  | 'time'
  | 'datetime'
  | 'dates'
  | 'choice'
  | 'choices'
  | 'ranking'
  | 'matrix'
  | 'box'
  | 'signature'
  | 'file';

/** The names of parts that are the same in all forms. Files, pages and the console have words for each. */
export type PartName = 'from' | 'to' | AddressPart | SignaturePart;

/** The parts of an address, in the order in which a field asks for them unless its author says otherwise. */
export const addressParts = ['line1', 'line2', 'postal_code', 'city', 'region', 'country'] as const;
export type AddressPart = (typeof addressParts)[number];

/** The parts of a signature: the way in which somebody signed, and then either a name or a picture. */
export type SignaturePart = 'kind' | 'name' | 'file_id';

/** The kinds of a part: each is a text in one control, but for the rows of a matrix. */
export type PartKind = 'option' | 'options' | 'text' | 'number' | 'whole' | 'country' | 'date' | 'time' | 'datetime' | 'file';

export type Parts = Readonly<Partial<Record<PartName, PartKind>>>;

/** A part of the answers to a field. */
export interface Part {
  /** Any text, if the form names it: an answer is read by `partIn`. */
  name: string;
  kind: PartKind;
  /** Whether each answer has it; any other may be absent. */
  required: boolean;
  /** The form's own text. Without one, there are words for the name. */
  label?: string;
}

/** The facts about the answers of a kind, for all code that neither checks nor draws them. */
export interface AnswerTraits {
  /** The simplified type that v1 shows to clients (contract, section 2.4). */
  readonly v1: 'string' | 'number' | 'boolean' | 'object' | 'array' | 'file';
  /** The component of the API's document that describes such fields: types whose answers are alike share one. */
  readonly schema: 'Text' | 'Number' | 'Boolean' | 'Time' | 'Choice' | 'Country' | 'Parts' | 'Matrix' | 'Items' | 'File';
  /** The parts of an answer that is an object, in their order, with what each is. `partsOf` tells for which of them a field asks. */
  readonly parts?: Parts;
  /** Whether an answer may name uploaded files, as `fileIdsIn` tells. */
  readonly hasFiles?: true;
  /** Whether an answer without one of them is none. */
  readonly needed?: 'all parts';
  /** How conditions can compare them. */
  readonly operators: readonly Operator[];
  /** Answers of the same class can be compared with each other; those without one cannot. */
  readonly comparedAs?: 'text' | 'country' | 'number' | 'boolean' | 'date' | 'time' | 'datetime';
  /** The type that formulas take them for; they cannot use those without one, except to count them. */
  readonly inFormulas?: 'text' | 'number' | 'truth' | 'date' | 'list';
  /** Whether their text in a formula is as short as a number is. */
  readonly isShort?: true;
  /** The counters of insights; of others, only whether there is an answer is counted. */
  readonly countedAs?: 'options' | 'numbers' | 'wholeNumbers' | 'matrices';
  /** Whether a search looks for parts of them. */
  readonly isText?: true;
  /** The cell that people read in a file in place of the answer as it is. */
  readonly cell?: 'day' | 'time' | 'moment' | 'files';
  /** The control of the console that people give them with. */
  readonly control:
    | 'text'
    | 'number'
    | 'truth'
    | 'moment'
    | 'country'
    | 'option'
    | 'options'
    | 'parts'
    | 'matrix'
    | 'signature'
    | 'items'
    | 'file';
  /** The input for a day or a time, where browsers have one. */
  readonly input?: 'date' | 'time' | 'datetime-local';
  /** The width of their column in a list. */
  readonly width?: 'narrow' | 'wide';
  /** How a page asks for a missing one: in the sentence for its entry, or in that for a wrong one, where it says best what is expected. */
  readonly asked: EntryKind | 'not_email' | 'not_url' | 'not_phone' | 'not_country';
}

const always = ['equals', 'not_equals', 'in', 'answered'] as const;
const ordered = [...always, 'gt', 'gte', 'lt', 'lte'] as const;
const ofTexts = [...always, 'contains', 'not_contains', 'starts_with'] as const;

const text = {
  v1: 'string',
  schema: 'Text',
  operators: ofTexts,
  comparedAs: 'text',
  inFormulas: 'text',
  isText: true,
  control: 'text',
} as const;
const number = { v1: 'number', schema: 'Number', operators: ordered, comparedAs: 'number', inFormulas: 'number', isShort: true } as const;
const moment = { v1: 'string', schema: 'Time', operators: ordered, control: 'moment' } as const;
const textParts = { line1: 'text', line2: 'text', postal_code: 'text', city: 'text', region: 'text' } as const;
const choice = { v1: 'string', schema: 'Choice', countedAs: 'options' } as const;

/**
 * The kinds of values that answers are. Most code depends on this alone: a type whose answers are of a known kind needs nothing there. Pages and
 * console load this, so it has no dependencies.
 */
export const answerKinds = {
  text: { ...text, asked: 'text' },
  email: { ...text, asked: 'not_email' },
  url: { ...text, asked: 'not_url' },
  phone: { ...text, asked: 'not_phone' },
  // The code of a country.
  country: {
    ...{ v1: 'string', schema: 'Country', operators: always, comparedAs: 'country', inFormulas: 'text', isShort: true },
    ...{ countedAs: 'options', control: 'country', asked: 'not_country' },
  },
  number: { ...number, countedAs: 'numbers', control: 'number', width: 'narrow', asked: 'number' },
  // A number without a fraction.
  whole: { ...number, countedAs: 'wholeNumbers', control: 'number', width: 'narrow', asked: 'number' },
  boolean: {
    ...{ v1: 'boolean', schema: 'Boolean', operators: always, comparedAs: 'boolean', inFormulas: 'truth', isShort: true },
    ...{ countedAs: 'options', control: 'truth', width: 'narrow', asked: 'choice' },
  },
  date: { ...moment, comparedAs: 'date', inFormulas: 'date', isShort: true, cell: 'day', input: 'date', asked: 'date' },
  time: { ...moment, comparedAs: 'time', inFormulas: 'text', cell: 'time', input: 'time', width: 'narrow', asked: 'time' },
  // In a formula, its day.
  datetime: {
    ...{ ...moment, comparedAs: 'datetime', inFormulas: 'date', isShort: true, cell: 'moment' },
    ...{ input: 'datetime-local', asked: 'datetime' },
  },
  option: { ...choice, operators: always, comparedAs: 'text', inFormulas: 'text', control: 'option', asked: 'choice' },
  options: {
    ...{ ...choice, operators: [...always, 'contains', 'not_contains', 'chosen_at_least', 'chosen_at_most'], inFormulas: 'list' },
    ...{ control: 'options', width: 'wide', asked: 'choices' },
  },
  // The first and the last day: `{from, to}`.
  date_range: {
    ...{ v1: 'object', schema: 'Parts', parts: { from: 'date', to: 'date' }, needed: 'all parts' },
    ...{ operators: ['answered'], control: 'parts', width: 'wide', asked: 'dates' },
  },
  // Texts by the names of the parts that the field asks for, and the code of the country.
  address: {
    ...{ v1: 'object', schema: 'Parts', parts: { ...textParts, country: 'country' }, operators: ['answered'] },
    ...{ control: 'parts', width: 'wide', asked: 'text' },
  },
  // A column for each row, or several of them: `{row: column}`.
  matrix: {
    ...{ v1: 'object', schema: 'Matrix', operators: ['answered'], countedAs: 'matrices' },
    ...{ control: 'matrix', width: 'wide', asked: 'matrix' },
  },
  // `{kind: 'drawn', file_id}` or `{kind: 'typed', name}`.
  signature: {
    ...{ v1: 'object', schema: 'Parts', parts: { kind: 'text', name: 'text', file_id: 'file' }, hasFiles: true },
    ...{ operators: ['answered'], control: 'signature', width: 'wide', asked: 'signature' },
  },
  // An object for each item, with the answers to the fields of the repeat by their keys.
  items: {
    ...{ v1: 'array', schema: 'Items', operators: ['answered', 'chosen_at_least', 'chosen_at_most'] },
    ...{ control: 'items', width: 'wide', asked: 'text' },
  },
  file: { v1: 'file', schema: 'File', hasFiles: true, operators: always, cell: 'files', control: 'file', asked: 'file' },
} as const satisfies Readonly<Record<string, AnswerTraits>>;

export type AnswerKind = keyof typeof answerKinds;

/** The parts that all answers of a kind may have; `partsOf` tells for which of them a field asks. */
export function partsOfKind(kind: AnswerKind): readonly Part[] {
  const { parts = {}, needed } = answerTraits(kind);
  return Object.entries(parts).map(([name, each]) => ({ name, kind: each, required: needed === 'all parts' }));
}

/** The part by which lists compare and sort answers that have it. */
export const comparedPart = 'from' satisfies PartName;

/** The kind by which lists compare answers: that of a part, if they have parts. */
export const listedKindOf = (kind: AnswerKind): AnswerKind => {
  const part = answerTraits(kind).parts?.[comparedPart];
  return part === 'date' || part === 'datetime' || part === 'time' ? part : kind;
};

/** Of a kind that this release does not know, as a later one may have stored. */
const unknownKind: AnswerTraits = { v1: 'string', schema: 'Text', operators: always, control: 'text', asked: 'text' };

export const answerTraits = (kind: AnswerKind): AnswerTraits => (Object.hasOwn(answerKinds, kind) ? answerKinds[kind] : unknownKind);
