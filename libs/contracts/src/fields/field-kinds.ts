import type { AnswerKind, EntryKind } from './answer-kinds';

/** The settings that only some types of fields have. A draft's faults are listed in this order. */
export const settings = [
  'min',
  'max',
  'min_length',
  'max_length',
  'pattern',
  'trim',
  'accept',
  'max_bytes',
  'multiple',
  'max_files',
  'min_choices',
  'max_choices',
  'ranks',
  'min_date',
  'max_date',
  'max_days',
  'parts',
  'only',
  'preferred',
  'options',
  'rows',
  'columns',
  'must_be_true',
  'appearance',
  'shuffle',
  'low_label',
  'high_label',
  'score',
  'other',
  'other_of',
  'unique',
  'formula',
  'format',
  'currency',
  'shown',
  'item_label',
  'fields',
] as const;
export type Setting = (typeof settings)[number];

/** The settings that are a bound by themselves, a whole number from 1 on. */
export const countSettings = ['ranks', 'max_days'] as const satisfies readonly Setting[];
export type CountSetting = (typeof countSettings)[number];

/** How the choices of a field can look. */
export const appearances = ['numbers', 'stars', 'faces', 'list', 'dropdown', 'buttons'] as const;
export type Appearance = (typeof appearances)[number];

/** How a calculated answer is written, which also says what it is. */
export const formats = ['number', 'currency', 'percent', 'text', 'date', 'boolean'] as const;
export type Format = (typeof formats)[number];

/** Everything about a type of field but how it is drawn and what it is called. */
export interface FieldKind {
  readonly answer: AnswerKind;
  /**
   * How respondents give the answer. They never see a hidden field, whose answer is in the form's address. One that is computed from other
   * answers is given by nobody.
   */
  readonly given: 'typed' | 'chosen' | 'uploaded' | 'hidden' | 'computed';
  /** Options are required where a type has them. */
  readonly settings: readonly Setting[];
  /** The aids to filling it in. The API takes both for every type, the console offers them where they have a meaning. */
  readonly aids?: readonly ('placeholder' | 'autocomplete')[];
  /** The looks that `appearance` can be. The first one is that without the setting, but a `select` with many options is a `dropdown` then. */
  readonly appearances?: readonly Appearance[];
  /** How a page asks for a missing answer, if not as for others of its kind. */
  readonly asked?: EntryKind;
  /** Whether a text has several lines. */
  readonly isLong?: true;
  /** The most characters of a text, whatever its settings are. */
  readonly maxLength?: number;
  /** The bounds of a number whose field has none. */
  readonly bounds?: { readonly min: number; readonly max: number };
}

const ofText = ['min_length', 'max_length', 'pattern'] as const;

/**
 * The types of fields, in the order in which the API's document lists them. How a new one is added is in docs/contributing/question-types.md.
 * Pages and console load this, so it has no dependencies.
 */
