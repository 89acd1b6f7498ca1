import { isDeepStrictEqual } from 'node:util';
import {
  answerKindOf,
  boundsOf,
  cellIn,
  countriesOf,
  fieldsOf,
  hasSetting,
  hasFiles,
  isField,
  hasPartControls,
  hasParts,
  hasSeveralValues,
  isFile,
  isHidden,
  isMatrix,
  isRanked,
  isRepeat,
  isSignature,
  keysOnSteps,
  partsOf,
  traitsOf,
  wordedPipes,
  type AnswerKind,
  type Field,
  type FormItem,
} from '@sheaf/contracts';
import {
  fieldsWithItems,
  itemName,
  localItem,
  outerKey,
  questionsIn,
  wordsOf,
  type KeptFile,
  type QuestionsPage,
  type Read,
  type Values,
} from '@sheaf/form-view';
import { Problem } from '@sheaf/kernel';
import { readEntered, withoutValues, type Entered } from './entered';
import { authorLanguageOf, type Deps, type FormVisit } from './visit';

type Dropped = QuestionsPage['dropped'];

/** The values that were entered in an earlier version of the form, with all its fields. */
export interface Earlier {
  version: number;
  values: Values;
  files: ReadonlyMap<string, readonly KeptFile[]>;
}

/**
 * The answers that the form would have taken as it was and does not take as it is: to questions that are gone or hidden now, and options and
 * kinds of answers that are gone, and choices that are to be ranked now. They are named as they were. A page can be sent with any names and any version, so nothing else is shown:
 * it could be a text of somebody else. If the old version cannot be read now, keys stand for labels of questions that are gone, and of those whose parts cannot be told.
 * @returns these answers, what was entered without them, and whether all questions are still on the same pages
 */
export async function fallenAway(
  deps: Deps,
  visit: FormVisit,
  entered: Entered,
  earlier: Earlier,
): Promise<{ dropped: Dropped; entered: Entered; hasSamePages: boolean }> {
  const { form, language } = visit;
  const before = await deps.knownForms.itemsOf(form.id, earlier.version, visit.asked.call).catch((thrown: unknown) => Problem.from(thrown));
  if (before instanceof Problem) return { ...unread(visit, entered, earlier, before), hasSamePages: false };

  const fields = new Map(fieldsWithItems(fieldsOf(form.items), earlier.values).map((field) => [field.key, field]));
  const old = new Map(fieldsWithItems(fieldsOf(before), earlier.values).map((field) => [field.key, field]));
  // Answers that the form no longer offers would be refused, on a step that the respondent may not come to.
  const values = [...entered.values].map(([key, given]) => [key, offered(fields.get(key), given, old.get(key))] as const);
  const kept = {
    ...entered,
    values: new Map(values.filter(([, given]) => given.length > 0)),
    files: new Map([...entered.files].filter(([key]) => holdsFiles(fields.get(key), old.get(key)))),
  };
  const asks = new Set(questionsShown(form.items, readEntered(form, kept, language)).map(({ field }) => field.key));
  const asked = questionsShown(before, readEntered({ ...form, items: before }, earlier, language)).filter(({ field }) => !isHidden(field));

  const dropped = asked.flatMap((question) => {
    const { field: item } = question;
    // It has the number of its items, whose questions follow.
    if (isRepeat(item)) return [];
    const field = fields.get(item.key);
    const isAsked = field !== undefined && asks.has(item.key);
    const taken = isAsked && !isFile(field) ? offered(field, earlier.values.get(item.key) ?? [], item) : [];
    const lost = [
      ...(isAsked && holdsFiles(field, item) ? [] : (earlier.files.get(item.key) ?? []).map(({ name }) => name)),
      ...textsOf(visit, item, earlier, (value) => !taken.includes(value)),
    ];
    return lost.length === 0 ? [] : [{ label: labelOf(visit, question), value: lost.join(', ') }];
  });
  return { dropped, entered: kept, hasSamePages: isDeepStrictEqual(keysOnSteps(before), keysOnSteps(form.items)) };
}

interface Question {
  field: Field;
  /** The item that asks for it, of a repeat. */
  within?: { repeat: Field; at: number };
}

/** The questions that are shown, and those in items by the keys that they have there. */
const questionsShown = (items: readonly FormItem[], { shown, inItems }: Read): Question[] =>
  items.flatMap((item, index): Question[] => {
    if (!isField(item) || shown[index] !== true) return [];
    const repeated = (inItems.get(item.key) ?? []).flatMap((given, at) =>
      questionsIn(item, at).flatMap((field, place) => (given.shown[place] === true ? [{ field, within: { repeat: item, at } }] : [])),
    );
    return [{ field: item }, ...repeated];
  });

/** The label as text, after the name of its item: several items have the same question. */
function labelOf({ form, language }: FormVisit, { field, within }: Question): string {
  const textsIn = (item: Field) => localItem(item, language, authorLanguageOf(form));
  const item = within ? [itemName(textsIn(within.repeat), within.at, { language, words: wordsOf(language) })] : [];
  return [...item, wordedPipes(textsIn(field).label.text)].join(': ');
}

/** Whether the field takes the files that were added to the old one. Any file is no signature. */
const holdsFiles = (field: Field | undefined, old: Field | undefined): boolean =>
  field !== undefined && old !== undefined && hasFiles(field) && answerKindOf(field) === answerKindOf(old);

