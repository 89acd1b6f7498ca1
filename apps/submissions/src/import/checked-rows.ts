import {
  answerKindOf,
  fieldOfRow,
  isBlank,
  isMatrix,
  languageTag,
  maxListedFaults,
  partsOf,
  type AnswerKind,
  type DateOrder,
  type Field,
  type ImportFault,
} from '@sheaf/contracts';
import { dayIn } from '@sheaf/formulas';
import type { Clock } from '@sheaf/kernel';
import type { Answers } from '../form/answers';
import type { PublishedForm } from '../form/forms-view';
import type { Breath } from './breath';
import { namesOfOptions, optionNamed, readerOf, yesOrNo, type Reader } from './cells';
import type { Matching, Target } from './matching';
import { instantOf, isAmbiguous, orderIn, readMoment } from './moments';
import type { FileRow, FileTable } from './read-file';

/** A row that can be imported. */
export interface ValidRow {
  /** JSON. */
  data: string;
  /** Undefined if the file does not tell. */
  createdAt: Date | undefined;
  language: string | undefined;
  /** In the file. */
  number: number;
}

export interface CheckedRows {
  valid: ValidRow[];
  invalid: number;
  /** The first of them. */
  faults: ImportFault[];
  faultCount: number;
  /** The keys of fields that some row had to answer, and to which no column is matched. */
  missing: string[];
  /** The keys of fields that some row answers although its other answers hide them. */
  unasked: string[];
}

interface Rules {
  form: Pick<PublishedForm, 'check' | 'timezone' | 'settings'>;
  dateOrder: DateOrder | undefined;
  clock: Clock;
  /** Older submissions would be erased at once; undefined if the form keeps all. */
  keptSince: Date | undefined;
  breath: Breath;
}

/** Adds the answer of a cell to the row. @returns the fault, if it has one */
type Take = (text: string, row: Row) => string | undefined;

interface Row {
  answers: Answers;
  chosen: Map<string, string[]>;
  createdAt: Date | undefined;
  language: string | undefined;
}

/** Checks each row like an entry by a member. */
export async function checkRows(table: FileTable, matching: Matching, rules: Rules): Promise<CheckedRows> {
  const { breath } = rules;
  const takes: (Take | undefined)[] = [];
  for (const [index, target] of matching.targets.entries()) {
    await breath.take();
    takes.push(takeOf(target, index, { table, matching, rules }));
  }
  const columns = new Map(matching.targets.flatMap((target, index) => ('field' in target ? [[target.field.key, index] as const] : [])));
  const result: CheckedRows = { valid: [], invalid: 0, faults: [], faultCount: 0, missing: [], unasked: [] };
  const [missing, unasked] = [new Set<string>(), new Set<string>()];
  for (const row of table.rows) {
    await breath.take();
    const faults: ImportFault[] = [];
    const note = (column: number | undefined, message: string, key?: string) => {
      const at = column === undefined ? {} : { column: column + 1, heading: (table.headings[column] ?? '').slice(0, 200) };
      faults.push({ row: row.number, ...at, ...(key !== undefined && { key }), message });
    };
    const read = readRow(row, takes, (column, message) => note(column, message, keyOf(matching.targets[column])));
    const unread = new Set(faults.map(({ key }) => key));
    const asked = new Set<string>();
    const checked = await rules.form.check(
      read.answers,
      () => dayIn(rules.form.timezone, read.createdAt ?? rules.clock.now()),
      (key) => asked.add(key),
    );
    // Which questions a row asks depends on its answers. Once a wrong one is mended, it may ask others.
    const isRead = faults.length === 0 && ('answers' in checked || checked.faults.every(({ code }) => code === 'required'));
    if (isRead) for (const [key, answer] of Object.entries(read.answers)) if (!asked.has(key) && !isNothing(answer)) unasked.add(key);
    if (!('answers' in checked)) {
      for (const { key, code, message } of checked.faults) {
        if (!unread.has(key)) note(columns.get(key), message, key);
        if (isRead && code === 'required' && !columns.has(key)) missing.add(key);
      }
      result.faultCount += checked.unlisted;
    }
    result.faultCount += faults.length;
    result.faults.push(...faults.slice(0, maxListedFaults - result.faults.length));
    if (faults.length > 0 || !('answers' in checked)) result.invalid += 1;
    else
      result.valid.push({ data: JSON.stringify(checked.answers), createdAt: read.createdAt, language: read.language, number: row.number });
  }
  return { ...result, missing: [...missing], unasked: [...unasked] };
}

/** A respondent who chose none of several options has a list without any. */
const isNothing = (answer: unknown): boolean => Array.isArray(answer) && answer.length === 0;

const keyOf = (target: Target | undefined): string | undefined => (target && 'field' in target ? target.field.key : undefined);

