import {
  answerKindOf,
  escapedPipes,
  fieldTypes,
  hasSetting,
  hasFiles,
  isRanked,
  maxListedForRanks,
  notInRepeats,
  maxPipes,
  otherValue,
  traitsOf,
  truncate,
  truncatePiped,
  type Condition,
  type Field,
  type FieldType,
  type FormCheck,
  type FormElement,
} from '@sheaf/contracts';
import { joined } from './condition-grammar';
import { printFormula } from '@sheaf/formulas';
import { NotKept } from './calculation-grammar';
import { columnsIn, constantIn, readConstraint, readFilter, readRelevant, refusedBy, valueFor, type Fields } from './expressions';
import { otherTextOf, someOf, textOf, warnOfMissing, type Languages, type Text } from './languages';
import { readFormula } from './read-formula';
import type { Report } from './report';
import type { Entry } from './table';

/** The context in which questions are read. */
export interface Reading {
  languages: Languages;
  /** The lists of each sheet with options, by their names: two sheets may have one of the same name. */
  lists: Readonly<Record<ChoiceSheet, ReadonlyMap<string, ChoiceList>>>;
  report: Report;
}

export type ChoiceSheet = 'choices' | 'external_choices';

/** The options of a list by their values. A list may have several of one value, of which filters offer one at a time. */
export type ChoiceList = ReadonlyMap<string, readonly Choice[]>;

/** A row of a sheet with options. */
export interface Choice {
  row: number;
  value: string;
  text: Text;
  /** The text in another column, which filters look at; undefined if there is no such column. */
  column: (name: string) => string | undefined;
}

export const survey = 'survey';
/** The most options that a field can have. */
export const maxChoices = 1_000;
/** The most characters of an option, and of a row of a matrix. */
export const maxOptionText = 200;
const lengths = { label: 500, help: 2_000, option: maxOptionText, message: 300, refusal: 500 };

/**
 * The names that a type has in XLSForms, if they have such questions. A longer text is one with the appearance `multiline`, a country is written as
 * a choice, and a calculation is read as the question that it stands for.
 */
const names: Readonly<Partial<Record<FieldType, readonly [string, ...string[]]>>> = {
  short_text: ['text', 'string'],
  phone: ['tel'],
  // A range takes the type that its numbers need.
  number: ['decimal', 'range'],
  integer: ['integer', 'int'],
  boolean: ['acknowledge', 'trigger'],
  date: ['date'],
  time: ['time'],
  datetime: ['datetime'],
  select: ['select_one', 'select_one_external'],
  multi_select: ['select_multiple'],
  ranking: ['rank', 'odk:rank'],
  file: ['file', 'image', 'photo', 'audio', 'video'],
  hidden: ['hidden'],
};

/** The name that a question of the type gets in an XLSForm; a text where there are no such questions. */
export const usualName = (type: FieldType): string => names[type]?.[0] ?? 'text';

const types: ReadonlyMap<string, FieldType> = new Map(
  fieldTypes.flatMap((type) => (names[type] ?? []).map((name) => [name, type] as const)),
);

/** The files that some names of the type ask for. */
export const accepted: ReadonlyMap<string, string> = new Map([
  ['image', 'image/*'],
  ['photo', 'image/*'],
  ['audio', 'audio/*'],
  ['video', 'video/*'],
]);

/** The types of rows that people are not asked about: what a device notes by itself, what is computed, and tables from elsewhere. */
const notAsked: ReadonlySet<string> = new Set([
  ...['start', 'end', 'today', 'deviceid', 'device_id', 'uri:deviceid', 'imei', 'subscriberid', 'simserial', 'sim', 'phonenumber', 'phone'],
  ...['get', 'username', 'uri:username', 'email', 'uri:email', 'audit', 'start-geopoint', 'background-audio', 'background-geopoint'],
  ...['csv-external', 'xml-external', 'caseid', 'include', 'set'],
]);

/** Types whose answers people can type, as forms have no other way to give them. */
const typed: ReadonlyMap<string, string> = new Map([
  ...['geopoint', 'gps', 'location', 'geotrace', 'geoshape'].map((name) => [name, 'forms have no map'] as const),
  ...['barcode', 'qrcode'].map((name) => [name, 'forms read no codes'] as const),
  ...['select_one_from_file', 'select_multiple_from_file'].map((name) => [name, 'its options are in another file'] as const),
]);