/** Those of these values, which were entered in the old field, that the controls of the field can hold. */
function offered(field: Field | undefined, values: readonly string[], old: Field | undefined): readonly string[] {
  // That of a repeat is the number of its items, which nobody has typed.
  if (field && old && isRepeat(field) !== isRepeat(old)) return [];
  // Choices are in the order of the form, which would be sent as one that their respondent chose.
  if (field && old && isRanked(field) && !isRanked(old)) return [];
  // The values of a matrix are its cells, which name their row and column, and are nothing that people have typed.
  if (field && old && isMatrix(old) && !isMatrix(field)) return [];
  // Another answer was not meant to sign anything.
  if (field && isSignature(field) && old && !isSignature(old)) return [];
  if (field && old && hasPartControls(field) && hasParts(old)) return inPlaces(field, values, old);
  const held = values.filter((value) => isOffered(field, value));
  if (field && isMatrix(field) && field.multiple !== true) return held.filter((value, at) => held.findIndex(isInRowOf(value)) === at);
  return field === undefined || hasSeveralValues(field) ? held : held.slice(0, 1);
}

/** A row that takes one column keeps the first of several. */
const isInRowOf =
  (value: string) =>
  (other: string): boolean =>
    cellIn(other)?.[0] === cellIn(value)?.[0];

/** The values of parts in the places that these have now. */
function inPlaces(field: Field, values: readonly string[], old: Field): readonly string[] {
  const before = partsOf(old).map(({ name }) => name);
  return partsOf(field).map(({ name }) => values[before.indexOf(name)] ?? '');
}

/** Whether a control of the field can hold the value. Texts can hold all, and are refused with a reason if they are wrong. */
const isOffered = (field: Field | undefined, value: string): boolean =>
  field === undefined ||
  (hasPartControls(field)
    ? isPart(field, value)
    : traitsOf(field).given !== 'chosen' || offers[answerKindOf(field)]?.(field, value) !== false);

/** A picker for a day shows nothing else. A part may be missing. */
const isPart = (field: Field, value: string): boolean =>
  value === '' || partsOf(field).some(({ kind }) => kind !== 'date' || /^\d{4}-\d\d-\d\d$/.test(value));

type Offer = (field: Field, value: string) => boolean;

const anOption: Offer = ({ options = [] }, value) => options.some((option) => option.value === value);

const offers: Readonly<Partial<Record<AnswerKind, Offer>>> = {
  country: (field, value) => countriesOf(field).includes(value),
  whole(field, value) {
    const { min = -Infinity, max = Infinity } = boundsOf(field);
    return /^-?\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
  },
  boolean: ({ must_be_true: mustBeTrue }, value) => value === 'true' || (value === 'false' && mustBeTrue !== true),
  option: anOption,
  options: anOption,
  matrix({ rows = [], columns = [] }, value) {
    const [row, column] = cellIn(value) ?? [];
    return rows.some((each) => each.value === row) && columns.some((each) => each.value === column);
  },
};

/** The answers to a field, as people read them: options by their labels. */
function textsOf({ form, language }: FormVisit, field: Field, { values }: Earlier, isLost: (value: string) => boolean): string[] {
  const { options } = localItem(field, language, authorLanguageOf(form));
  const lost = (values.get(field.key) ?? []).filter((value) => value !== '' && isLost(value));
  return lost.map((value) => options.find((option) => option.value === value)?.label.text ?? value);
}

/** Without the old version, nobody knows which of several parts a value was: a town must not become a postal code, nor a number of items an answer. */
function unread({ form }: FormVisit, entered: Entered, earlier: Earlier, { code }: Problem): { dropped: Dropped; entered: Entered } {
  const fields = fieldsWithItems(fieldsOf(form.items), earlier.values);
  const repeats = repeatsIn(earlier);
  // That a repeat has no items loses no answer.
  const isOfOtherType = (field: Field) => repeats.has(field.key) !== isRepeat(field) && earlier.values.get(field.key)?.[0] !== '0';
  const isUncertain = (field: Field) => hasSetting(field, 'parts') || isOfOtherType(field);
  const uncertain = new Set(fields.filter(isUncertain).map(({ key }) => key));
  const kept = withoutValues(entered, uncertain);
  if (code === 'not_found' || code === 'bad_request') return { dropped: [], entered: kept };
  const taken = new Set(fields.flatMap(({ key }) => (uncertain.has(key) ? [] : key)));
  return { dropped: byKey(earlier, taken), entered: kept };
}

/** The keys that were those of repeats: something was entered in their items. */
const repeatsIn = ({ values }: Earlier): ReadonlySet<string> =>
  new Set([...values.keys()].flatMap((key) => (outerKey(key) === key ? [] : outerKey(key))));

function byKey(earlier: Earlier, taken: ReadonlySet<string>): Dropped {
  const repeats = repeatsIn(earlier);
  const named = [...earlier.files].map(([key, kept]): [string, string[]] => [key, kept.map(({ name }) => name)]);
  return [...earlier.values, ...named].flatMap(([key, texts]) => {
    const value = texts.filter((text) => text !== '').join(', ');
    return taken.has(key) || repeats.has(key) || value === '' || !isKey.test(key) ? [] : [{ label: key, value }];
  });
}

/** The key of a question, or of one in an item. */
const isKey = /^[a-z][a-z0-9_]*(\[\d{1,2}\]\.[a-z][a-z0-9_]*)?$/;
