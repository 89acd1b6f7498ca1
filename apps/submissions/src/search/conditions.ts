import { isFilterFact, readReference, type AnswerFilter } from '@sheaf/contracts';
import { Problem, type Client } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { calendarOn, dayOf } from './calendar';
import { areasOf, needsIndex, parameterOf, readConditions, type Filter, type Known } from './filter';
import { filesSought, kindsSought } from './kinds-sought';
import { idsIn } from './named.queries';
import { indexStateOf } from './reindex.queries';

/** The conditions of a search. */
export interface Conditions {
  formId: string;
  q?: string | undefined;
  filters: readonly AnswerFilter[];
  statuses: readonly string[] | undefined;
  assignee?: string | undefined;
  /** ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
  changedSince?: string | undefined;
  /** The day from which days relative to it are counted, such as `2026-03-31`; the present one unless given. */
  today?: string | undefined;
}

/**
 * Whether the index has every submission of the form; undefined if nothing is sought that only the index finds.
 * @throws Problem `bad_request` that names the parameter if the form is not searchable
 */
export async function askIndex(
  db: Database,
  { formId, q, filters }: Conditions,
  { ids }: Pick<Filter, 'ids'>,
  sortKey?: string,
): Promise<boolean | undefined> {
  const filter = filters.find(needsIndex);
  const parameter = q !== undefined && ids === undefined ? 'q' : filter ? parameterOf(filter) : sortKey !== undefined ? 'sort' : undefined;
  if (parameter === undefined) return undefined;
  const { isSearchable, isComplete } = await indexStateOf(db, formId);
  if (!isSearchable) throw Problem.badRequest(`${parameter}: searching is switched off for this form`);
  return isComplete;
}

/** @throws Problem `bad_request` that names the parameter */
export async function filterFor(
  deps: Pick<Deps, 'db' | 'forms' | 'clock'>,
  asked: Asked<Client>,
  { formId, q, filters, statuses, assignee, from, to, changedSince, today }: Conditions,
  sortKey?: string,
): Promise<Filter> {
  const { db, forms } = deps;
  const answers = filters.filter(({ key }) => !isFilterFact(key));
  const keys = [...answers.map(({ key }) => key), ...(sortKey === undefined ? [] : [sortKey])];
  refuseUnknownFields(await forms.unknownKeys(formId, keys, asked), answers, sortKey);
  const reference = q === undefined ? undefined : readReference(q);
  const named = reference === undefined ? [] : await idsIn(db, { formId, areas: areasOf(filters) }, reference);
  const isNamed = named.length > 0;
  const known = await knownFor(deps, asked, { formId, filters, today });
  const labels = q === undefined || isNamed ? [] : await forms.optionLabels(formId, asked);
  const { span, ...conditions } = readConditions(isNamed ? undefined : q, filters, { ...known, labels });
  return {
    formId,
    statuses,
    assignee,
    from: later(timeOf(from), span && timeOf(span.from)),
    to: earlier(timeOf(to), span && timeOf(span.to)),
    changedSince: timeOf(changedSince),
    ...conditions,
    ...(isNamed && { ids: named }),
  };
}

/** The facts of the form on which conditions on parts, orders, days and files depend. Others ask `forms` nothing. */
async function knownFor(
  deps: Pick<Deps, 'forms' | 'clock'>,
  asked: Asked<Client>,
  { formId, filters, today }: Pick<Conditions, 'formId' | 'filters' | 'today'>,
): Promise<Known> {
  const { forms } = deps;
  const kinds = await kindsSought((key) => forms.orderOf(formId, key, asked), filters);
  return {
    kinds,
    ...(filters.some(({ key }) => key === '_files') && { fileKeys: filesSought(await forms.fileFields(formId, asked), filters) }),
    ...(hasRelativeDays(filters) && {
      calendar: calendarOn(today ?? (await todayOf(deps, asked, formId)), await forms.timezoneOf(formId, asked)),
    }),
  };
}

export const hasRelativeDays = (filters: readonly AnswerFilter[]): boolean => filters.some(({ comparison }) => comparison === 'within');

/** The day that it is in the time zone of the form. */
export const todayOf = async ({ forms, clock }: Pick<Deps, 'forms' | 'clock'>, asked: Asked<Client>, formId: string): Promise<string> =>
  dayOf(clock.now(), await forms.timezoneOf(formId, asked));

/** Times as PostgreSQL reads them are in the order of their texts, also with those before and after all others. */
const later = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;
const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

const [firstYear, afterLastYear] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('+010000-01-01T00:00:00Z')];

/** A time as PostgreSQL reads it, which has no year 0 and refuses offsets of 16 hours and endless fractions. It counts microseconds. */
export function timeOf(text: string): string;
export function timeOf(text: string | undefined): string | undefined;
export function timeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  const at = new Date(text.replace(/\.\d+/, ''));
  if (at.getTime() < firstYear) return '-infinity';
  if (at.getTime() >= afterLastYear) return 'infinity';
  return `${at.toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/** A misspelled field would find nothing, and look as if there were nothing. */
function refuseUnknownFields(unknownKeys: readonly string[], filters: readonly AnswerFilter[], sortKey: string | undefined): void {
  const unknown = filters.find(({ key }) => unknownKeys.includes(key));
  if (unknown) throw Problem.badRequest(`filter[${unknown.key.slice(0, 64)}]: no version of the form has this field`);
  if (sortKey !== undefined && unknownKeys.includes(sortKey))
    throw Problem.badRequest(`sort: no version of the form has the field ${sortKey.slice(0, 64)}`);
}
