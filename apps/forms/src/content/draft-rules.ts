import {
  answerFormOf,
  answerKindOf,
  answerRules,
  canBePrefilled,
  boundsOf,
  canHaveDefault,
  cellsOf,
  comparisonFaults,
  conditionsOf,
  conditionBounds,
  countriesOf,
  DraftRequest,
  expectedOf,
  faultsOf,
  fieldsOfItem,
  hasPlaces,
  hasParts,
  hasSetting,
  partsOf,
  isField,
  isCheck,
  isEnding,
  isComparison,
  isComputed,
  isHidden,
  isMatrix,
  isRanked,
  isRepeat,
  maxCellsOfForm,
  maxChecks,
  maxChoicesWithPlaces,
  maxControlsOfRepeats,
  maxEndings,
  maxItems,
  maxListedForRankings,
  maxOffered,
  maxOptionsInItems,
  maxPicturesOfForm,
  maxRepeats,
  maxUniqueFields,
  normalAnswer,
  normalComparison,
  optionConditions,
  patternSize,
  patternSteps,
  picturesOf,
  pipeFaults,
  placesGiven,
  settings,
  withComparisons,
  withConditionsAs,
  withFieldsOfItems,
  withOthers,
  withoutOthers,
  type Comparison,
  type Condition,
  type Expected,
  type Field,
  type FormCheck,
  type FormEnding,
  type FormItem,
  type InnerField,
} from '@sheaf/contracts';
import { Problem, type AnswerFault } from '@sheaf/kernel';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { appearanceFaults, countryFaults, listedForRanks, matrixFaults, otherFaults, rankingFaults, ratingFaults } from './choice-rules';
import { refusal, type Fault } from './faults';
import { FormulaRules } from './formula-rules';
import { controlsOf, inItemFaults, repeatFaults } from './repeat-rules';

const Shape = DraftRequest.pick({ fields: true });

/**
 * Parses the fields of a stored draft from JSON, as the rules are now: white space trimmed, options written as objects, defaults and the values
 * of conditions as answers are kept.
 * @throws Problem `bad_request` that lists the faults, also in `details`: those of the shape or, if there are none, those between fields.
 */
export function readDraft(json: string): FormItem[] {
  const shaped = Shape.safeParse({ fields: parse(json) }, { reportInput: true });
  if (!shaped.success) throw refusal(faultsOf(shaped.error));

  return checkedItems(shaped.data.fields);
}

/** The stored form of items that have a valid shape. @throws Problem `bad_request` that lists the faults between fields. */
export function checkedItems(items: readonly FormItem[]): FormItem[] {
  const fields = withNormalValues(items);
  const faults = fieldFaults(fields, items);
  if (faults.length > 0) throw refusal(faults);
  return fields;
}

/** With the texts of *Other*, and defaults and the values of conditions as answers are kept. Otherwise a condition could ask for a text that no answer has. */
export function withNormalValues(items: readonly FormItem[]): FormItem[] {
  const earlier = new Map<string, Field>();
  return withOthers(items).map((item) => normalItem(item, earlier));
}

function normalItem<Item extends FormItem>(item: Item, earlier: Map<string, Field>): Item {
  const normal = withConditionsAs(item, (condition) => normalCondition(condition, earlier));
  if (!isField(normal)) return normal;
  const inItem = new Map(earlier);
  const fields = normal.fields?.map((field) => normalItem(field, inItem));
  if (!earlier.has(normal.key)) earlier.set(normal.key, normal);
  return {
    ...normal,
    ...(fields ? { fields } : {}),
    ...(normal.default === undefined ? {} : { default: normalAnswer(answerFormOf(normal), normal.default) as Field['default'] }),
  };
}

const normalCondition = (condition: Condition, earlier: ReadonlyMap<string, Field>): Condition =>
  withComparisons(condition, (comparison) => {
    const source = earlier.get(comparison.key);
    return source ? normalComparison(comparison, source) : comparison;
  });

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw Problem.badRequest('fields: must be JSON');
  }
}

