import {
  answerKindOf,
  fieldTypes,
  hasSetting,
  isFile,
  truncate,
  type Field,
  type FieldType,
  type FormCheck,
  type FormElement,
} from '@sheaf/contracts';
import { brokenRow } from '@sheaf/workbook';
import { constantIn, readConstraint, readRelevant, refusedBy, valueFor, type Fields } from './expressions';
import { someOf, textOf, warnOfMissing, type Languages, type Text } from './languages';
import type { Report } from './report';
import type { Entry } from './table';

/** The context in which questions are read. */
export interface Reading {
  languages: Languages;
  /** The options of each list of the sheet `choices`. */
  lists: ReadonlyMap<string, readonly Choice[]>;
  report: Report;
}

export interface Choice {
  value: string;
  text: Text;
}

export const survey = 'survey';
/** The most options that a field can have. */
export const maxChoices = 1_000;
const lengths = { label: 500, help: 2_000, option: 200, message: 300, refusal: 500 };

/** The names that a type has in XLSForms; none if they have no such questions. */
const names: Readonly<Record<FieldType, readonly string[]>> = {
  short_text: ['text', 'string'],
  // A text with the appearance `multiline`.
  long_text: [],
  email: [],
  url: [],
  phone: [],
  number: ['decimal'],
  integer: ['integer', 'int'],
  rating: [],
  boolean: ['acknowledge', 'trigger'],
  date: ['date'],
  time: ['time'],
  datetime: ['datetime'],
  select: ['select_one'],
  multi_select: ['select_multiple'],
  file: ['file', 'image', 'photo', 'audio', 'video'],
  hidden: ['hidden'],
};

const types: ReadonlyMap<string, FieldType> = new Map(fieldTypes.flatMap((type) => names[type].map((name) => [name, type] as const)));

/** The files that some names of the type ask for. */
const accepted: ReadonlyMap<string, string> = new Map([
  ['image', 'image/*'],
  ['photo', 'image/*'],
  ['audio', 'audio/*'],
  ['video', 'video/*'],
]);

/** How older forms write the types. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/^(?:add )?select (?:all that apply|multiple)(?: prompt)?(?: from| using)? /i, 'select_multiple '],
  [/^(?:add )?(?:select one|select1)(?: prompt)?(?: from| using)? /i, 'select_one '],
  [/^(select_one|select_multiple) from /i, '$1 '],
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

/** The field of a row; undefined if forms have none of its type. `key` is its name as forms allow it. */
export function fieldOf(entry: Entry, key: string, reading: Reading, earlier: Fields): Field | undefined {
  const { type: written, list, hasOther } = typeOf(entry);
  const { report } = reading;
  const known = types.get(written);
  if (!known) {
    report.warn(survey, entry.row, `the type "${written.slice(0, 64)}" is not supported; the question is left out`);
    return undefined;
  }
  if (entry.get('name') === '') throw brokenRow(survey, entry.row, 'must have a name');
  if (hasOther) report.warn(survey, entry.row, 'or_other is not taken over; add an option and a question for it');
  const isHidden = written === 'hidden' || /\bhidden\b/i.test(entry.get('appearance'));
  if (entry.get('calculation') !== '')
    report.warn(
      survey,
      entry.row,
      `the calculation is not taken over; the question is answered by ${isHidden ? 'links and programs' : 'people'}`,
    );
  if (isHidden) return withDefault(entry, hiddenField(entry, key, reading), report);
  if (list.includes('${')) {
    report.warn(
      survey,
      entry.row,
      `the options "${list.slice(0, 64)}" are answers to another question, which is not supported; the question is left out`,
    );
    return undefined;
  }
  if (list !== '' && (reading.lists.get(list)?.length ?? 0) > maxChoices) {
    report.warn(
      survey,
      entry.row,
      `the list "${list.slice(0, 64)}" has more than ${maxChoices} options, the most that a question can have; the question is left out`,
    );
    return undefined;
  }
  const type = known === 'short_text' && /\bmultiline\b/.test(entry.get('appearance')) ? 'long_text' : known;
  const accept = accepted.get(written);
  const requirement = requirementOf(entry, earlier, report);
  const { required } = requirement;
  const field: Field = withMessages(entry, reading, {
    key,
    ...labelOf(entry, reading, key),
    type,
    ...requirement,
    ...(accept === undefined ? {} : { accept: [accept] }),
    ...(required && hasSetting({ type }, 'must_be_true') ? { must_be_true: true } : {}),
    ...readConstraint(entry.get('constraint'), { type }),
  });
  return withDefault(
    entry,
    hasSetting(field, 'options') ? withOptions(field, choicesIn(entry, list, reading), entry, report) : field,
    report,
  );
}

