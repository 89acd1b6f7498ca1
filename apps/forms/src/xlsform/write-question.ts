import {
  answerKindOf,
  boundsOf,
  countryNames,
  countryOptions,
  hasSetting,
  inEnglish,
  inFrench,
  inGerman,
  inSpanish,
  isComputed,
  isHidden,
  isNumeric,
  partLabel,
  fieldOfRow,
  isMatrix,
  partsOf,
  traitsOf,
  type Appearance,
  type Field,
  type FormCheck,
  type FormElement,
  type Part,
  type SubmissionWords,
  isSignature,
} from '@sheaf/contracts';
import type { Formula } from '@sheaf/formulas';
import { maxCellText } from '@sheaf/workbook';
import { accepted, usualName } from './questions';
import { maxLength } from './table';
import { optionNames, type Lists } from './write-choices';
import { constraintOf, hasWord, nameOfPart, plainNumber, quoted, xpathOf, type Names, type Written } from './write-expressions';
import { xpathOfFormula } from './write-formula';
import { hasFallback, textCells, textsOf, type Row, type WrittenLanguages } from './write-row';

/** The context in which rows are written. */
export interface Writing {
  languages: WrittenLanguages;
  lists: Lists;
  names: Names;
  formulas: ReadonlyMap<string, Formula>;
  /** Names something that XLSForms cannot say. */
  leaveOut: (of: { key: string } | { label: string }, what: string) => void;
}

type Question = Field & { options: NonNullable<Field['options']> };

/** Whether a boolean is a box to tick. If people have to say yes or no, it is a choice of the two. */
export const isTicked = (field: Field): boolean =>
  answerKindOf(field) === 'boolean' && !isComputed(field) && (!field.required || field.must_be_true === true);

/** A field as expressions and options name it. */
export function asWritten(field: Field): Written {
  const names = optionNames(field);
  return { field, isTicked: isTicked(field), nameOf: (value) => names.get(value) ?? value };
}

/** Whether people choose a number, from a range that the row has as such. */
const isScale = (field: Field): boolean => isNumeric(field) && traitsOf(field).given === 'chosen';

/** The settings that rows have, or that need none. */
const written: ReadonlySet<string> = new Set<keyof Field>([
  ...(['key', 'label', 'type', 'required', 'help', 'options', 'visible_if', 'required_if', 'default', 'messages', 'translations'] as const),
  ...(['min', 'max', 'min_length', 'max_length', 'min_date', 'max_date', 'min_choices', 'max_choices', 'pattern'] as const),
  ...(['must_be_true', 'accept', 'other', 'other_of', 'formula', 'shown', 'shuffle', 'only', 'preferred', 'parts'] as const),
]);

/** The rows of a question; if its answer has parts, a group with a question for each of them. */
export function questionRows(field: Field, checks: readonly FormCheck[], writing: Writing): Row[] {
  // Programs for such files have a question for a signature, too.
  const parts = isSignature(field) ? [] : partsOf(field);
  if (parts.length === 0) return [{ ...questionRow(field, checks, writing), ...relevantCells(field, writing) }];
  if (hasFallback(field)) writing.leaveOut(field, 'the words in place of a missing answer');
  for (const { message } of checks) writing.leaveOut(field, `the check "${message}"`);
  writing.leaveOut(field, `that its answer is one: it is asked by ${parts.length} questions, which are not compared with each other`);
  const needed = parts.filter(({ required }) => required);
  if (!field.required && needed.length > 0)
    writing.leaveOut(field, `that ${needed.map(({ name }) => name).join(', ')} must be given once another part is`);
  const group = {
    ...{ type: 'begin_group', name: field.key, appearance: isMatrix(field) ? 'table-list' : '' },
    ...textsOf(field, 'label', 'label', writing),
    ...textsOf(field, 'help', 'hint', writing),
    ...relevantCells(field, writing),
  };
  const labelled = ({ name, label }: Part, tag: string | undefined) => {
    const translated = tag === undefined ? undefined : field.translations?.[tag]?.rows?.[name];
    const text = partLabel({ name, label: translated ?? label }, (wordsIn(tag) ?? inEnglish).parts);
    return label === undefined ? `${text.charAt(0).toLocaleUpperCase(tag)}${text.slice(1)}` : text;
  };
  const rows = parts.map((part, index) => {
    const { translations = {}, help: _, ...alike } = isMatrix(field) ? fieldOfRow(field) : field;
    const asked: Field = {
      ...alike,
      type: isMatrix(field) ? alike.type : part.kind === 'text' ? 'short_text' : (part.kind as Field['type']),
      required: isMatrix(field) ? field.required : field.required && part.required,
      key: nameOfPart(field.key, part.name, writing.names),
      label: labelled(part, writing.languages.own),
      translations: Object.fromEntries(
        writing.languages.others.map((tag) => {
          const { help: __, ...texts } = translations[tag] ?? {};
          return [tag, { ...texts, label: labelled(part, tag) }];
        }),
      ),
    };
    const own = asWritten(asked);
    const names: Names = { get: (key) => (key === asked.key ? own : writing.names.get(key)) };
    // One row tells for all.
    return questionRow(asked, [], { ...writing, names, leaveOut: (_, what) => index === 0 && writing.leaveOut(field, what) });
  });
  return [group, ...rows, { type: 'end_group' }];
}