/** How older forms write the types. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/^(?:add )?select (?:all that apply|multiple)(?: prompt)?(?: from| using)? /i, 'select_multiple '],
  [/^(?:add )?(?:select one|select1)(?: prompt)?(?: from| using)? /i, 'select_one '],
  [/^(select_one|select_multiple) from /i, '$1 '],
  [/^add (.+) prompt$/i, '$1'],
  [/^(begin|end) (group|repeat)\b/i, '$1_$2'],
  [/^(begin|end)[_ ](?:lgroup|looped group|loop)\b/i, '$1_repeat'],
];

/** The type of a row, in lower case, and the list of a select: `select_one colours`. */
export function typeOf({ get }: Entry): { type: string; list: string; hasOther: boolean } {
  const written = get('type').replaceAll(/\s+/g, ' ');
  const [pattern, usual = ''] = spellings.find(([pattern]) => pattern.test(written)) ?? [];
  const [type = '', ...args] = (pattern ? written.replace(pattern, usual) : written).split(' ');
  return { type: type.toLowerCase(), list: args[0] ?? '', hasOther: / or(?:_| | specify )other$/i.test(written) };
}

/** The sheet that has the options of a type. */
export const sheetOf = ({ type }: { type: string }): ChoiceSheet => (type === 'select_one_external' ? 'external_choices' : 'choices');

/** Rows that have nothing but a calculation. */
const calculations: ReadonlySet<string> = new Set(['calculate', 'calculation']);

/** Whether a row is computed and nothing else, so that people do not see it. */
export const isCalculation = (entry: Entry): boolean => calculations.has(typeOf(entry).type);

/** Whether its answer is not to be changed by people. */
export const isReadOnly = (entry: Entry): boolean => entry.get('read_only') !== '' && constantIn(entry.get('read_only')) !== false;

/** Whether the answer is what the row computes: people neither see it, nor may they change it. */
export function isComputedRow(entry: Entry): boolean {
  if (isCalculation(entry)) return true;
  const { type } = typeOf(entry);
  if (entry.get('calculation') === '') return false;
  const known = types.get(type);
  return (
    type === 'note' || (known !== undefined && (isHiddenRow(entry) || (isReadOnly(entry) && traitsOf({ type: known }).given === 'typed')))
  );
}

const isHiddenRow = (entry: Entry): boolean => typeOf(entry).type === 'hidden' || /\bhidden\b/i.test(entry.get('appearance'));

/** A field whose answer is computed, and whether the answer depends on a division by what may be zero. */
export interface ComputedField {
  field: Field;
  mayBeInfinite: boolean;
}

/** The field whose answer is computed as the row says; undefined, and named, if no formula computes the same. */
export function computedField(entry: Entry, key: string, reading: Reading, earlier: Fields): ComputedField | undefined {
  const { languages, report } = reading;
  const { row } = entry;
  const written = entry.get('calculation');
  if (written === '') {
    report.warn(survey, row, 'has no calculation; it is left out', 'calculation');
    return undefined;
  }
  try {
    if (entry.get('trigger') !== '') throw new NotKept('it is computed only when another answer changes');
    const { tree, format, remarks, mayBeInfinite } = readFormula(written, earlier, { areTranslated: languages.others.size > 0 });
    const isShown = !isCalculation(entry) && !isHiddenRow(entry);
    warnOfUnasked(entry, isShown, report);
    for (const remark of remarks) report.warn(survey, row, `about the calculation: ${remark}`);
    const field: Field = {
      key,
      ...labelOf(entry, reading, key, isShown ? earlier : noFields),
      ...{ type: 'calculated', required: false, formula: printFormula(tree), format },
      ...(isShown ? {} : { shown: false }),
    };
    return { field, mayBeInfinite };
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    const fault = written === '' ? 'there is none' : error.message;
    report.warn(
      survey,
      row,
      `the calculation "${written.slice(0, 100)}" is not taken over, as ${fault}; ${insteadOf(entry)}`,
      'calculation',
    );
    return undefined;
  }
}

function insteadOf(entry: Entry): string {
  if (isCalculation(entry)) return 'it is left out';
  if (typeOf(entry).type === 'note') return 'the note shows no value';
  return `the question is answered by ${isHiddenRow(entry) ? 'links and programs' : 'people'}`;
}