/** The faults of what may be fields and elements, as authors write them: those of the shape or, if there are none, those between fields. */
export function itemFaults(items: readonly unknown[]): AnswerFault[] {
  const shaped = Shape.safeParse({ fields: items }, { reportInput: true });
  return shaped.success ? fieldFaults(withOthers(shaped.data.fields), shaped.data.fields) : faultsOf(shaped.error);
}

/**
 * The faults of fields and elements that have a valid shape; `key` is a path such as `fields.2.options`.
 * @param given the items without the texts of *Other* that were made for them, whose places people know
 */
export function fieldFaults(items: readonly FormItem[], given: readonly FormItem[] = withoutOthers(items)): AnswerFault[] {
  if (withFieldsOfItems(items).length > maxItems)
    return [{ key: 'fields', message: `must have at most ${maxItems} fields, with those of repeats and for the texts of "other"` }];
  const pictures = picturesOf(items).length;
  if (pictures > maxPicturesOfForm.number)
    return [{ key: 'fields', message: `must have options with at most ${maxPicturesOfForm.number} pictures, but have ${pictures}` }];
  const places = placesGiven(given);
  /** The fields that conditions, formulas and texts may name. In a repeat, those before it and in the same item. */
  const earlier = new Map<string, Field>();
  const keys = new Set<string>();
  const patterns = new PatternRules();
  const formulas = new FormulaRules(earlier);
  const conditions = new ConditionRules(earlier);
  const endings = new Set<string>();
  let checks = 0;
  let unique = 0;
  let countries = 0;
  let listed = 0;
  let cells = 0;
  let repeats = 0;
  let controls = 0;
  let optionsInItems = 0;
  /** @param times how often the item is drawn and checked: once for each item of the repeat that it is in */
  const faultsIn = (item: FormItem, times: number): Fault[] => {
    const inItem = isField(item) ? innerFaults(item) : [];
    const faults = [
      ...(isField(item) ? ownFaults(item, keys, { patterns, formulas, times }) : []),
      ...conditions.faults(item, times),
      ...pipeFaults(item, (key) => earlier.has(key) && earlier.get(key)?.type !== 'repeat'),
      ...inItem,
    ];
    if (isCheck(item)) faults.push(...checkFaults(item, earlier, (checks += 1)));
    if (isEnding(item)) faults.push(...endingFaults(item, endings));
    if (isField(item) && item.unique === true && (unique += 1) > maxUniqueFields)
      faults.push(['unique', `must be true for at most ${maxUniqueFields} fields of a form`]);
    const offered = isField(item) ? times * countriesIn(item) : 0;
    if (isField(item) && offered > 0 && (countries += offered) > maxOffered)
      faults.push([
        hasParts(item) ? 'parts' : 'only',
        `must leave the questions of a form together at most ${maxOffered} countries to choose from`,
      ]);
    if (isField(item) && isRanked(item) && (listed += times * listedForRanks(item)) > maxListedForRankings)
      faults.push(['ranks', `must leave the rankings of a form together at most ${maxListedForRankings} ranks times options`]);
    if (isField(item) && isMatrix(item) && (cells += cellsOf(item)) > maxCellsOfForm)
      faults.push(['rows', `must leave the matrices of a form together at most ${maxCellsOfForm} rows times columns`]);
    if (isField(item) && isRepeat(item) && (repeats += 1) > maxRepeats) faults.push(['type', `must be at most ${maxRepeats} times repeat`]);
    if (isField(item) && isRepeat(item) && (controls += controlsOf(item)) > maxControlsOfRepeats)
      faults.push([
        'max',
        `must leave the repeats of a form together at most ${maxControlsOfRepeats} fields times items, with their parts and ranks`,
      ]);
    if (isField(item)) {
      if (!earlier.has(item.key)) earlier.set(item.key, item);
      keys.add(item.key);
    }
    return faults;
  };
  const innerFaults = (repeat: Field): Fault[] => {
    const fields = fieldsOfItem(repeat);
    const times = boundsOf(repeat).max ?? 1;
    const placesOfItem = placesGiven(withoutOthers(fields));
    const optionsFaults = ({ options = [] }: Field): Fault[] =>
      options.length > 0 && (optionsInItems += times * options.length) > maxOptionsInItems
        ? [['options', `must leave the repeats of a form together at most ${maxOptionsInItems} options times items`]]
        : [];
    const faults = fields.flatMap((field, index) =>
      placed(
        [...inItemFaults(field), ...optionsFaults(field), ...faultsIn(field, times)],
        placesOfItem[index] ?? { place: index, isOtherText: false },
      ),
    );
    for (const { key } of fields) if (fields.includes(earlier.get(key) as InnerField)) earlier.delete(key);
    return faults;
  };
  return items.flatMap((item, index) =>
    placed(faultsIn(item, 1), places[index] ?? { place: index, isOtherText: false }).map(([key, message]) => ({ key, message })),
  );
}