/** The row of a question, with the checks whose messages are shown at it. */
function questionRow(field: Field, checks: readonly FormCheck[], writing: Writing): Row {
  if (hasFallback(field)) writing.leaveOut(field, 'the words in place of a missing answer');
  for (const [part, value] of Object.entries(field))
    if (!written.has(part) && !(part === 'appearance' && hasSetting(field, 'options')) && !isUnsaid(part, value))
      writing.leaveOut(field, part);
  if (isComputed(field)) return calculationRow(field, writing);
  return {
    ...typeCells(field, writing),
    name: field.key,
    ...textsOf(field, 'label', 'label', writing),
    ...textsOf(field, 'help', 'hint', writing),
    ...requiredCells(field, writing),
    ...constraintCells(field, checks, writing),
    default: defaultOf(field, writing),
  };
}

/** Whether a file needs not say it: the usual, and what follows from a calculation. */
const isUnsaid = (part: string, value: unknown): boolean =>
  (part === 'trim' && value === true) || (part === 'format' && value !== 'currency' && value !== 'percent');

/** The answer is given by no person. One that people see is a question with an answer that they cannot change. */
function calculationRow(field: Field, writing: Writing): Row {
  const { names, formulas, leaveOut } = writing;
  const formula = formulas.get(field.key);
  const kind = answerKindOf(field);
  const shownAs = usualName(kind === 'number' || kind === 'date' ? kind : 'short_text');
  return {
    ...(isHidden(field) ? { type: 'calculate' } : { type: shownAs, read_only: 'yes' }),
    name: field.key,
    ...textsOf(field, 'label', 'label', writing),
    ...textsOf(field, 'help', 'hint', writing),
    calculation: formula ? fitting(xpathOfFormula(formula.tree, names), { of: field, part: 'the formula' }, leaveOut) : '',
  };
}

function typeCells(field: Field, writing: Writing): Row {
  const { type, accept } = field;
  if (isScale(field)) {
    const { min = 1, max = 5 } = boundsOf(field);
    return { type: 'range', parameters: `start=${min} end=${max} step=1`, appearance: 'rating' };
  }
  if (answerKindOf(field) === 'country') return choiceCells(countryChoice(field, writing.languages), writing);
  if (hasSetting(field, 'options')) return choiceCells(field as Question, writing);
  if (answerKindOf(field) === 'boolean' && !isTicked(field)) return { type: `select_one ${yesOrNo(field, writing)}` };
  if (isSignature(field)) {
    writing.leaveOut(field, 'that people may type their name in place of a drawing');
    return { type: 'image', appearance: 'signature' };
  }
  if (accept !== undefined) {
    const [name] = [...accepted].find(([, kind]) => accept.length === 1 && accept[0] === kind) ?? [];
    if (name === undefined) writing.leaveOut(field, `the types of files: ${accept.join(', ')}`);
    return { type: name ?? usualName(type) };
  }
  const name = usualName(type);
  if (name === 'text' && answerKindOf(field) !== 'text') writing.leaveOut(field, `the type ${type}: any text is accepted`);
  return { type: name, ...(traitsOf(field).isLong ? { appearance: 'multiline' } : {}) };
}

