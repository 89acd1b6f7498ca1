import {
  columnOfKey,
  keyOfColumn,
  partIn,
  partLabel,
  partsOfKind,
  referenceOf,
  answerTraits,
  type AnswerTraits,
  type EntrySource,
  type ExportColumn,
  type ExportFact,
  type Part,
} from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';
import type { FieldLabels, FieldPart } from '../form/forms-view';
import type { ExportedRow } from './batches.queries';
import { dateTimeIn, dayOf, momentIn, timeOfDay, type Dated, type Zone } from './dated';
import type { ExportWords } from './words';

/** The names of files, with a link to the submission that has them. */
export class Linked {
  constructor(
    readonly text: string,
    readonly address: string,
  ) {}
}

/** A cell's value; undefined if there is no answer. */
export type Cell = string | number | boolean | Dated | Linked | undefined;

/** A submission, and the names of its files by their ids, where these are wanted. */
export type TableRow = ExportedRow & {
  fileNames?: ReadonlyMap<string, string>;
  /** The number of the item of a repeat that the row has in place of the submission. */
  item?: number;
};

/** Submissions as table rows, whatever their form version. */
export interface Table {
  header: readonly string[];
  rowOf: (submission: TableRow) => Cell[];
}

/** The person whom an export is for. */
export interface Reader {
  words: ExportWords;
  zone: Zone;
  /** The names of people by their ids, as far as they may be known. */
  people: ReadonlyMap<string, string>;
  /** The address of a submission; undefined where links are not wanted. */
  addressOf: ((submissionId: string) => string) | undefined;
}

/** How an export shows submissions. Without anything, as the API has them. */
export interface Look {
  /** The known fields, by key. */
  fields?: ReadonlyMap<string, FieldLabels>;
  /** Whether labels stand in place of keys and values. */
  hasLabels?: boolean;
  /** Dates and times as such, files by their names. */
  reader?: Reader | undefined;
  /** Whether each option of a question with several choices has a column as well. */
  hasOptionColumns?: boolean;
}

/** The columns of the submission itself that an export has unless others are chosen. */
const usualFacts = ['submission_id', 'schema_version', 'status', 'created_at'] as const satisfies readonly ExportFact[];

interface Column {
  heading: string;
  /** Of a heading that several columns would have, the name follows in brackets. Facts keep theirs, as do columns with a heading of their own. */
  name: string | undefined;
  cell: (submission: TableRow, answers: Readonly<Record<string, unknown>>) => Cell;
}

/**
 * One column per key, after the usual facts about the submission, or the chosen columns in their order. A key with the name of one of these facts
 * becomes `data.<key>`. With labels, a column has the label of its field, and answers have those of the chosen options.
 */
export function tableOf(keys: readonly string[], look: Look = {}, chosen?: readonly ExportColumn[]): Table {
  const usual = [...usualFacts.map((id) => ({ id })), ...keys.map((key) => ({ id: columnOfKey(key) }))];
  const columns = (chosen ?? usual).flatMap((column) => columnsOf(column, look));
  const uses = new Map<string, number>();
  for (const { heading } of columns) uses.set(heading, (uses.get(heading) ?? 0) + 1);
  return {
    header: columns.map(({ heading, name }) => (uses.get(heading) === 1 || name === undefined ? heading : `${heading} (${name})`)),
    rowOf: (submission) => {
      const answers = JSON.parse(submission.data) as Record<string, unknown>;
      return columns.map(({ cell }) => cell(submission, answers));
    },
  };
}

function columnsOf(column: ExportColumn, look: Look): Column[] {
  const key = keyOfColumn(column);
  return key === undefined ? [factColumn(column.id as ExportFact, column.heading, look)] : answerColumns(key, column.heading, look);
}

function factColumn(fact: ExportFact, heading: string | undefined, look: Look): Column {
  const { hasLabels = false, reader } = look;
  const words = hasLabels ? reader?.words : undefined;
  return {
    heading: heading ?? words?.columns[fact] ?? fact,
    name: undefined,
    cell: (submission) => facts[fact](submission, look),
  };
}

