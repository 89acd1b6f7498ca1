import { boundsOf, fieldsOf, hasSetting, itemsIn } from '@sheaf/contracts';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { DateTime } from 'luxon';
import type { Deps } from '../deps';
import { countDays, countsOf, isComplete, valueCounts, type Day, type ValueCount } from './insights.queries';
import { summaryOf, type Scale, type Summary } from './ranges';
import { takenPlaces, type TakenPlaces } from '../exact/exact.queries';
import { ifNotFound, MissingVersion, type PublishedForm } from '../form/forms-view';
import { countedKeys, rankIn } from './counters';
import { countSpam } from '../submission/form-counts.queries';
import { noteMissing, saveVersion, unknownVersions } from './versions.queries';
import { visitsOfDays, type VisitCounts } from './visits.queries';

export interface InsightsRequest {
  formId: string;
  timezone: string;
  /** The first and the last day, in the time zone; by default the last 30 days until today. */
  from?: string | undefined;
  to?: string | undefined;
  /** The fields that are wanted; all if empty. */
  keys: readonly string[];
}

export interface FieldInsights {
  key: string;
  answered: number;
  options?: { value: string; submissions: number; first?: number; mean_rank?: number }[];
  numbers?: Summary;
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
  fields: FieldInsights[];
}

const noVisits: VisitCounts = { views: 0, starts: 0, completions: 0 };
const usualDays = 30;
const maxDays = 366;
/** The most counts of values in one response. */
const maxCounts = 10_000;
/** Versions that one request asks `forms` for. */
const maxVersions = 10;

/** Reads what is counted of a form's submissions. The background counts them; nothing here depends on how many there are. */
export async function getInsights(deps: Deps, asked: Asked<Client>, wanted: InsightsRequest, max = maxCounts): Promise<Insights> {
  const { db, forms, clock } = deps;
  const { formId, timezone } = wanted;
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  const days = daysBetween(wanted, DateTime.fromJSDate(clock.now(), { zone: timezone }));
  const keys = await keysOf(deps, asked, wanted);
  await learnVersions(deps, asked, formId);

  const latest = await latestOf(deps, asked, formId);
  // The places are those of the version whose rules hold.
  if (latest) await deps.exact.soonReady(latest, asked);
  const [complete, statuses, counted, visits, answered, values, spam, places] = await Promise.all([
    isComplete(db, formId),
    countsOf(db, formId, 's', ['']),
    countDays(db, formId, days),
    visitsOfDays(db, formId, days),
    countsOf(db, formId, 'a', keys),
    valueCounts(db, formId, keys, max + 1),
    countSpam(db, formId),
    takenPlaces(db, formId),
  ]);
  const scales = scalesOf(latest);
  return {
    isComplete: complete,
    submissions: statuses.reduce((sum, { submissions }) => sum + submissions, 0),
    spam,
    statuses: statuses.map(({ item, submissions }) => ({ status: item, submissions })),
    days: counted.map((day, n) => ({ ...noVisits, ...visits[n], ...day })),
    fields: fieldsWith(keys, { answered: new Map(answered.map(({ key, submissions }) => [key, submissions])), values, scales }, max).map(
      (field) => withPlaces(field, places),
    ),
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

/** A misspelled field would have no answers, and look as if nobody had answered it. */
async function keysOf({ forms }: Deps, { call }: Asked<Client>, { formId, keys }: InsightsRequest): Promise<string[]> {
  const known = await forms.fieldKeys(formId, call);
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw Problem.badRequest(`field: no version of the form has the field ${unknown.slice(0, 64)}`);
  return keys.length === 0 ? known : [...keys];
}

/** Asks for the fields of versions that no process had at hand when their submissions were counted; usually there are none. */
async function learnVersions({ db, forms, clock }: Deps, asked: Asked<Client>, formId: string): Promise<void> {
  const unknown = await unknownVersions(db, formId, maxVersions);
  await Promise.all(
    unknown.map(async (name) => {
      try {
        await saveVersion(db, name, countedKeys((await forms.versionNamed(name, asked)).fields));
      } catch (error) {
        if (!(error instanceof MissingVersion)) throw error;
        await noteMissing(db, name, clock.now());
      }
    }),
  );
}

/** Undefined if the form was never published. */
const latestOf = ({ forms }: Deps, asked: Asked<Client>, formId: string): Promise<PublishedForm | undefined> =>
  forms.published(formId, asked).catch(ifNotFound);

/** The scales of the ratings of the latest version. */
function scalesOf(latest: PublishedForm | undefined): Map<string, Scale> {
  const fields = latest ? fieldsOf(itemsIn(latest.fields.toString())) : [];
  return new Map(
    fields.flatMap((field) => {
      const { min, max } = boundsOf(field);
      const isRating = hasSetting(field, 'score') && min !== undefined && max !== undefined;
      return isRating ? [[field.key, { min, max, hasScore: field.score === 'nps' }] as const] : [];
    }),
  );
}

/** The counts of a form's fields, and what is known of its ratings. */
interface Counted {
  answered: ReadonlyMap<string, number>;
  values: readonly ValueCount[];
  scales: ReadonlyMap<string, Scale>;
}

function fieldsWith(keys: readonly string[], { answered, values, scales }: Counted, max: number): FieldInsights[] {
  const byKey = new Map<string, ValueCount[]>(keys.map((key) => [key, []]));
  for (const value of values) byKey.get(value.key)?.push(value);
  // The last one that was read may go on, and those after it were not read.
  const cutAt = values.length > max ? keys.indexOf(values.at(-1)?.key ?? '') : keys.length;
  return keys.map((key, n) => {
    const counts = n < cutAt ? (byKey.get(key) ?? []) : [];
    const options = optionsIn(counts);
    const numbers = counts
      .filter(({ kind }) => kind === 'n' || kind === 'w')
      .map(({ item, submissions }) => ({ range: item, submissions }));
    const summary = summaryOf(
      numbers,
      counts.every(({ kind }) => kind !== 'n'),
      scales.get(key),
    );
    return {
      key,
      answered: answered.get(key) ?? 0,
      ...(options.length > 0 ? { options } : {}),
      ...(summary ? { numbers: summary } : {}),
      isOmitted: n >= cutAt,
    };
  });
}

function withPlaces(field: FieldInsights, all: readonly TakenPlaces[]): FieldInsights {
  const places = all.flatMap(({ key, option, places: limit, taken }) =>
    key === field.key ? [{ value: option, places: limit, taken }] : [],
  );
  return places.length > 0 ? { ...field, places } : field;
}

type Chosen = NonNullable<FieldInsights['options']>[number];

/** The options that were chosen. A field that became a ranking has some of earlier versions, which count without a rank. */
function optionsIn(counts: readonly ValueCount[]): Chosen[] {
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
    .sort(mostFirst);
}

/** In a ranking of all options, each was chosen equally often. */
const mostFirst = (a: Chosen, b: Chosen): number =>
  b.submissions - a.submissions || (a.mean_rank ?? 0) - (b.mean_rank ?? 0) || (a.value < b.value ? -1 : 1);