/** The faults of a field by their paths. One of a text of *Other* is named where its choice has that. */
const placed = (faults: readonly Fault[], { place, isOtherText }: ReturnType<typeof placesGiven>[number]): Fault[] =>
  faults.map(([part, message]) =>
    isOtherText ? [`fields.${place}.other`, `needs a field for its text: ${part} ${message}`] : [`fields.${place}.${part}`, message],
  );

const ownFaults = (
  field: Field,
  keys: ReadonlySet<string>,
  { patterns, formulas, times }: { patterns: PatternRules; formulas: FormulaRules; times: number },
): Fault[] => [
  ...keyFaults(field, keys),
  ...optionFaults(field),
  ...typeFaults(field),
  ...boundFaults(field),
  ...appearanceFaults(field),
  ...countryFaults(field),
  ...ratingFaults(field),
  ...rankingFaults(field),
  ...matrixFaults(field),
  ...otherFaults(field),
  ...repeatFaults(field),
  ...formulas.faults(field, times),
  ...patternAndDefaultFaults(field, patterns),
  ...translationFaults(field),
];

function checkFaults({ at }: FormCheck, earlier: ReadonlyMap<string, Field>, number: number): Fault[] {
  if (number > maxChecks) return [['type', `must be at most ${maxChecks} times check`]];
  const field = earlier.get(at);
  if (!field) return [['at', 'must be the key of an earlier field']];
  return isHidden(field) ? [['at', `must be the key of a field that respondents see, but "${at}" is of type ${field.type}`]] : [];
}

function endingFaults({ name }: FormEnding, earlier: Set<string>): Fault[] {
  if (earlier.has(name)) return [['name', `must be unique; "${name}" is already used`]];
  earlier.add(name);
  return earlier.size > maxEndings ? [['type', `must be at most ${maxEndings} times ending`]] : [];
}

/** How many countries a question lists. */
const countriesIn = (field: Field): number =>
  answerKindOf(field) === 'country' || partsOf(field).some(({ kind }) => kind === 'country') ? countriesOf(field).length : 0;

/** A pattern that is no pattern matches nothing. */
function patternAndDefaultFaults(field: Field, patterns: PatternRules): Fault[] {
  const faults = patterns.faults(field);
  return faults.length > 0 ? faults : defaultFaults(field);
}

const keyFaults = ({ key }: Field, keys: ReadonlySet<string>): Fault[] =>
  keys.has(key) ? [['key', `must be unique; "${key}" is already used`]] : [];

function optionFaults(field: Field): Fault[] {
  const { type, options } = field;
  if (!hasSetting(field, 'options')) return options ? [['options', `is not allowed for the type ${type}`]] : [];
  if (!options) return [['options', `is required for the type ${type}`]];

  // Each option of an answer is counted.
  if (answerKindOf(field) === 'options' && options.length > maxChoicesWithPlaces && hasPlaces(field))
    return [['options', `must have at most ${maxChoicesWithPlaces} options if one has a limit`]];
  const seen = new Set<string>();
  return options.flatMap(({ value }, index): Fault[] => {
    if (seen.has(value)) return [[`options.${index}`, 'must have a value that no other option has']];
    seen.add(value);
    return [];
  });
}

/** Options and consent have rules of their own. */
const particular = settings.filter((setting) => setting !== 'options' && setting !== 'must_be_true');