const facts: Readonly<Record<ExportFact, (submission: TableRow, look: Look) => Cell>> = {
  submission_id: ({ id }) => id,
  schema_version: ({ schema_version }) => schema_version,
  status: ({ status }, { hasLabels = false, reader }) =>
    (hasLabels ? (reader?.words.statuses as Readonly<Record<string, string>> | undefined)?.[status] : undefined) ?? status,
  created_at: ({ created_at }, look) => moment(created_at, look),
  reference: ({ id }) => referenceOf(id),
  updated_at: ({ changed_at, created_at }, look) => moment(changed_at ?? created_at, look),
  assignee: ({ assignee }, look) => person(assignee, look),
  notes: ({ notes }) => notes,
  language: ({ language }) => language ?? undefined,
  entered_by: ({ entered_by_id }, look) => person(entered_by_id, look),
  fill_seconds: ({ fill_seconds }) => fill_seconds ?? undefined,
  entry_source: (submission, { hasLabels = false, reader }) => {
    const source = sourceOf(submission);
    return (hasLabels ? reader?.words.sources[source] : undefined) ?? source;
  },
};

function sourceOf({ entered_by_kind: kind, import_id }: TableRow): EntrySource {
  if (kind === null) return 'respondent';
  if (import_id !== null) return 'import';
  return kind === 'user' ? 'member' : 'service_account';
}

const moment = (at: Date, { reader }: Look): Cell => (reader ? momentIn(reader.zone, at) : at.toISOString());
const person = (id: string | null, { reader }: Look): Cell => (id === null ? undefined : (reader?.people.get(id) ?? id));

function answerColumns(key: string, heading: string | undefined, look: Look): Column[] {
  const { hasLabels = false, hasOptionColumns = false, fields } = look;
  const field = fields?.get(key);
  const plainName = !hasLabels && (usualFacts as readonly string[]).includes(key) ? `data.${key}` : key;
  const label = heading ?? (hasLabels ? (field?.label ?? key) : plainName);
  const name = heading === undefined ? plainName : undefined;
  const parts = partsIn(field);
  const [first] = parts;
  if (field && first && field.kind !== 'items') return parts.map((part) => partColumn({ key, field, label, name }, { part, first }, look));
  const show = shownAs(field, look);
  const answerIn = (answers: Readonly<Record<string, unknown>>) => ownOf(answers, key);
  const whole: Column = {
    heading: label,
    name,
    cell: (submission, answers) => show(answerIn(answers), submission),
  };
  // The ranks of an option are a column of numbers to count with, as no list of options is.
  if (field?.kind !== 'options' || !(hasOptionColumns || field.isRanked === true)) return [whole];
  // The column of all choices stays: it also has those that no version offers any more.
  const ofOptions = [...field.options].map(([value, option]): Column => ({
    heading: `${label} – ${hasLabels ? option : value}`,
    name: `${key} – ${value}`,
    cell: ({ schema_version: version }, answers) => {
      const chosen = answerIn(answers);
      if (!Array.isArray(chosen)) return undefined;
      if (field.isRanked === true) {
        // The order of an answer from before it was a ranking is that of the form.
        const isRank = field.rankedIn?.includes(version) !== false && chosen.includes(value);
        return isRank ? chosen.indexOf(value) + 1 : undefined;
      }
      return yesOrNo(chosen.includes(value), look);
    },
  }));
  return [whole, ...ofOptions];
}

// `constructor` is a valid key.
const ownOf = (of: object, name: string): unknown =>
  Object.hasOwn(of, name) ? (of as Readonly<Record<string, unknown>>)[name] : undefined;

/** The part in whose column answers from before they had parts stand: the first one, and of a signature its name, or its picture for a file. */
const partOfEarlier = (answer: unknown, kind: FieldLabels['kind'], first: string): string => {
  if (kind !== 'signature') return first;
  const named = [answer].flat();
  return named.length > 0 && named.every((id) => typeof id === 'string' && isId(id)) ? 'file_id' : 'name';
};