function readRow({ cells, faulty }: FileRow, takes: readonly (Take | undefined)[], fault: (column: number, message: string) => void): Row {
  const row: Row = { answers: {}, chosen: new Map(), createdAt: undefined, language: undefined };
  for (const [column, take] of takes.entries()) {
    if (!take) continue;
    const text = cells[column] ?? '';
    if (faulty?.has(column)) fault(column, 'has an error of the spreadsheet in place of a value');
    if (isBlank(text)) continue;
    const problem = take(text, row);
    if (problem !== undefined) fault(column, problem);
  }
  // One column may have all chosen options, and others one each.
  for (const [key, values] of row.chosen) {
    const whole = row.answers[key];
    row.answers[key] = [...new Set([...(Array.isArray(whole) ? (whole as string[]) : []), ...values])];
  }
  return row;
}

function takeOf(target: Target, index: number, parts: { table: FileTable; matching: Matching; rules: Rules }): Take | undefined {
  switch (target.kind) {
    case 'nothing':
      return undefined;
    case 'created_at':
      return createdAt(index, parts);
    case 'language':
      return (text, row) => {
        if (!languageTag().safeParse(text.trim()).success) return 'must be a language tag such as de or pt-BR';
        row.language = text.trim();
        return undefined;
      };
    case 'choice':
      return choice(target);
    case 'answer':
      return answer(target.field, index, parts);
    case 'part':
      return part(target, index, parts);
  }
}

/** A part of an answer, of which another column has the others. */
function part({ field, part: name }: Target & { kind: 'part' }, index: number, parts: Context): Take {
  const kind = partsOf(field).find((each) => each.name === name)?.kind;
  const asked = isMatrix(field) ? fieldOfRow(field) : field;
  return reading(asked, index, { ...parts, kind }, (row, answer) => {
    row.answers[field.key] = { ...(row.answers[field.key] as object | undefined), [name]: answer };
  });
}

interface Context {
  table: FileTable;
  matching: Matching;
  rules: Rules;
}

const answer = (field: Field, index: number, parts: Context): Take =>
  reading(field, index, { ...parts, kind: undefined }, (row, given) => {
    row.answers[field.key] = given;
  });

function reading(
  field: Field,
  index: number,
  { table, matching, rules, kind = answerKindOf(field) }: Context & { kind: AnswerKind | undefined },
  keep: (row: Row, answer: unknown) => void,
): Take {
  const isOfSheaf = matching.known.source === 'sheaf';
  const manner = {
    dateOrder: hasDays.has(kind) ? (orderIn(textsIn(table, index)) ?? rules.dateOrder) : undefined,
    // Programs that separate columns by semicolons write decimals with commas, but for these two.
    hasCommas: table.delimiter === ';' && !isOfSheaf && matching.known.source !== 'kobo',
    languages: languagesOf(rules.form.settings),
  };
  const read: Reader = readerOf(field, manner, kind);
  return (text, row) => {
    const given = read(isOfSheaf && table.format === 'csv' ? withoutMark(text) : text);
    if ('fault' in given) return given.fault;
    keep(row, given.answer);
    return undefined;
  };
}

const languagesOf = ({ default_language: own, languages = [] }: PublishedForm['settings']): string[] =>
  own === undefined ? languages : [own, ...languages];

const hasDays: ReadonlySet<string> = new Set(['date', 'datetime']);

/** Exports put an apostrophe before text that a spreadsheet would read as a formula. */
const withoutMark = (text: string): string => (/^'[=+\-@\t\r＝＋－＠]/.test(text) ? text.slice(1) : text);

function choice({ field, value }: Target & { kind: 'choice' }): Take {
  const names = namesOfOptions(field);
  return (text, row) => {
    const isChosen = yesOrNo(text) ?? (optionNamed(text, names) === value || undefined);
    if (isChosen === undefined) return 'must be yes or no, or the option itself';
    const chosen = row.chosen.get(field.key) ?? [];
    row.chosen.set(field.key, isChosen ? [...chosen, value] : chosen);
    return undefined;
  };
}

function createdAt(index: number, { table, matching: { known }, rules }: { table: FileTable; matching: Matching; rules: Rules }): Take {
  const dateOrder = orderIn(textsIn(table, index)) ?? rules.dateOrder;
  const zone = known.isUtc || /\butc\b/i.test(table.headings[index] ?? '') ? 'UTC' : (rules.form.timezone ?? 'UTC');
  const now = rules.clock.now();
  return (text, row) => {
    if (dateOrder === undefined && isAmbiguous(text)) return 'may have the day or the month first; say which by date_order';
    const moment = readMoment(text, dateOrder);
    const at = moment && instantOf(moment, zone);
    if (at === undefined) return 'must be a date and time, such as 2026-03-02 09:30';
    if (at > now) return 'must not be in the future';
    if (at < oldest) return 'must not be before 1970';
    if (rules.keptSince && at < rules.keptSince)
      return 'is longer ago than the form keeps submissions, so the submission would be erased at once';
    row.createdAt = at;
    return undefined;
  };
}

const oldest = new Date(0);

function* textsIn({ rows }: FileTable, column: number): Generator<string> {
  for (const { cells } of rows) yield cells[column] ?? '';
}