/** The demands on answers that people give. */
function warnOfUnasked(entry: Entry, isShown: boolean, report: Report): void {
  const { row } = entry;
  if (entry.get('constraint') !== '' && constantIn(entry.get('constraint')) !== true)
    report.warn(survey, row, 'the constraint is left out, as nobody gives the answer', isShown ? 'constraint' : undefined);
  if (entry.get('required') !== '' && constantIn(entry.get('required')) !== false)
    report.warn(survey, row, 'it is not required, as nobody gives the answer');
  if (entry.get('default') !== '') report.warn(survey, row, 'the default is left out, as the answer is computed');
}

/** The field of a row, and whether conditions can compare its answers. */
export interface ReadField {
  field: Field;
  isComparable: boolean;
}

/** The field of a row; undefined if forms have none of its type. `key` is its name as forms allow it. */
export function fieldOf(entry: Entry, key: string, reading: Reading, earlier: Fields): ReadField | undefined {
  const row = typeOf(entry);
  const { type: written } = row;
  const { report } = reading;
  const known = types.get(written);
  if (notAsked.has(written)) {
    report.warn(survey, entry.row, `the type "${written}" is not supported; people are not asked for it`);
    return undefined;
  }
  const because = known ? reasonToType(row, reading) : reasonOf(written);
  if (!known && because === undefined) {
    report.warn(survey, entry.row, `the type "${written.slice(0, 64)}" is not supported; the question is left out`, 'question');
    return undefined;
  }
  const isHidden = isHiddenRow(entry);
  // That of a row that is nothing but computed has been named.
  if (entry.get('calculation') !== '' && !isComputedRow(entry))
    report.warn(
      survey,
      entry.row,
      `the calculation is not taken over; the question is answered by ${isHidden ? 'links and programs' : 'people'}`,
    );
  if (isHidden) return { field: withDefault(entry, hiddenField(entry, key, reading), report), isComparable: true };
  if (because !== undefined)
    return { field: withDefault(entry, typedField(entry, key, because, { reading, earlier }), report), isComparable: false };
  const type = typeFor(known ?? 'short_text', entry);
  const accept = accepted.get(written);
  const requirement = requirementOf(entry, earlier, report);
  const { required } = requirement;
  const field: Field = withMessages(entry, reading, {
    key,
    ...labelOf(entry, reading, key, earlier),
    type,
    ...requirement,
    ...(accept === undefined || !hasSetting({ type }, 'accept') ? {} : { accept: [accept] }),
    ...(required && hasSetting({ type }, 'must_be_true') ? { must_be_true: true } : {}),
    ...(written === 'range' ? rangeOf(entry, report) : readConstraint(entry.get('constraint'), { type })),
  });
  const whole = hasSetting(field, 'options') ? withOptions(field, listOf(row, reading) ?? new Map(), { entry, earlier, reading }) : field;
  return { field: withDefault(entry, whole, report), isComparable: true };
}

const reasonOf = (type: string): string | undefined =>
  type.startsWith('db:') ? 'its answers are records of another system' : typed.get(type);

type Row = ReturnType<typeof typeOf>;

export const listOf = (row: Row, { lists }: Reading): ChoiceList | undefined => lists[sheetOf(row)].get(row.list);

/** How many options the rows of a type have. */
export function countOptions(row: Row, reading: Reading): number {
  const choices = listOf(row, reading);
  return choices && reasonToType(row, reading) === undefined ? choices.size + (row.hasOther ? 1 : 0) : 0;
}

/** Whether it can be asked for each item of a repeat. */
export function canRepeat(entry: Entry): boolean {
  const type = types.get(typeOf(entry).type);
  return type === undefined || !notForItems.has(type);
}

export const notForItems: ReadonlySet<FieldType> = new Set(notInRepeats);

/** Why a question with options is asked as a text: undefined if it has its options. */
function reasonToType(row: Row, reading: Reading): string | undefined {
  const type = types.get(row.type);
  if (type === undefined || !hasSetting({ type }, 'options')) return undefined;
  const name = `"${row.list.slice(0, 64)}"`;
  if (row.list.includes('${')) return `its options ${name} are answers to another question`;
  const choices = listOf(row, reading);
  if (!choices) return `the sheet ${sheetOf(row)} has no list ${name}`;
  const most = isRanked({ type }) ? Math.floor(Math.sqrt(maxListedForRanks)) : maxChoices;
  return choices.size + (row.hasOther && !choices.has(otherValue) ? 1 : 0) > most
    ? `the list ${name} has more than ${most} options, the most that ${isRanked({ type }) ? 'people can rank' : 'a question can have'}`
    : undefined;
}

