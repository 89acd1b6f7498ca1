import { countryNames, keyOfColumn, unfitWish, type ExportColumn, type FileWishes } from '@sheaf/contracts';
import { Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import type { FieldLabels, LabelledForm } from '../form/forms-view';
import type { Conditions } from '../search/conditions';
import type { Filter } from '../search/filter';
import { filterOfAll } from '../search/find-all';
import { mostOf, needsOf } from '../search/needs';
import { answeredKeys } from '../submission/form-counts.queries';
import { Zone } from './dated';
import { itemTables, type ItemsTable } from './items';
import { partsIn, tableOf, type Reader, type Table } from './table';
import { exportWords } from './words';
import { maxColumns } from './xlsx';

/** The file that somebody wants. */
export interface Wanted extends Conditions, FileWishes {
  /** Labels of fields and options in place of keys and values. */
  labels: boolean;
  /** The language of the people who will read the file; absent for programs. */
  language?: string | undefined;
  /** The origin of the links in the file; without one it has none. */
  origin?: string | undefined;
  exportedBy?: string | undefined;
  /** In their order; without any, the usual ones. */
  columns?: readonly ExportColumn[] | undefined;
  /** The names of people by their ids, as far as the caller may know them. */
  people?: Readonly<Record<string, string>> | undefined;
}

/**
 * All that a file depends on besides the submissions. With it, a file can be made later, by a process that may ask nobody: what `forms` tells, it
 * tells the caller.
 */
export interface Plan {
  wanted: Wanted;
  /** The conditions; undefined for the list. */
  filter: Filter | undefined;
  /** Undefined for a format without labels. */
  form: PlannedForm | undefined;
}

interface PlannedForm extends Omit<LabelledForm, 'labels'> {
  /** By key. */
  labels: readonly [string, PlannedLabels][];
}
type PlannedLabels = Omit<FieldLabels, 'options'> & { options: readonly [string, string][] };

/** @throws Problem `bad_request` that names the parameter, `unavailable` while the search index does not have every submission */
export async function planOf(deps: Pick<Deps, 'db' | 'forms' | 'clock'>, asked: Asked<Client>, wanted: Wanted): Promise<Plan> {
  refuseUnfit(wanted);
  const filter = isSearch(wanted) ? await filterOfAll(deps, asked, wanted) : undefined;
  if (wanted.format === 'ndjson') return { wanted, filter, form: undefined };
  const { keys, labels, title, timezone, writtenIn } = await deps.forms.fieldLabels(wanted.formId, asked.call, wanted.language);
  const plan = {
    wanted,
    filter,
    form: {
      // Answers to a version that `forms` has lost are exported as well, under their keys.
      keys: [...new Set([...keys, ...(await answeredKeys(deps.db, wanted.formId))])],
      labels: [...labels].map(([key, { options, ...rest }]): [string, PlannedLabels] => [key, { ...rest, options: [...options] }]),
      title,
      timezone,
      writtenIn,
    },
  };
  layoutOf(wanted, plan.form);
  return plan;
}

const ofWanted: Readonly<Record<keyof Wanted, number>> = {
  formId: 1,
  q: 1,
  filters: 1,
  statuses: 1,
  assignee: 1,
  from: 1,
  to: 1,
  changedSince: 1,
  today: 1,
  format: 1,
  labels: 1,
  language: 1,
  choices: 1,
  origin: 1,
  exportedBy: 1,
  columns: 1,
  people: 1,
  delimiter: 1,
  bom: 1,
};

/** The number that a process must know to make the file as it is meant. */
export const needsOfPlan = ({ wanted, filter, form }: Plan): number =>
  Math.max(
    mostOf(wanted, ofWanted),
    needsOf(filter),
    ...(wanted.columns ?? []).map(({ id }) => ofColumns.get(id) ?? 1),
    ...(form?.labels ?? []).map(([, labels]) => ofKinds.get(labels.kind) ?? (hasParts(labels) ? 5 : needsRelease4(labels, wanted) ? 4 : 1)),
  );

/** Of kinds that an earlier release does not have. */
const ofKinds: ReadonlyMap<PlannedLabels['kind'], number> = new Map([
  ['address', 6],
  ['matrix', 6],
  ['signature', 7],
  ['items', 8],
]);

/** An earlier release would write the parts of an answer in one cell, as JSON, and the rows of a matrix. */
const hasParts = (labels: PlannedLabels): boolean => partsIn(labels).length > 0;

/** An earlier release would write the codes of countries, and leave the columns of ranks out. */
const needsRelease4 = ({ kind, isRanked }: PlannedLabels, { labels }: Wanted): boolean =>
  (labels && kind === 'country') || isRanked === true;

/** Of columns that an earlier release does not have. */
const ofColumns: ReadonlyMap<string, number> = new Map([
  ['entry_source', 2],
  ['fill_seconds', 3],
]);

/** The list is read by its own index. */
const isSearch = ({ statuses = [], q, filters, assignee, from, to, changedSince }: Wanted): boolean =>
  statuses.length > 1 || filters.length > 0 || (q ?? assignee ?? from ?? to ?? changedSince) !== undefined;

/** A wish that would be dropped in silence is refused. @throws Problem `bad_request` that names the parameter */
function refuseUnfit(wanted: Wanted): void {
  const unfit = unfitWish(wanted);
  if (unfit) throw Problem.badRequest(`${unfit.wish}: ${unfit.message}`);
}

export interface Layout {
  table: Table;
  /** Of the repeats among its columns. */
  items: readonly ItemsTable[];
  fields: ReadonlyMap<string, FieldLabels>;
  title: string;
  zone: Zone;
}

/** @throws Problem `bad_request` for more columns than the format has */
export function layoutOf(wanted: Wanted, { keys, labels, title, timezone, writtenIn = 'en' }: PlannedForm): Layout {
  const { formId, labels: hasLabels, language, choices, format, origin, columns = [], people = {} } = wanted;
  const namesOf = (field: PlannedLabels) =>
    new Map([
      ...([field, ...partsIn(field)].some(({ kind }) => kind === 'country') ? countryNames(language ?? writtenIn) : []),
      // Before the countries, if the field was an address in another version and is a matrix in this one.
      ...field.options,
    ]);
  const fields = new Map(labels.map(([key, field]) => [key, { ...field, options: namesOf(field) }]));
  const zone = new Zone(timezone);
  const addressOf = (id: string) => `${origin}/console/forms/${formId}/submissions?open=${id}`;
  const reader: Reader | undefined =
    language === undefined
      ? undefined
      : {
          words: exportWords(language),
          zone,
          people: new Map(Object.entries(people)),
          addressOf: origin === undefined ? undefined : addressOf,
        };
  const unknown = columns.map(keyOfColumn).find((key) => key !== undefined && !keys.includes(key));
  if (unknown !== undefined) throw Problem.badRequest(`columns: no version of the form has the field ${unknown}`);
  const look = { fields, hasLabels, reader, hasOptionColumns: choices === 'columns' };
  const table = tableOf(keys, look, columns.length > 0 ? columns : undefined);
  const shownKeys = columns.length > 0 ? columns.flatMap((column) => keyOfColumn(column) ?? []) : keys;
  if (format === 'xlsx' && table.header.length > maxColumns)
    throw Problem.badRequest(
      `format: a sheet has at most ${maxColumns} columns, but the versions of this form need ${table.header.length}; csv has no such limit`,
    );
  return { table, items: itemTables([...new Set(shownKeys)], look), fields, title, zone };
}