/** `or_other` asks for the text of *Other* too, but no program takes it together with a filter. */
const asksOther = ({ other, options }: Pick<Field, 'other' | 'options'>): boolean =>
  other !== undefined && options?.every(({ visible_if }) => visible_if === undefined) === true;

/** Whether the text of *Other* has no row, as that of its choice asks for it. */
export const isAskedWithChoice = (field: Field, names: Names): boolean => {
  const choice = field.other_of === undefined ? undefined : names.get(field.other_of);
  return choice !== undefined && asksOther(choice.field);
};

/** A choice of the countries by their names in each language of the file, as programs for such files know no countries. */
function countryChoice(field: Field, { own = 'en', others }: WrittenLanguages): Question {
  const translations = others.map(
    (tag) => [tag, { ...field.translations?.[tag], options: Object.fromEntries(countryNames(tag)) }] as const,
  );
  return { ...field, type: 'select', options: countryOptions(field, own), translations: Object.fromEntries(translations) };
}

/** The appearances of choices that have one in XLSForms; `full` is that of the XForms that these become. */
const looks: Readonly<Partial<Record<Appearance, string>>> = { list: 'full', dropdown: 'minimal', buttons: 'columns' };

function choiceCells(field: Question, { lists, names, leaveOut }: Writing): Row {
  const limited = field.options.filter(({ limit }) => limit !== undefined);
  if (limited.length > 0) leaveOut(field, `the places of ${limited.length} options`);
  const pictured = field.options.filter(({ image }) => image !== undefined);
  if (pictured.length > 0) leaveOut(field, `the pictures of ${pictured.length} options`);
  const renamed = field.options.filter(({ value }) => names.get(field.key)?.nameOf(value) !== value);
  for (const { value } of renamed)
    leaveOut(field, `the value "${value}", as it has a space: it is "${names.get(field.key)?.nameOf(value) ?? ''}"`);
  if (field.options.every(({ visible_if }) => visible_if !== undefined))
    leaveOut(field, 'that the question is hidden while none of its options is offered');
  const { list, filter } = lists.add(field, field.options, names);
  const kept = fitting(filter, { of: field, part: 'the conditions of its options' }, leaveOut);
  const appearance = field.appearance && looks[field.appearance];
  if (field.appearance !== undefined && appearance === undefined) leaveOut(field, 'appearance');
  return {
    type: `${usualName(field.type)} ${list}${asksOther(field) ? ' or_other' : ''}`,
    choice_filter: kept,
    appearance: appearance ?? '',
    parameters: field.shuffle ? 'randomize=true' : '',
  };
}

const words: Readonly<Record<string, Pick<SubmissionWords, 'yes' | 'no' | 'parts'>>> = {
  en: inEnglish,
  de: inGerman,
  es: inSpanish,
  fr: inFrench,
};

const wordsIn = (tag: string | undefined) => words[(tag ?? 'en').split('-', 1)[0] ?? ''];

function yesOrNo(field: Field, { lists, languages, names }: Writing): string {
  const own = wordsIn(languages.own) ?? inEnglish;
  const translations = Object.fromEntries(
    languages.others.flatMap((tag) => {
      const { yes, no } = wordsIn(tag) ?? {};
      return yes === undefined || no === undefined ? [] : [[tag, { options: { true: yes, false: no } }]];
    }),
  );
  const options = [
    { value: 'true', label: own.yes },
    { value: 'false', label: own.no },
  ];
  return lists.add({ ...field, translations }, options, names).list;
}