/** The looks of choices by the appearances of XLSForms, as far as they say one. Those of tables are for a row of several questions. */
const looks: readonly (readonly [RegExp, NonNullable<Field['appearance']>])[] = [
  [/\b(?:minimal|autocomplete|search)\b/i, 'dropdown'],
  [/\b(?:columns(?:-pack|-flex|-\d+)?|likert|horizontal(?:-compact)?|compact(?:-\d+)?|quickcompact(?:-\d+)?)\b/i, 'buttons'],
  [/(?:^|\s)(?:quick|full)(?:\s|$)/i, 'list'],
];

/** The look of a choice, and whether its options are shuffled. */
function asShown(entry: Entry, field: Field, report: Report): Pick<Field, 'appearance' | 'shuffle'> {
  const written = entry.get('appearance');
  const [, appearance] = looks.find(([pattern, look]) => pattern.test(written) && traitsOf(field).appearances?.includes(look)) ?? [];
  const parameters = parametersIn(entry);
  const isShuffled = /^true(?:\(\))?$/i.test(parameters.get('randomize') ?? '');
  if (isShuffled && parameters.has('seed'))
    report.warn(survey, entry.row, 'the seed of the order is not taken over; each respondent gets an order of their own');
  return { ...(appearance === undefined ? {} : { appearance }), ...(isShuffled ? { shuffle: true } : {}) };
}

/** Some of these are hard to type, so they are never required. */
function typedField(entry: Entry, key: string, because: string, { reading, earlier }: Omit<Asked, 'entry'>): Field {
  const { report } = reading;
  report.warn(survey, entry.row, `people type the answer, as ${because}`);
  const isConstrained = entry.get('constraint') !== '' && constantIn(entry.get('constraint')) !== true;
  if (isConstrained) report.warn(survey, entry.row, 'the constraint is left out, as it is not about texts', 'constraint');
  if (entry.get('choice_filter') !== '') report.warn(survey, entry.row, 'the choice_filter is left out with the options', 'condition');
  const isRequired = entry.get('required') !== '' && constantIn(entry.get('required')) !== false;
  if (isRequired) report.warn(survey, entry.row, 'the question is optional now, as it may be hard to type its answer', 'requirement');
  const messages = (['constraint_message', 'required_message'] as const).filter(
    (name) => someOf(textOf(entry, name, reading.languages)) !== '',
  );
  if (messages.length > 0) report.warn(survey, entry.row, `${messages.join(' and ')} left out, as no answer to the question is refused`);
  return { key, ...labelOf(entry, reading, key, earlier), type: 'short_text', required: false };
}

/** Whether people draw their signature on the picture for which the row asks. */
const isSigned = (entry: Entry): boolean => typeOf(entry).type === 'image' && /\bsignature\b/.test(entry.get('appearance'));

/** The type of an answer, as far as the row says more than its type. */
function typeFor(known: FieldType, entry: Entry): FieldType {
  const appearance = entry.get('appearance');
  if (known === 'short_text' && /\bmultiline\b/.test(appearance)) return 'long_text';
  if (isSigned(entry)) return 'signature';
  if (typeOf(entry).type !== 'range') return known;
  const { start, end, step } = parametersOf(entry);
  if (![start, end, step].every(Number.isInteger)) return 'number';
  const isScale = /\brating\b/.test(appearance) && step === 1 && start >= 0 && end <= 10 && end > start;
  return isScale ? 'rating' : 'integer';
}

/** The `parameters` of a row, such as `start=1 end=10 step=1`. */
const parametersIn = (entry: Entry): ReadonlyMap<string, string> =>
  new Map(
    entry
      .get('parameters')
      .split(/[\s,;]+/)
      .map((pair) => pair.split('=', 2))
      .map(([name = '', value = '']) => [name.toLowerCase(), value] as const),
  );

