import { answerKindOf, boundsOf, fieldsOf, hasSetting, itemsIn } from '@sheaf/contracts';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Database } from '@sheaf/postgres';
import { DateTime } from 'luxon';
import type { Deps } from '../deps';
import { askedOf, sumOf } from './asked.queries';
import { countAgain, countDays, countsOf, isComplete, valueCounts, type Count, type Day, type ValueCount } from './insights.queries';
import type { CountedRange } from './counted-range';
import { summaryOf, type Scale, type Summary } from './ranges';
import { takenPlaces, type TakenPlaces } from '../exact/exact.queries';
import { ifNotFound, MissingVersion, UnreadableVersion, type LabelledForm, type PublishedForm } from '../form/forms-view';
import { countedKeys, isCountedByOption, rankIn } from './counters';
import { narrowedCounts, type NarrowedCounts, type Narrowing } from './narrowed.queries';
import { rowsIn, type RowCount } from './matrix-rows';
import { countSpam } from '../submission/form-counts.queries';
import { noteMissing, saveVersion, unknownVersions } from './versions.queries';
import { countedSteps } from './steps';
import { stepsOfDays } from './steps.queries';
import { visitsOfDays, type VisitCounts } from './visits.queries';

export interface InsightsRequest {
  formId: string;
  timezone: string;
  /** The first and the last day, in the time zone; by default the last 30 days until today. */
  from?: string | undefined;
  to?: string | undefined;
  /** The fields that are wanted; all if empty. */
  keys: readonly string[];
  /** Statuses and answers count submissions of these days only. */
  isPeriodOnly?: boolean | undefined;
  /** Only submissions with one of these statuses. */
  statuses?: readonly string[] | undefined;
  /** Only submissions that chose all of these options, each as `colour:red`. */
  chosen?: readonly string[] | undefined;
}

export interface FieldInsights {
  key: string;
  /** As the newest version with the field calls it; undefined from an earlier release of `forms`. */
  label: string | undefined;
  answered: number;
  /** Those who were asked; undefined as long as that cannot be told. */
  asked: number | undefined;
  options?: { value: string; label?: string | undefined; submissions: number; first?: number; mean_rank?: number }[];
  numbers?: Summary;
  /** Of a matrix. */
  rows?: RowCount[];
  /** Of its options with a limit. */
  places?: { value: string; places: number; taken: number }[];
  /** The counts of its answers did not fit into this response. */
  isOmitted: boolean;
}

export interface Insights {
  isComplete: boolean;
  submissions: number;
  /** Those that are held as spam now, which nothing else here counts. */
  spam: number;
  statuses: { status: string; submissions: number }[];
  days: ({ date: string; submissions: number } & VisitCounts)[];
  /** Of a form with several pages: how far respondents got in these days. */
  steps: { kind: 'page' | 'check'; label?: string | undefined; reached: number; went_on: number }[];
  fields: FieldInsights[];
  /** Of statuses and answers, and with a condition of days too; undefined if they are of all submissions. */
  narrowed?: Pick<NarrowedCounts, 'submissions' | 'examined' | 'isCut'>;
}

const noVisits: VisitCounts = { views: 0, starts: 0, completions: 0 };
const usualDays = 30;
const maxDays = 3_660;
/** The most counts of values in one response. */
const maxCounts = 10_000;
/** Versions that one request asks `forms` for. */
const maxVersions = 10;
/** The newest submissions that a request with conditions examines. */
const maxExamined = 20_000;

/** How much one request counts. */
const bounds = { counts: maxCounts, examined: maxExamined };

/**
 * Reads what is counted of a form's submissions. The background counts them; nothing here depends on how many there are, except for requests with
 * conditions, which have a bound.
 */