/** A field that is never shown, whatever its type: only programs and links answer it. */
export const hiddenField = (entry: Entry, key: string, reading: Reading): Field => ({
  key,
  ...labelOf(entry, reading, key),
  type: 'hidden',
  required: false,
});

/** The element of a note or a group. A group without a label takes the name. */
export const elementOf = (entry: Entry, type: FormElement['type'], reading: Reading): FormElement => ({
  type,
  ...labelOf(entry, reading, entry.get('name') || 'Group'),
});

function labelOf(entry: Entry, { languages, report }: Reading, name: string): Pick<FormElement, 'label' | 'help' | 'translations'> {
  const [label, hint] = [textOf(entry, 'label', languages), textOf(entry, 'hint', languages)];
  const cutTo = (max: number) => (text: string) => cut(text, max, { sheet: survey, row: entry.row, report });
  warnOfMissing(survey, entry.row, label, languages, report);
  if ([label.own, hint.own].some((text) => text.includes('${')))
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

function cut(text: string, max: number, { sheet, row, report }: { sheet: string; row: number; report: Report }): string {
  const short = truncate(text, max).trimEnd();
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
  report.warn(survey, row, 'the condition in "required" is not supported; the question is optional');
  return { required: false };
}

/** The check of an answer whose constraint no bounds can say; undefined if there is none, or it is another one than conditions can say. */
export function checkOf(entry: Entry, field: Field, earlier: Fields, { languages, report }: Reading): FormCheck | undefined {
  const constraint = entry.get('constraint');
  if (constraint === '' || readConstraint(constraint, field)) return undefined;
  const { row } = entry;
  const condition = refusedBy(constraint, field, earlier);
  if (!condition) {
    report.warn(survey, row, `the constraint "${constraint.slice(0, 100)}" is not supported; the question has none`);
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
    ...([field.min, field.min_length, field.min_date].every((bound) => bound === undefined) ? [] : ['min']),
    ...([field.max, field.max_length, field.max_date].every((bound) => bound === undefined) ? [] : ['max']),
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

function choicesIn({ row }: Entry, list: string, { lists }: Reading): readonly Choice[] {
  const choices = lists.get(list);
  if (!choices) throw brokenRow(survey, row, `the sheet choices has no list "${list.slice(0, 64)}"`);
  return choices;
}

function withOptions(field: Field, choices: readonly Choice[], { row, get }: Entry, report: Report): Field {
  if (get('choice_filter') !== '')
    report.warn(survey, row, 'the choice_filter is not supported; the question offers all options of the list');
  const place = { sheet: survey, row, report };
  const options = choices.map(({ value, text }) => ({
    value: cut(value, lengths.option, place),
    label: cut(text.own || value, lengths.option, place),
  }));
  const tags = [...new Set(choices.flatMap(({ text }) => Object.keys(text.translations)))];
  const translations = { ...field.translations };
  for (const tag of tags) {
    const labels = choices.flatMap(({ value, text }) => {
      const label = text.translations[tag];
      return label === undefined ? [] : [[cut(value, lengths.option, place), cut(label, lengths.option, place)] as const];
    });
    translations[tag] = { ...translations[tag], options: Object.fromEntries(labels) };
  }
  return { ...field, options, ...(Object.keys(translations).length === 0 ? {} : { translations }) };
}

function withDefault({ row, get }: Entry, field: Field, report: Report): Field {
  const written = get('default');
  if (written === '') return field;
  if (/[(${]/.test(written) || isFile(field)) {
    report.warn(survey, row, `the default "${written.slice(0, 100)}" is not supported; the question has none`);
    return field;
  }
  return { ...field, default: answerKindOf(field) === 'options' ? written.split(/\s+/) : valueFor(field, written) };
}