export const fieldKinds = {
  short_text: {
    answer: 'text',
    given: 'typed',
    settings: [...ofText, 'trim', 'other_of', 'unique'],
    aids: ['placeholder', 'autocomplete'],
    maxLength: 1_000,
  },
  long_text: {
    answer: 'text',
    given: 'typed',
    isLong: true,
    settings: [...ofText, 'trim', 'unique'],
    aids: ['placeholder', 'autocomplete'],
    maxLength: 100_000,
  },
  email: { answer: 'email', given: 'typed', settings: [...ofText, 'unique'], aids: ['placeholder', 'autocomplete'], maxLength: 254 },
  url: { answer: 'url', given: 'typed', settings: ofText, aids: ['placeholder', 'autocomplete'], maxLength: 2_048 },
  phone: { answer: 'phone', given: 'typed', settings: [...ofText, 'unique'], aids: ['placeholder', 'autocomplete'], maxLength: 32 },
  country: { answer: 'country', given: 'chosen', settings: ['only', 'preferred'], aids: ['autocomplete'] },
  number: { answer: 'number', given: 'typed', settings: ['min', 'max', 'unique'], aids: ['placeholder'] },
  integer: { answer: 'whole', given: 'typed', settings: ['min', 'max', 'unique'], aids: ['placeholder'] },
  rating: {
    answer: 'whole',
    given: 'chosen',
    settings: ['min', 'max', 'appearance', 'low_label', 'high_label', 'score'],
    asked: 'choice',
    bounds: { min: 1, max: 5 },
    appearances: ['numbers', 'stars', 'faces'],
  },
  boolean: { answer: 'boolean', given: 'chosen', settings: ['must_be_true'] },
  date: { answer: 'date', given: 'typed', settings: ['min_date', 'max_date'], aids: ['autocomplete'] },
  time: { answer: 'time', given: 'typed', settings: [] },
  datetime: { answer: 'datetime', given: 'typed', settings: ['min_date', 'max_date'] },
  date_range: { answer: 'date_range', given: 'typed', settings: ['min_date', 'max_date', 'max_days'] },
  address: { answer: 'address', given: 'typed', settings: ['parts'] },
  select: {
    answer: 'option',
    given: 'chosen',
    settings: ['options', 'appearance', 'shuffle', 'other'],
    aids: ['autocomplete'],
    appearances: ['list', 'dropdown', 'buttons'],
  },
  multi_select: {
    answer: 'options',
    given: 'chosen',
    settings: ['options', 'min_choices', 'max_choices', 'appearance', 'shuffle', 'other'],
    appearances: ['list', 'buttons'],
  },
  // The options of an answer, best first.
  ranking: { answer: 'options', given: 'chosen', settings: ['options', 'ranks', 'shuffle'], asked: 'ranking' },
  matrix: { answer: 'matrix', given: 'chosen', settings: ['rows', 'columns', 'multiple'] },
  signature: { answer: 'signature', given: 'typed', settings: [] },
  file: { answer: 'file', given: 'uploaded', settings: ['accept', 'max_bytes', 'multiple', 'max_files'] },
  hidden: { answer: 'text', given: 'hidden', settings: [...ofText, 'trim'], maxLength: 1_000 },
  // The answer is a number unless its format says otherwise.
  calculated: { answer: 'number', given: 'computed', settings: ['formula', 'format', 'currency', 'shown'] },
  // Its fields are answered once for each item. The bounds are those of the number of items.
  repeat: { answer: 'items', given: 'typed', settings: ['min', 'max', 'item_label', 'fields'], bounds: { min: 0, max: 20 } },
} as const satisfies Readonly<Record<string, FieldKind>>;

export type FieldType = keyof typeof fieldKinds;

export const fieldTypes = Object.keys(fieldKinds) as [FieldType, ...FieldType[]];

/** The most options of all ranks of a ranking together: pages have a list of the options for each rank. */
export const maxListedForRanks = 1_000;

/** The same for all rankings of a form: a draft of some kilobytes would be a page of many megabytes otherwise. */
export const maxListedForRankings = 5_000;

/** The most ranks, where all options are ranked. */
export const maxRanks = Math.floor(Math.sqrt(maxListedForRanks));

/** The most rows and columns of a matrix, and its most rows times columns: a page has a button or a box for each. */
export const maxMatrixRows = 50;
export const maxMatrixColumns = 20;
export const maxMatrixCells = 500;

/** The same for all matrices of a form. */
export const maxCellsOfForm = 2_500;

/** The most items that a repeat may have, its most fields, and the most of both multiplied: a page has a control for each. */
export const maxItemsOfRepeat = 50;
export const maxFieldsOfRepeat = 20;
export const maxControlsOfRepeat = 500;

/** The most repeats of a form: a workbook reads all submissions once more for the sheet of each. */
export const maxRepeats = 20;

/** As the controls of one, those of all repeats of a form. */
export const maxControlsOfRepeats = 1_500;

/** The most options of all items that the repeats of a form may have: a page has each of them, for a few bytes of a draft. */
export const maxOptionsInItems = 10_000;

/** The maximum number of files in a field that accepts several; `max_files` can lower it. */
export const maxFilesPerField = 10;

/** The most that the picture of a signature may have. A page draws much smaller ones. */
export const maxDrawing = { bytes: 262_144, width: 2_000, height: 1_000 } as const;

/** The types that no item of a repeat has. Files are uploaded for a field, an address names no item, and a matrix in each item is a page of its own. */
export const notInRepeats = ['repeat', 'matrix', 'signature', 'file', 'hidden'] as const satisfies readonly FieldType[];

/** The types whose answers are given in some ways, for what exists only for them. */
export type TypeGiven<Given extends FieldKind['given']> = {
  [Type in FieldType]: (typeof fieldKinds)[Type]['given'] extends Given ? Type : never;
}[FieldType];