export async function getInsights(
  deps: Deps,
  asked: Asked<Client>,
  wanted: InsightsRequest,
  { counts: max, examined }: typeof bounds = bounds,
): Promise<Insights> {
  const { db, forms, clock } = deps;
  const { formId, timezone } = wanted;
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  const days = daysBetween(wanted, DateTime.fromJSDate(clock.now(), { zone: timezone }));
  const { labels, ...known } = await forms.fieldLabels(formId, asked.call);
  const keys = keysOf(known, wanted);
  const narrowing = narrowingOf({ labels, ...known }, wanted, days);
  const areAllKnown = await learnVersions(deps, asked, formId);

  const latest = await latestOf(deps, asked, formId);
  // The places are those of the version whose rules hold.
  if (latest) await deps.exact.soonReady(latest, asked);
  const [complete, counted, ofDays, visits, steps, kept, spam, places, narrowed] = await Promise.all([
    isComplete(db, formId),
    countsOf(db, formId, ['s', 'v'], ['']),
    countDays(db, formId, days),
    visitsOfDays(db, formId, days),
    latest ? stepsIn(deps, latest, days) : [],
    narrowing ? undefined : keptCounts(db, formId, keys, max + 1),
    countSpam(db, formId),
    takenPlaces(db, formId),
    narrowing && narrowedCounts(db, formId, narrowing, { keys, max: max + 1, examine: examined }),
  ]);
  const all = { statuses: ofKind(counted, 's'), versions: ofKind(counted, 'v') };
  const { statuses, answered, values, digits, ...asking } = narrowed ?? {
    answered: [],
    values: [],
    digits: [],
    hidden: [],
    ...all,
    ...kept,
  };
  const askedCounts = await askedOf(db, { formId, keys, submissions: sumOf(statuses), ...asking });
  // The counts that were read may be older than those that the database has now.
  const isBegun = complete && areAllKnown && sumOf(all.versions) < sumOf(all.statuses) && (await countAgain(db, formId, clock.now()));
  const areExact = sumOf(asking.versions) === sumOf(statuses);
  const daily = narrowed && narrowing && hasConditions(narrowing) ? daysWith(narrowed, days) : ofDays;
  const scales = scalesOf(latest);
  return {
    isComplete: complete && !isBegun,
    submissions: sumOf(all.statuses),
    spam,
    statuses: statuses.map(({ item, submissions }) => ({ status: item, submissions })),
    days: daily.map((day, n) => ({ ...noVisits, ...visits[n], ...day })),
    steps,
    fields: fieldsWith(
      keys,
      {
        answered: new Map(answered.map(({ key, submissions }) => [key, submissions])),
        asked: askedCounts,
        values,
        digits: areExact ? digits : undefined,
        scales,
        labels,
      },
      max,
    ).map((field) => withPlaces(field, places)),
    ...(narrowed && { narrowed: { submissions: narrowed.submissions, examined: narrowed.examined, isCut: narrowed.isCut } }),
  };
}

/** @throws Problem `bad_request` that names the parameter */
function daysBetween({ from, to, timezone: zone }: InsightsRequest, now: DateTime): Day[] {
  const startOf = (date: string) => DateTime.fromISO(date, { zone }).startOf('day');
  const last = to === undefined ? undefined : startOf(to);
  const first = from === undefined ? (last ?? now.startOf('day')).minus({ days: usualDays - 1 }) : startOf(from);
  const end = last ?? DateTime.max(first, now.startOf('day'));
  const count = Math.round(end.diff(first, 'days').days) + 1;
  if (count < 1) throw Problem.badRequest('to: must not be before from');
  if (count > maxDays) throw Problem.badRequest(`from: must be at most ${maxDays - 1} days before to`);
  const starts = Array.from({ length: count + 1 }, (_, n) => first.plus({ days: n }).startOf('day'));
  const quarters = starts.map((start) => Math.floor(start.toSeconds() / 900));
  return quarters.slice(1).map((end, n) => ({ date: starts[n]?.toISODate() ?? '', start: quarters[n] ?? end, end }));
}

/** The steps of the latest version, with the counts of all versions that have the same questions on the same pages. */
async function stepsIn({ db, files: { log } }: Deps, form: PublishedForm, days: readonly Day[]): Promise<Insights['steps']> {
  const steps = countedSteps(form);
  if (steps.length === 0) return [];
  const counts = await stepsOfDays(db, { id: form.id, outline: form.outline.name, steps: steps.length }, days).catch((error: unknown) => {
    // Everything else can be told without them.
    log.warn({ err: error, formId: form.id }, 'reading how far respondents got failed');
    return undefined;
  });
  if (!counts) return [];
  return steps.map((step, at) => {
    const { reached = 0, wentOn = 0 } = counts.get(at) ?? {};
    return { ...step, reached, went_on: wentOn };
  });
}

/** A misspelled field would have no answers, and look as if nobody had answered it. */
function keysOf({ keys: known }: Pick<LabelledForm, 'keys'>, { keys }: InsightsRequest): string[] {
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw Problem.badRequest(`field: no version of the form has the field ${unknown.slice(0, 64)}`);
  return keys.length === 0 ? known : [...keys];
}