/** A part of the answers. */
function partColumn(
  { key, field, label, name }: { key: string; field: FieldLabels; label: string; name: string | undefined },
  { part, first }: { part: Part; first: Part },
  look: Look,
): Column {
  const { hasLabels = false, reader } = look;
  // A text may be the same as the code of a country.
  const show = shownAs({ ...field, kind: part.kind, options: part.kind === 'text' ? new Map() : field.options }, look);
  return {
    heading: `${label} – ${hasLabels ? headingOf(part, reader) : part.name}`,
    name: name === undefined ? undefined : `${key} – ${part.name}`,
    cell: (submission, answers) => {
      const answer = ownOf(answers, key);
      if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return show(partIn(answer, part.name), submission);
      return partOfEarlier(answer, field.kind, first.name) === part.name ? show(answer, submission) : undefined;
    },
  };
}

/** An earlier release of `forms` does not tell them, and a plan of an earlier release does not have them. */
export const partsIn = ({ kind, parts }: Pick<FieldLabels, 'kind' | 'parts'> = { kind: undefined }): readonly FieldPart[] =>
  parts ?? (kind === undefined ? [] : partsOfKind(kind));

type Show = (answer: unknown, submission: TableRow) => Cell;

/** How the answers to a field are shown. One that is not of the field's kind, because an earlier version had another, is shown as it is. */
function shownAs(field: FieldLabels | undefined, look: Look): Show {
  const { hasLabels = false, reader } = look;
  const asItIs: Show = (answer) => {
    if (hasLabels && typeof answer === 'boolean') return yesOrNo(answer, look);
    return cell(hasLabels ? labelled(answer, field) : answer);
  };
  const { cell: own } = field?.kind === undefined ? {} : answerTraits(field.kind);
  if (own === undefined || reader === undefined) return asItIs;
  const shown = cells[own];
  return (answer, submission) =>
    answer === undefined || answer === null ? undefined : (shown(answer, reader, submission) ?? asItIs(answer, submission));
}

const yesOrNo = (is: boolean, { hasLabels = false, reader }: Look): Cell => (hasLabels && reader ? reader.words[is ? 'yes' : 'no'] : is);

type ShowKind = (answer: unknown, reader: Reader, submission: TableRow) => Cell;

const ofText =
  (read: (answer: string, reader: Reader) => Cell): ShowKind =>
  (answer, reader) =>
    typeof answer === 'string' ? read(answer, reader) : undefined;

/** The cells that people read in place of answers as they are. */
const cells: Readonly<Record<NonNullable<AnswerTraits['cell']>, ShowKind>> = {
  day: ofText(dayOf),
  time: ofText(timeOfDay),
  moment: ofText((answer, { zone }) => dateTimeIn(zone, answer)),
  files: fileNames,
};

function fileNames(answer: unknown, { addressOf }: Reader, { id, fileNames: names }: TableRow): Cell {
  const nameOf = (file: unknown): unknown => (typeof file === 'string' ? (names?.get(file) ?? file) : file);
  const text = cell(Array.isArray(answer) ? answer.map(nameOf) : nameOf(answer));
  return typeof text === 'string' && text !== '' && addressOf ? new Linked(text, addressOf(id)) : text;
}

/** Without a reader, as the form or else we name it: rows of a matrix have labels of their own. */
const headingOf = (part: Part, reader: Reader | undefined): string =>
  reader ? partLabel(part, reader.words.parts) : (part.label ?? part.name);

function labelled(answer: unknown, labels: FieldLabels | undefined): unknown {
  if (labels === undefined) return answer;
  const labelOf = (value: unknown): unknown => (typeof value === 'string' ? (labels.options.get(value) ?? value) : value);
  return Array.isArray(answer) ? answer.map(labelOf) : labelOf(answer);
}

function cell(answer: unknown): Cell {
  if (typeof answer === 'string' || typeof answer === 'number' || typeof answer === 'boolean') return answer;
  if (answer === null || answer === undefined) return undefined;
  // The items of a repeat, as programs read them.
  if (Array.isArray(answer) && answer.some((item) => typeof item === 'object' && item !== null)) return JSON.stringify(answer);
  return Array.isArray(answer) ? answer.map(listed).join('; ') : JSON.stringify(answer);
}

/** One of several values. Quoted as in CSV where the list could be mistaken for another one; nearly all values are as they are. */
function listed(item: unknown): string {
  const text = part(item);
  return /;|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const part = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item));