function typeFaults(field: Field): Fault[] {
  const misplaced: string[] = particular.filter((setting) => field[setting] !== undefined && !hasSetting(field, setting));
  if (field.prefill === true && !canBePrefilled(field)) misplaced.push('prefill');
  if (field.default !== undefined && !canHaveDefault(field)) misplaced.push('default');
  // Respondents whose other answers require it could not enter it, and could not go on.
  if (field.required_if !== undefined && isNotGiven(field)) misplaced.push('required_if');
  // Respondents do not see the field, nor what is wrong with it.
  if (field.messages !== undefined && isNotGiven(field)) misplaced.push('messages');
  return misplaced.map((part) => [part, `is not allowed for the type ${field.type}`]);
}

/** Whether respondents neither give nor correct the answer. */
const isNotGiven = (field: Field): boolean => isHidden(field) || isComputed(field);

function boundFaults(field: Field): Fault[] {
  const { type, options, multiple } = field;
  const faults: Fault[] = [];
  for (const part of ['min', 'max'] as const) {
    if ((answerKindOf(field) === 'whole' || isRepeat(field)) && field[part] !== undefined && !Number.isInteger(field[part]))
      faults.push([part, `must be a whole number for the type ${type}`]);
  }
  if (field.must_be_true === true && !(hasSetting(field, 'must_be_true') && field.required))
    faults.push(['must_be_true', 'must be true only for a required field of type boolean']);
  // Without it, an earlier release would take the field for one that nobody has to answer.
  if (field.required_if !== undefined && !field.required) faults.push(['required_if', 'is allowed only with required: true']);
  if (field.max_files !== undefined && multiple !== true) faults.push(['max_files', 'is allowed only with multiple']);
  for (const part of ['min_choices', 'max_choices'] as const) {
    const choices = field[part];
    if (choices !== undefined && options && choices > options.length)
      faults.push([part, `must be at most ${options.length}, the number of options`]);
  }
  for (const [low, high] of [
    ['min', 'max'],
    ['min_length', 'max_length'],
    ['min_choices', 'max_choices'],
    ['min_date', 'max_date'],
  ] as const) {
    const [from, to] = [field[low], field[high]];
    if (from !== undefined && to !== undefined && from > to) faults.push([high, `must not be less than ${low}`]);
  }
  return faults;
}

/** A pattern is matched against a default of at most this length: one that is much longer would take seconds. */
const maxMatchedLength = 1_000;

/** A default is checked like an answer, because it is one unless the respondent changes it. */
function defaultFaults(field: Field): Fault[] {
  const { pattern } = field;
  const value = normalAnswer(answerFormOf(field), field.default);
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  // Consent has to be given of one's own accord.
  if (isEmpty || (field.must_be_true === true && value === false) || !canHaveDefault(field)) return [];
  const fault = answerRules(field)(value);
  if (fault) return [['default', fault.message]];
  const { always } = optionConditions(field) ?? {};
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (always && !chosen.every((each) => typeof each === 'string' && always.has(each)))
    return [['default', 'must have only options without a condition']];
  if (pattern === undefined || typeof value !== 'string') return [];
  if (value.length > maxMatchedLength) return [['default', `must have at most ${maxMatchedLength} characters beside a pattern`]];
  return matches(pattern, value) ? [] : [['default', 'does not have the required format']];
}

const translatedChoices = ['options', 'rows', 'columns'] as const;

const translationFaults = (field: Field): Fault[] =>
  translatedChoices.flatMap((part) => {
    const values = optionValues(field[part]);
    return Object.entries(field.translations ?? {}).flatMap(([language, { [part]: labels = {} }]) =>
      Object.keys(labels)
        .filter((value) => !values.has(value))
        .map((value): Fault => [`translations.${language}.${part}`, `must have only values of ${part}, not "${value.slice(0, 64)}"`]),
    );
  });

const optionValues = (options: readonly { value: string }[] | undefined): ReadonlySet<unknown> =>
  new Set(options?.map(({ value }) => value));

/**
 * RE2 matches in time proportional to the lengths of pattern and text, which is why it has no backreferences and no lookahead. The size of
 * a pattern is bounded, and computed from its text, because compiling `(?:a?){1000}` forty times would take a second.
 */