/** The `parameters` of a range. */
function parametersOf(entry: Entry): { start: number; end: number; step: number } {
  const given = parametersIn(entry);
  const numberIn = (name: string, usual: number) => {
    const number = Number(given.get(name) ?? NaN);
    return Number.isFinite(number) ? number : usual;
  };
  return { start: numberIn('start', 1), end: numberIn('end', 10), step: numberIn('step', 1) };
}

function rangeOf(entry: Entry, report: Report): Pick<Field, 'min' | 'max'> {
  const { start, end, step } = parametersOf(entry);
  if (step !== 1)
    report.warn(survey, entry.row, `the steps of ${step} are not taken over; people may give numbers between them`, 'constraint');
  return { min: Math.min(start, end), max: Math.max(start, end) };
}

/** A field that is never shown, whatever its type: only programs and links answer it. */
export const hiddenField = (entry: Entry, key: string, reading: Reading): Field => ({
  key,
  ...labelOf(entry, reading, key, noFields),
  type: 'hidden',
  required: false,
});

/** The element of a note or a group. A group without a label takes the name. */
export const elementOf = (entry: Entry, type: FormElement['type'], reading: Reading, earlier: Fields): FormElement => ({
  type,
  ...labelOf(entry, reading, entry.get('name') || 'Group', earlier),
});

export const noFields: Fields = { get: () => undefined };

export function labelOf(
  entry: Entry,
  { languages, report }: Reading,
  name: string,
  earlier: Fields,
): Pick<FormElement, 'label' | 'help' | 'translations'> {
  const [label, hint] = [textOf(entry, 'label', languages), textOf(entry, 'hint', languages)];
  const asPiped = pipedFrom(earlier);
  const cutTo = (max: number) => (text: string) => cut(asPiped(text), max, { sheet: survey, row: entry.row, report });
  warnOfMissing(survey, entry.row, label, languages, report);
  const all = [label, hint].flatMap(({ own, translations }) => [own, ...Object.values(translations)]);
  if (all.some((text) => asPiped(text).includes('${')))
    report.warn(survey, entry.row, 'a reference to an answer in a text is shown as it is written');
  const translations = Object.fromEntries(
    [...languages.others.values()].flatMap((tag) => {
      const [text, help] = [label.translations[tag], hint.translations[tag]];
      return text === undefined && help === undefined
        ? []
        : [[tag, { ...(text && { label: cutTo(lengths.label)(text) }), ...(help && { help: cutTo(lengths.help)(help) }) }]];
    }),
  );
  return {
    label: cutTo(lengths.label)(label.own || name),
    ...(hint.own === '' ? {} : { help: cutTo(lengths.help)(hint.own) }),
    ...(Object.keys(translations).length === 0 ? {} : { translations }),
  };
}

/** Shows the answers to earlier questions where a text refers to them. Braces that are no reference stay as they are. */
function pipedFrom(earlier: Fields): (text: string) => string {
  return (text) => {
    let left = maxPipes;
    return escapedPipes(text).replaceAll(/\$\{\s*([^{}\s]{1,200})\s*\}/g, (written, name: string) => {
      const field = left > 0 ? earlier.get(name) : undefined;
      if (!field) return written;
      left -= 1;
      return `{{${field.key}}}`;
    });
  };
}

function cut(text: string, max: number, { sheet, row, report }: { sheet: string; row: number; report: Report }): string {
  const short = truncatePiped(text, max).trimEnd();
  if (short !== text) report.warn(sheet, row, `the text "${truncate(text, 40)}…" is cut to ${max} characters`);
  return short;
}

function requirementOf({ row, get }: Entry, earlier: Fields, report: Report): Pick<Field, 'required' | 'required_if'> {
  const written = get('required');
  if (written === '') return { required: false };
  const constant = constantIn(written);
  if (constant !== undefined) return { required: constant };
  const condition = readRelevant(written, earlier);
  if (condition) return { required: true, required_if: condition };
  report.warn(survey, row, 'the condition in "required" is not supported; the question is optional', 'requirement');
  return { required: false };
}