/** The expression, if a cell can have it. */
function fitting(expression: string, { of, part }: { of: Field | FormElement; part: string }, leaveOut: Writing['leaveOut']): string {
  if (expression.length > maxCellText) {
    leaveOut(of, `${part}: longer than a cell can be`);
    return '';
  }
  if (/\b(?:contains|starts-with)\(/.test(expression)) leaveOut(of, `that ${part} does not depend on case and accents`);
  if (expression.length > maxLength)
    leaveOut(of, `nothing, but ${part} has more than ${maxLength} characters, so that Sheaf would not read it again`);
  return expression;
}

/** When a row is shown. */
export function relevantCells(item: Field | FormElement, { names, leaveOut }: Writing): Row {
  if (!item.visible_if) return {};
  return { relevant: fitting(xpathOf(item.visible_if, names), { of: item, part: 'the condition under which it is shown' }, leaveOut) };
}

function requiredCells(field: Field, { languages, names, leaveOut }: Writing): Row {
  if (!field.required || isHidden(field)) return {};
  // People need not answer a question that was to be hidden from them.
  if (field.visible_if && xpathOf(field.visible_if, names).length > maxCellText) return {};
  const required = field.required_if
    ? fitting(xpathOf(field.required_if, names), { of: field, part: 'the condition under which it must be answered' }, leaveOut)
    : 'yes';
  const message = ({ messages }: Pick<Field, 'messages'> = {}) => messages?.required;
  return {
    required,
    ...(required === '' || message(field) === undefined
      ? {}
      : textCells('required_message', message(field), (tag) => message(field.translations?.[tag]), languages)),
  };
}

const bounded = ['pattern', 'min', 'max'] as const;

/** One constraint with one message has all bounds of an answer and all checks that are shown at it. */
function constraintCells(field: Field, checks: readonly FormCheck[], { languages, names, leaveOut }: Writing): Row {
  const bounds = boundsIn(field);
  const own = { ...names, own: field.key };
  const terms = [...bounds, ...checks.map((check) => constraintOf(check.if, own))];
  for (const check of checks)
    if (!check.if.all?.some(({ key, answered }) => key === field.key && answered === true))
      leaveOut(field, `the check "${check.message}" while the question has no answer`);
  const [only = '', ...others] = terms;
  const constraint = fitting(
    others.length === 0 ? only : terms.map((term) => (hasWord(term) ? `(${term})` : term)).join(' and '),
    { of: field, part: 'the bounds and checks' },
    leaveOut,
  );
  if (constraint === '') return {};
  const texts = ({ messages }: Pick<Field, 'messages'>) => bounded.flatMap((kind) => messages?.[kind] ?? []);
  const messages = [...new Set([...(bounds.length > 0 ? texts(field) : []), ...checks.map(({ message }) => message)])];
  const [message] = messages;
  for (const further of messages.slice(1)) leaveOut(field, `the message "${further}"`);
  if (message === undefined) return { constraint };
  const check = checks.find((each) => each.message === message);
  const translated = (tag: string) => {
    if (check) return check.translations?.[tag]?.message;
    const inLanguage = field.translations?.[tag];
    return inLanguage && texts(inLanguage)[0];
  };
  return { constraint, ...textCells('constraint_message', message, translated, languages) };
}

const dayAfter = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);

function boundsIn(field: Field): string[] {
  const { min, max, min_length: shortest, max_length: longest, min_date: from, max_date: to } = field;
  const { min_choices: fewest, max_choices: most, pattern } = field;
  const between = (value: string, low: string | undefined, high: string | undefined) =>
    low !== undefined && low === high
      ? [`${value} = ${low}`]
      : [...(low === undefined ? [] : [`${value} >= ${low}`]), ...(high === undefined ? [] : [`${value} <= ${high}`])];
  const number = (value: number | undefined) => (value === undefined ? undefined : plainNumber(value));
  const day = (value: string | undefined) => (value === undefined ? undefined : `date('${value}')`);
  const ordered = (low: string | undefined, high: string | undefined) => [
    ...(low === undefined ? [] : [`. >= ${low}`]),
    ...(high === undefined ? [] : [`. <= ${high}`]),
  ];
  const isMoment = answerKindOf(field) === 'datetime';
  return [
    ...(isScale(field) ? [] : ordered(number(min), number(max))),
    ...between('string-length(.)', number(shortest), number(longest)),
    ...ordered(day(from), isMoment ? undefined : day(to)),
    // The last day is one until its end.
    ...(isMoment && to !== undefined ? [`. < ${day(dayAfter(to))}`] : []),
    ...between('count-selected(.)', number(fewest), number(most)),
    ...(pattern === undefined ? [] : [`regex(., ${quoted(pattern)})`]),
  ];
}

function defaultOf(field: Field, { names }: Writing): string {
  const { default: given } = field;
  if (given === undefined) return '';
  const nameOf = (value: string) => names.get(field.key)?.nameOf(value) ?? value;
  if (Array.isArray(given)) return given.map(nameOf).join(' ');
  if (typeof given === 'boolean') return isTicked(field) ? (given ? 'OK' : '') : String(given);
  return typeof given === 'number' ? plainNumber(given) : nameOf(given);
}