class PatternRules {
  private steps = 0;
  private readonly checked = new Map<string, Fault[]>();

  faults({ pattern }: Field): Fault[] {
    if (pattern === undefined) return [];
    const known = this.checked.get(pattern);
    if (known) return known;
    const size = patternSize(pattern);
    const faults = this.sizeFaults(size);
    if (faults.length === 0) {
      this.steps += size;
      faults.push(...syntaxFaults(pattern));
    }
    this.checked.set(pattern, faults);
    return faults;
  }

  private sizeFaults(size: number): Fault[] {
    const { perField, perForm } = patternSteps;
    if (size > perField) return [['pattern', `must have at most ${perField} steps once its repetitions are written out, but has ${size}`]];
    if (this.steps + size > perForm)
      return [
        ['pattern', `must leave the patterns of all fields together at most ${perForm} steps once their repetitions are written out`],
      ];
    return [];
  }
}

function syntaxFaults(pattern: string): Fault[] {
  try {
    const { perField } = patternSteps;
    // In case the compiled program is larger than the text suggests.
    return RE2JS.compile(pattern).programSize() <= 4 * perField
      ? []
      : [['pattern', `must have at most ${perField} steps once its repetitions are written out`]];
  } catch (error) {
    const reason = error instanceof RE2JSSyntaxException ? ` (${error.getDescription().replace(/: `.*$/s, '')})` : '';
    return [['pattern', `must be a regular expression in RE2 syntax${reason}`]];
  }
}

const matches = (pattern: string, text: string): boolean => RE2JS.compile(pattern).matches(text);

class ConditionRules {
  /** Of each field that conditions ask for, because hundreds of them may ask for one with a thousand options. */
  private readonly expected = new Map<Field, Expected>();
  /** The comparisons so far, and those of them that look into a text. */
  private terms = 0;
  private times = 1;
  private searches = 0;

  constructor(private readonly earlier: ReadonlyMap<string, Field>) {}

  /** @param times how often the conditions of the item are compared with the answers of a submission */
  faults(item: FormItem, times: number): Fault[] {
    this.times = times;
    const ofOptions = new Set<string>();
    return conditionsOf(item).flatMap(([part, condition]) => {
      if (!part.startsWith('options.')) return this.faultsIn(condition, part);
      // A hundred options may have the same one. It is compared once, and its faults are named once.
      const text = JSON.stringify(condition);
      if (ofOptions.has(text)) return [];
      ofOptions.add(text);
      return this.faultsIn(condition, part);
    });
  }

  private faultsIn(condition: Condition, path: string): Fault[] {
    if (isComparison(condition)) return this.comparisonFaults(condition, path);
    const { all = [], any = [], not } = condition;
    return [
      ...all.flatMap((each, at) => this.faultsIn(each, `${path}.all.${at}`)),
      ...any.flatMap((each, at) => this.faultsIn(each, `${path}.any.${at}`)),
      ...(not ? this.faultsIn(not, `${path}.not`) : []),
    ];
  }

  private comparisonFaults(comparison: Comparison, path: string): Fault[] {
    const { termsPerForm, searchesPerForm } = conditionBounds;
    this.terms += this.times;
    if (this.terms > termsPerForm) return [[path, `must leave the conditions of all fields together at most ${termsPerForm} comparisons`]];
    const source = this.earlier.get(comparison.key);
    if (!source) return [[`${path}.key`, 'must be the key of an earlier field']];

    const isSearch = searching.some((part) => comparison[part] !== undefined) && !hasSetting(source, 'options');
    if (isSearch) this.searches += this.times;
    if (isSearch && this.searches > searchesPerForm)
      return [[path, `must leave the conditions of all fields together at most ${searchesPerForm} of ${searching.join(', ')} on texts`]];
    const expected = this.expected.get(source) ?? expectedOf(source);
    this.expected.set(source, expected);
    const fieldOf = (key: string) => this.earlier.get(key);
    return comparisonFaults(comparison, source, { expected, fieldOf }).map(([part, message]) => [`${path}.${part}`, message]);
  }
}

const searching = ['contains', 'not_contains', 'starts_with'] as const;