/** The check of an answer whose constraint no bounds can say; undefined if there is none, or it is another one than conditions can say. */
export function checkOf(entry: Entry, field: Field, earlier: Fields, { languages, report }: Reading): FormCheck | undefined {
  const constraint = entry.get('constraint');
  if (constraint === '' || constantIn(constraint) === true || readConstraint(constraint, field)) return undefined;
  const { row } = entry;
  const condition = refusedBy(constraint, field, earlier);
  if (!condition) {
    report.warn(survey, row, `the constraint "${constraint.slice(0, 100)}" is not supported; the question has none`, 'constraint');
    return undefined;
  }
  const text = textOf(entry, 'constraint_message', languages);
  if (someOf(text) === '') report.warn(survey, row, `has no constraint_message; people read "${notAllowed}"`);
  const place = { sheet: survey, row, report };
  const translations = Object.fromEntries(
    Object.entries(text.translations).map(([tag, message]) => [tag, { message: cut(message, lengths.refusal, place) }]),
  );
  return {
    ...{ type: 'check', if: condition, message: cut(someOf(text) || notAllowed, lengths.refusal, place), at: field.key },
    ...(Object.keys(translations).length === 0 ? {} : { translations }),
  };
}

const notAllowed = 'This answer is not allowed.';

/** A constraint has one message, whichever of its bounds an answer breaks. */
function withMessages(entry: Entry, { languages, report }: Reading, field: Field): Field {
  const [broken, missing] = [textOf(entry, 'constraint_message', languages), textOf(entry, 'required_message', languages)];
  const place = { sheet: survey, row: entry.row, report };
  const bounds = [
    ...(field.pattern === undefined ? [] : ['pattern']),
    ...([field.min, field.min_length, field.min_date, field.min_choices].every((bound) => bound === undefined) ? [] : ['min']),
    ...([field.max, field.max_length, field.max_date, field.max_choices].every((bound) => bound === undefined) ? [] : ['max']),
  ];
  const messagesFrom = (constraint = '', required = ''): Field['messages'] => {
    const texts = [
      ...(constraint === '' ? [] : bounds.map((kind) => [kind, cut(constraint, lengths.message, place)] as const)),
      ...(required === '' || !field.required ? [] : [['required', cut(required, lengths.message, place)] as const]),
    ];
    return texts.length === 0 ? undefined : Object.fromEntries(texts);
  };
  const messages = messagesFrom(someOf(broken), someOf(missing));
  if (!messages) return field;
  const translations = { ...field.translations };
  for (const tag of languages.others.values()) {
    const translated = messagesFrom(broken.translations[tag], missing.translations[tag]);
    if (translated) translations[tag] = { ...translations[tag], messages: translated };
  }
  return { ...field, messages, ...(Object.keys(translations).length === 0 ? {} : { translations }) };
}

/** The place of a question with options. */
interface Asked {
  entry: Entry;
  earlier: Fields;
  reading: Reading;
}

function withOptions(field: Field, choices: ChoiceList, asked: Asked): Field {
  const { row } = asked.entry;
  const { languages, report } = asked.reading;
  const place = { sheet: survey, row, report };
  // A ranking has none: nobody could say what its text is about.
  const hasOther = typeOf(asked.entry).hasOther && hasSetting(field, 'other');
  const offered = offeredOf(choices, asked);
  const options = offered.map(({ value, text, condition }) => ({
    value: cut(value, lengths.option, place),
    label: cut(text.own || value, lengths.option, place),
    // *Other* is for whoever finds nothing else, so it is always offered.
    ...(condition && !(hasOther && value === otherValue) ? { visible_if: condition } : {}),
  }));
  const other = hasOther ? otherTextOf(choices.get(otherValue)?.[0]?.text, languages) : undefined;
  const translations = { ...field.translations };
  for (const tag of new Set([...offered, ...(other ? [{ text: other }] : [])].flatMap(({ text }) => Object.keys(text.translations)))) {
    const labels = [...offered, ...(other ? [{ value: otherValue, text: other }] : [])].flatMap(({ value, text }) => {
      const label = text.translations[tag];
      return label === undefined ? [] : [[cut(value, lengths.option, place), cut(label, lengths.option, place)] as const];
    });
    translations[tag] = { ...translations[tag], options: Object.fromEntries(labels) };
  }
  return {
    ...field,
    options,
    ...asShown(asked.entry, field, report),
    ...(other ? { other: { label: cut(other.own, lengths.option, place) } } : {}),
    ...(Object.keys(translations).length === 0 ? {} : { translations }),
  };
}

/** An option of a question; without a condition, it is always offered. */
type Offer = Pick<Choice, 'value' | 'text'> & { condition?: Condition };