/** Undefined if all submissions are counted. @throws Problem `bad_request` that names the parameter */
function narrowingOf(
  { keys, labels }: Pick<LabelledForm, 'keys' | 'labels'>,
  { isPeriodOnly = false, statuses = [], chosen = [] }: InsightsRequest,
  days: readonly Day[],
): Narrowing | undefined {
  const options = chosen.map((answer) => {
    const [key = '', ...value] = answer.split(':');
    if (!keys.includes(key)) throw Problem.badRequest(`answer: no version of the form has the field ${key.slice(0, 64)}`);
    const kind = labels.get(key)?.kind;
    if (kind !== undefined && !isCountedByOption(kind)) throw Problem.badRequest(`answer: the field ${key} has no options to choose`);
    return { key, value: value.join(':') };
  });
  const [first, last] = [days[0], days.at(-1)];
  const period = isPeriodOnly && first && last ? { start: first.start, end: last.end } : undefined;
  return period || statuses.length > 0 || options.length > 0 ? { period, statuses, chosen: options } : undefined;
}

const hasConditions = ({ statuses, chosen }: Narrowing): boolean => statuses.length > 0 || chosen.length > 0;

/** Of those that meet the conditions. Each quarter is looked at once, however many days there are. */
function daysWith({ quarters }: NarrowedCounts, days: readonly Day[]): { date: string; submissions: number }[] {
  const sorted = quarters.toSorted((a, b) => a.quarter - b.quarter);
  const first = days[0]?.start ?? 0;
  let at = sorted.findIndex(({ quarter }) => quarter >= first);
  return days.map(({ date, end }) => {
    let submissions = 0;
    for (let next = sorted[at]; next !== undefined && next.quarter < end; next = sorted[++at]) submissions += next.submissions;
    return { date, submissions };
  });
}

/** The counts of all submissions, which the background keeps. */
async function keptCounts(
  db: Database,
  formId: string,
  keys: readonly string[],
  max: number,
): Promise<Pick<NarrowedCounts, 'answered' | 'hidden' | 'digits' | 'values'>> {
  const [counts, values] = await Promise.all([countsOf(db, formId, ['a', 'h', 'd'], keys), valueCounts(db, formId, keys, max)]);
  return { answered: ofKind(counts, 'a'), hidden: ofKind(counts, 'h'), digits: ofKind(counts, 'd'), values };
}

const ofKind = <Kind>(counts: readonly (Count & { kind: Kind })[], kind: Kind): Count[] => counts.filter((count) => count.kind === kind);

/**
 * Asks for the fields of versions that no process had at hand when their submissions were counted; usually there are none.
 * @returns whether there are no more of them
 */
async function learnVersions({ db, forms, clock }: Deps, asked: Asked<Client>, formId: string): Promise<boolean> {
  const unknown = await unknownVersions(db, formId, maxVersions);
  await Promise.all(
    unknown.map(async (name) => {
      try {
        await saveVersion(db, name, countedKeys(await forms.fieldsOf(name, asked)));
      } catch (error) {
        if (!(error instanceof MissingVersion)) throw error;
        await noteMissing(db, name, clock.now());
      }
    }),
  );
  return unknown.length < maxVersions;
}

/** Undefined if the form was never published, or a later release has made its latest version: then its scales and places are not known. */
const latestOf = ({ forms }: Deps, asked: Asked<Client>, formId: string): Promise<PublishedForm | undefined> =>
  forms.published(formId, asked).catch((error: unknown) => (error instanceof UnreadableVersion ? undefined : ifNotFound(error)));

/** A whole number with more steps between its bounds is shown in the ranges of its answers. */
const maxSteps = 100;

/** The scales of the ratings of the latest version, and of its whole numbers that have both bounds. */
function scalesOf(latest: PublishedForm | undefined): Map<string, Scale> {
  const fields = latest ? fieldsOf(itemsIn(latest.fields.toString())) : [];
  return new Map(
    fields.flatMap((field) => {
      const { min, max } = boundsOf(field);
      if (min === undefined || max === undefined) return [];
      if (hasSetting(field, 'score')) return [[field.key, { min, max, hasScore: field.score === 'nps' }] as const];
      return answerKindOf(field) === 'whole' && max - min <= maxSteps ? [[field.key, { min, max, hasScore: false }] as const] : [];
    }),
  );
}