/** The options that a question offers, each value once, with the conditions that its `choice_filter` states. */
function offeredOf(choices: ChoiceList, asked: Asked): Offer[] {
  const { entry, earlier, reading } = asked;
  const filter = entry.get('choice_filter');
  if (filter === '') return onceEach(choices, () => true, asked);
  const offeredIf = readFilter(filter, earlier);
  const columns = [...columnsIn(filter)];
  const known = new Map<string, Condition | boolean | undefined>();
  const outcomes = new Map<Choice, Condition | boolean | undefined>();
  for (const choice of [...choices.values()].flat()) {
    const name = JSON.stringify(columns.map((column) => choice.column(column) ?? null));
    // A thousand options of a region have one condition.
    if (!known.has(name)) known.set(name, offeredIf?.(choice.column));
    outcomes.set(choice, known.get(name));
  }
  const found = [...outcomes.values()];
  const isOffered = found.some((outcome) => outcome !== false);
  if (!isOffered || found.includes(undefined)) {
    const fault = isOffered ? 'is not supported' : 'fits no option';
    reading.report.warn(
      survey,
      entry.row,
      `the choice_filter "${filter.slice(0, 100)}" ${fault}; the question offers all options of the list`,
      'condition',
    );
    return onceEach(choices, () => true, asked);
  }
  const never = found.filter((outcome) => outcome === false).length;
  if (never > 0) reading.report.warn(survey, entry.row, `the choice_filter never offers ${never} of the options; they are left out`);
  return onceEach(choices, (choice) => outcomes.get(choice) ?? false, asked);
}

/** One option for each value. Those of one value that are offered by turns have the labels of all, as an answer does not say which it was. */
function onceEach(choices: ChoiceList, outcomeOf: (choice: Choice) => Condition | boolean, { entry, reading }: Asked): Offer[] {
  const merged: Offer[] = [];
  const offers = [...choices].flatMap(([value, all]): Offer[] => {
    const same = all.filter((choice) => outcomeOf(choice) !== false);
    if (same.length === 0) return [];
    const always = same.find((choice) => outcomeOf(choice) === true);
    if (always) {
      warnOfSecond(
        all,
        same.filter((choice) => choice !== always),
        { sheet: sheetOf(typeOf(entry)), report: reading.report },
      );
      return [{ value, text: always.text }];
    }
    const conditions = same.map(outcomeOf).filter((outcome) => typeof outcome === 'object');
    const condition = joined('any', conditions);
    const offer = { value, text: textOfAll(same.map(({ text }) => text)), condition };
    if (new Set(same.map(({ text }) => text.own)).size > 1) merged.push(offer);
    return [offer];
  });
  const [example] = merged;
  if (example)
    reading.report.warn(
      survey,
      entry.row,
      `options of one value are one option here, and the answer does not say which it was: ${merged.length} of the question, such as "${truncate(example.text.own, 100)}"`,
    );
  return offers;
}

/** Lists whose second options of a value are named: once, however many questions have the list. */
const warnedOf = new WeakSet<readonly Choice[]>();

function warnOfSecond(all: readonly Choice[], others: readonly Choice[], { sheet, report }: { sheet: ChoiceSheet; report: Report }): void {
  if (warnedOf.has(all)) return;
  warnedOf.add(all);
  for (const { row, value } of others) report.warn(sheet, row, `the list has the option "${value.slice(0, 64)}" twice`);
}

function textOfAll(texts: readonly Text[]): Text {
  const [first] = texts;
  const together = (each: readonly string[]) => [...new Set(each.filter((text) => text !== ''))].join(' / ');
  const tags = new Set(texts.flatMap(({ translations }) => Object.keys(translations)));
  if (first && texts.length === 1) return first;
  return {
    own: together(texts.map(({ own }) => own)),
    translations: Object.fromEntries(
      [...tags].map((tag) => [tag, together(texts.map(({ own, translations }) => translations[tag] ?? own))]),
    ),
  };
}

function withDefault({ row, get }: Entry, field: Field, report: Report): Field {
  const written = get('default');
  if (written === '') return field;
  if (/[(${]/.test(written) || hasFiles(field)) {
    report.warn(survey, row, `the default "${written.slice(0, 100)}" is not supported; the question has none`);
    return field;
  }
  return { ...field, default: answerKindOf(field) === 'options' ? written.split(/\s+/) : valueFor(field, written) };
}