/** The counts of a form's fields, and what is known of its ratings. */
interface Counted {
  answered: ReadonlyMap<string, number>;
  asked: ReadonlyMap<string, number> | undefined;
  values: readonly ValueCount[];
  /** Those of numbers that their ranges leave out; undefined if not all are counted, which an earlier release did not. */
  digits: readonly Count[] | undefined;
  scales: ReadonlyMap<string, Scale>;
  labels: LabelledForm['labels'];
}

function fieldsWith(keys: readonly string[], { answered, asked, values, digits, scales, labels }: Counted, max: number): FieldInsights[] {
  const byKey = new Map<string, ValueCount[]>(keys.map((key) => [key, []]));
  for (const value of values) byKey.get(value.key)?.push(value);
  const digitsOf = new Map<string, Count[]>(keys.map((key) => [key, []]));
  for (const digit of digits ?? []) digitsOf.get(digit.key)?.push(digit);
  // The last one that was read may go on, and those after it were not read.
  const cutAt = values.length > max ? keys.indexOf(values.at(-1)?.key ?? '') : keys.length;
  return keys.map((key, n) => {
    const counts = n < cutAt ? (byKey.get(key) ?? []) : [];
    const summary = summaryOf(
      rangesIn(counts, 'n', 'w'),
      counts.every(({ kind }) => kind !== 'n'),
      { scale: scales.get(key), digits: digits && rangesOf(digitsOf.get(key) ?? []) },
    );
    const named = labels.get(key);
    const rows = rowsIn(counts, named);
    const options = optionsIn(counts, named?.options).map((option) => ({ ...option, label: named?.options.get(option.value) }));
    return {
      key,
      label: named?.label,
      answered: answered.get(key) ?? 0,
      // An answer may have been counted since.
      asked: asked && Math.max(asked.get(key) ?? 0, answered.get(key) ?? 0),
      ...(options.length > 0 ? { options } : {}),
      ...(summary ? { numbers: summary } : {}),
      ...(rows.length > 0 ? { rows } : {}),
      isOmitted: n >= cutAt,
    };
  });
}

const rangesIn = (counts: readonly ValueCount[], ...kinds: ValueCount['kind'][]): CountedRange[] =>
  rangesOf(counts.filter(({ kind }) => kinds.includes(kind)));

const rangesOf = (counts: readonly Count[]): CountedRange[] => counts.map(({ item, submissions }) => ({ range: item, submissions }));

function withPlaces(field: FieldInsights, all: readonly TakenPlaces[]): FieldInsights {
  const places = all.flatMap(({ key, option, places: limit, taken }) =>
    key === field.key ? [{ value: option, places: limit, taken }] : [],
  );
  return places.length > 0 ? { ...field, places } : field;
}

type Chosen = NonNullable<FieldInsights['options']>[number];

/**
 * The options that were chosen. A field that became a ranking has some of earlier versions, which count without a rank.
 * @param labels in the order of the form
 */
function optionsIn(counts: readonly ValueCount[], labels: ReadonlyMap<string, string> = new Map()): Chosen[] {
  const chosen = new Map<string, { submissions: number; ranked: number; first: number; sum: number }>();
  for (const { kind, item, submissions } of counts) {
    if (kind !== 'o' && kind !== 'r') continue;
    const { rank, value } = kind === 'r' ? rankIn(item) : { rank: 0, value: item };
    const known = chosen.get(value) ?? { submissions: 0, ranked: 0, first: 0, sum: 0 };
    chosen.set(value, {
      submissions: known.submissions + submissions,
      ranked: known.ranked + (rank > 0 ? submissions : 0),
      first: known.first + (rank === 1 ? submissions : 0),
      sum: known.sum + rank * submissions,
    });
  }
  return [...chosen]
    .map(([value, { submissions, ranked, first, sum }]) => ({
      value,
      submissions,
      ...(ranked > 0 ? { first, mean_rank: Math.round((100 * sum) / ranked) / 100 } : {}),
    }))
    .sort(mostFirst([...labels.keys()]));
}

/** Of those that were chosen equally often, as all of a ranking may be: the best first, and then in the order of the form, which may lack some. */
function mostFirst(order: readonly string[]): (a: Chosen, b: Chosen) => number {
  const places = new Map(order.map((value, place) => [value, place]));
  const placeOf = ({ value }: Chosen) => places.get(value) ?? places.size;
  return (a, b) =>
    b.submissions - a.submissions || (a.mean_rank ?? 0) - (b.mean_rank ?? 0) || placeOf(a) - placeOf(b) || (a.value < b.value ? -1 : 1);
}
