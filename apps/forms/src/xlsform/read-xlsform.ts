import {
  FormDocument,
  isHidden,
  maxChecks,
  titleLength,
  truncate,
  untitled,
  type Field,
  type FormCheck,
  type FormItem,
} from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { brokenRow, readSheets } from '@sheaf/workbook';
import { itemFaults, withNormalValues } from '../content/draft-rules';
import { constantIn, readRelevant } from './expressions';
import { optional, withConditions, type Group, type Grouped, type Relevance } from './groups';
import { languagesOf, someOf, textOf, warnOfMissing, type Languages } from './languages';
import { checkOf, elementOf, fieldOf, hiddenField, maxChoices, survey, typeOf, type Choice, type Reading } from './questions';
import { Report, type ImportWarning } from './report';
import { isTextColumn, tableOf, warnOfColumns, type Entry, type Table } from './table';

const maxItems = 500;
/** Questions that share a list have its options each, so a small file can have a large form. */
const maxSize = 1_048_576;

const surveyColumns: ReadonlySet<string> = new Set([
  ...['type', 'name', 'required', 'relevant', 'constraint', 'default', 'appearance', 'choice_filter', 'calculation', 'disabled'],
]);
/** The text for answers that a constraint refuses. */
const messageColumn = 'constraint_message';
/** An imported form has an id and versions of its own. */
const settingsColumns: ReadonlySet<string> = new Set(['form_title', 'title', 'form_id', 'id_string', 'version', 'default_language']);

/** A form that was read from a file, and what the file says that forms cannot. */
export interface ImportedForm {
  document: FormDocument;
  warnings: ImportWarning[];
}

/**
 * Reads an XLSForm (xlsform.org) as a document. Everything that forms cannot say is named in the warnings.
 * @throws Problem `bad_request` that names the sheet and the row
 */
export async function readXlsForm(file: Buffer): Promise<ImportedForm> {
  const report = new Report();
  const sheets = await readSheets(file, ['survey', 'choices', 'settings'], report);
  if (!sheets.survey) throw Problem.badRequest('file: must have a sheet named survey');
  const questions = tableOf(survey, sheets.survey, report);
  const choices = tableOf('choices', sheets.choices ?? [], report);
  const settings = tableOf('settings', sheets.settings ?? [], report);
  for (const column of ['type', 'name'])
    if (!questions.columns.includes(column)) throw brokenRow(survey, 1, `must have a column named ${column}`);

  const [form] = settings.entries;
  const languages = languagesOf([questions, choices], form?.get('default_language') ?? '', report);
  const used = new Set(questions.entries.map((entry) => typeOf(entry).list));
  const lists = listsOf(choices, used, languages, report);
  const { items, losesMessages } = itemsOf(questions.entries, { languages, lists, report });
  const isRead = (column: string) =>
    column.startsWith(messageColumn) ? !losesMessages : surveyColumns.has(column) || isTextColumn(column);
  warnOfColumns(questions, isRead, report);
  warnOfColumns(choices, (column) => ['list_name', 'name', 'value'].includes(column) || isTextColumn(column), report);
  warnOfColumns(settings, (column) => settingsColumns.has(column), report);

  const written = form?.get('form_title', 'title', 'form_id') ?? '';
  const title = truncate(written, titleLength.max).trim();
  if (title !== written) report.warn('settings', form?.row ?? 1, `the title is cut to ${titleLength.max} characters`);
  const document = FormDocument.safeParse({
    sheaf: 'form',
    version: 1,
    title: title === '' ? untitled : title,
    fields: items,
    settings: settingsOf(languages, report),
  });
  if (!document.success) throw brokenRow('survey', 1, document.error.issues[0]?.message ?? 'is not a form');
  return { document: document.data, warnings: report.warnings };
}

function settingsOf({ ownTag, others }: Languages, report: Report): FormDocument['settings'] {
  if (others.size === 0) return {};
  if (ownTag !== undefined) return { languages: [ownTag, ...others.values()], default_language: ownTag };
  report.warn('settings', 1, 'the form offers no languages yet, as default_language has no tag such as English (en)');
  return {};
}

/** The lists of these names. A row that belongs to no list, such as a remark of the author, is left out. */
function listsOf({ entries }: Table, used: ReadonlySet<string>, languages: Languages, report: Report): ReadonlyMap<string, Choice[]> {
  const lists = new Map<string, Choice[]>();
  const values = new Map<string, Set<string>>();
  for (const entry of entries) {
    const [list, value] = [entry.get('list_name'), entry.get('name', 'value')];
    const text = textOf(entry, 'label', languages);
    if (list === '' && value === '' && text.own === '') continue;
    if (list === '' || value === '')
      report.warn('choices', entry.row, `has no ${list === '' ? 'list_name' : 'name'}; the option is left out`);
    if (list === '' || value === '' || !used.has(list)) continue;
    const [choices, known] = [lists.get(list) ?? [], values.get(list) ?? new Set<string>()];
    lists.set(list, choices);
    values.set(list, known);
    if (known.has(value)) report.warn('choices', entry.row, `the list has the option "${value.slice(0, 64)}" twice`);
    else if (choices.length <= maxChoices) {
      choices.push({ value, text });
      warnOfMissing('choices', entry.row, text, languages, report);
    }
    known.add(value);
  }
  return lists;
}

/** The items of a form while they are read. */
class Items {
  readonly items: Grouped[] = [];
  private readonly constraints: { row: number; item: FormCheck }[] = [];
  /** Whether a constraint has a message that neither a check nor its field says. */
  losesMessages = false;
  private readonly groups: Group[] = [];
  private readonly fields = new Map<string, Field>();
  private readonly names = new Set<string>();
  private readonly keys = new Set<string>();
  private size = 0;
  /** The repeats and groups that are open within the outermost repeat, and its row. */
  private skipped: { depth: number; row: number } | undefined;

  constructor(private readonly reading: Reading) {}

  read(entry: Entry): void {
    const { type } = typeOf(entry);
    const { report } = this.reading;
    if (type === '') return this.warnOfMissingType(entry);
    if (isYes(entry.get('disabled'))) return report.warn(survey, entry.row, 'is disabled; it is left out');
    if (this.isSkipped(type, entry)) return;
    if (type === 'end_group') {
      if (!this.groups.pop()) throw brokenRow(survey, entry.row, 'ends a group that was not begun');
      return;
    }
    const relevance = this.relevanceOf(entry);
    const isNever = relevance.isNever === true || this.groups.some((group) => group.isNever);
    if (type === 'begin_group') {
      this.groups.push({ row: entry.row, name: entry.get('name'), ...relevance });
      if (isNever) report.warn(survey, entry.row, 'the group is never shown, so its heading is left out');
      else this.add(entry, elementOf(entry, 'section', this.reading), {});
    } else if (type === 'note') {
      if (isNever) report.warn(survey, entry.row, 'the note is never shown, so it is left out');
      else this.add(entry, elementOf(entry, 'statement', this.reading), relevance);
    } else this.readQuestion(entry, relevance, isNever);
  }

  /** @throws Problem `bad_request` if a group is still open */
  end(): void {
    const open = this.skipped ?? this.groups[0];
    if (open) throw brokenRow(survey, open.row, `begins a ${this.skipped ? 'repeat' : 'group'} that does not end`);
  }

  /** A row with neither a name nor a label is a remark of the author, or nothing. */
  private warnOfMissingType(entry: Entry): void {
    const { languages, report } = this.reading;
    if (this.skipped || (entry.get('name') === '' && textOf(entry, 'label', languages).own === '')) return;
    report.warn(survey, entry.row, 'has no type; it is left out');
  }

  /** Whether the row belongs to a repeat, which forms do not have. */
  private isSkipped(type: string, { row, get }: Entry): boolean {
    if (this.skipped) {
      if (type.startsWith('begin_')) this.skipped.depth += 1;
      else if (type.startsWith('end_')) this.skipped.depth -= 1;
      if (this.skipped.depth === 0) this.skipped = undefined;
      return true;
    }
    if (type === 'end_repeat') throw brokenRow(survey, row, 'ends a repeat that was not begun');
    if (type !== 'begin_repeat') return false;
    this.skipped = { depth: 1, row };
    this.reading.report.warn(
      survey,
      row,
      `the repeat "${get('name').slice(0, 64)}" is not supported; its questions are left out. Ask for each of them in a group of its own`,
    );
    return true;
  }

  private readQuestion(entry: Entry, relevance: Relevance, isNever: boolean): void {
    const { report } = this.reading;
    const name = entry.get('name');
    const isTaken = this.names.has(name);
    const key = keyFor(isTaken && this.groups.at(-1)?.name ? `${this.groups.at(-1)?.name ?? ''}_${name}` : name, this.keys);
    const known = fieldOf(entry, key, this.reading, this.fields);
    if (!known) return;
    const field = isNever ? hiddenField(entry, key, this.reading) : known;
    if (isNever) report.warn(survey, entry.row, 'the question is never shown, so it is a hidden field now');
    if (!this.add(entry, field, isNever ? {} : relevance)) return;
    this.keys.add(key);
    this.names.add(name);
    if (key !== name) report.warn(survey, entry.row, `the name is now "${key}"`);
    // A condition that names one of two cannot say which.
    if (isTaken) this.fields.delete(name);
    else this.fields.set(name, field);
    if (!isHidden(field)) this.readCheck(entry, field);
  }

  private readCheck(entry: Entry, field: Field): void {
    const item = checkOf(entry, field, this.fields, this.reading);
    if (!item) {
      const { pattern, min, max } = field.messages ?? {};
      const isSaid =
        someOf(textOf(entry, messageColumn, this.reading.languages)) === '' ||
        entry.get('constraint') === '' ||
        (pattern ?? min ?? max) !== undefined;
      if (!isSaid) this.losesMessages = true;
    } else this.constraints.push({ row: entry.row, item });
  }

  /** The checks for which the questions leave room, with the rows that they come from. */
  checks(): { row: number; item: FormCheck }[] {
    const { report } = this.reading;
    const most = Math.min(maxChecks, maxItems - this.items.length);
    let [count, size] = [0, this.size];
    return this.constraints.filter(({ row, item }) => {
      const own = JSON.stringify(item).length;
      if (count === most)
        report.warn(survey, row, `a form has at most ${maxChecks} checks among ${maxItems} parts; the constraint is left out`);
      else if (size + own > maxSize)
        report.warn(
          survey,
          row,
          `the form would be too large with it: a form has at most ${maxSize} characters; the constraint is left out`,
        );
      else {
        count += 1;
        size += own;
        return true;
      }
      return false;
    });
  }

  /** @returns whether the form has room for it */
  private add(entry: Entry, item: FormItem, relevance: Relevance): boolean {
    const { report } = this.reading;
    if (this.items.length === maxItems) {
      report.warn(survey, entry.row, `a form has at most ${maxItems} questions, notes and groups; this one is left out`);
      return false;
    }
    const size = JSON.stringify(item).length;
    if (this.size + size > maxSize) {
      report.warn(survey, entry.row, `the form would be too large with it: a form has at most ${maxSize} characters; it is left out`);
      return false;
    }
    this.size += size;
    this.items.push({ row: entry.row, item, relevance, groups: [...this.groups] });
    return true;
  }

  private relevanceOf(entry: Entry): Relevance {
    const { report } = this.reading;
    const relevant = entry.get('relevant');
    if (relevant === '') return { isLost: entry.isFaulty('relevant') };
    const constant = constantIn(relevant);
    if (constant !== undefined) return { isNever: !constant };
    const condition = readRelevant(relevant, this.fields);
    if (!condition) report.warn(survey, entry.row, `the condition "${relevant.slice(0, 100)}" is not supported; it is always met`);
    return { condition, isLost: condition === undefined };
  }
}

function itemsOf(entries: readonly Entry[], reading: Reading): { items: FormItem[]; losesMessages: boolean } {
  const read = new Items(reading);
  for (const entry of entries) read.read(entry);
  read.end();
  const { losesMessages } = read;
  const checks = read.checks();
  // A check stands behind all questions that it names, and under no section.
  const items = withoutFaults(
    [...withConditions(read.items, reading.report), ...checks.map(({ item }) => item)],
    [...read.items, ...checks].map(({ row }) => row),
    reading.report,
  );
  return { items, losesMessages };
}

const isYes = (text: string): boolean => ['yes', 'true', 'true()', '1'].includes(text.toLowerCase());

/** The name in lower case, with `_` for everything that a key cannot have. */
function keyFor(name: string, taken: ReadonlySet<string>): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  const key = (/^[a-z]/.test(plain) ? plain : `q_${plain}`).slice(0, 64);
  if (!taken.has(key)) return key;
  let number = 2;
  while (taken.has(`${key.slice(0, 60)}_${number}`)) number += 1;
  return `${key.slice(0, 60)}_${number}`;
}

/** Parts that a question can do without. */
const dispensable: ReadonlySet<string> = new Set([
  ...['visible_if', 'required_if', 'pattern', 'min', 'max', 'min_length', 'max_length', 'min_date', 'max_date', 'default', 'translations'],
]);

/** The places that a section goes on for, and its condition with it. */
function underSection<Place extends { item: FormItem }>(places: readonly Place[], index: number): Place[] {
  if (places[index]?.item.type !== 'section') return [];
  const end = places.findIndex(({ item }, at) => at > index && item.type === 'section');
  return places.slice(index + 1, end === -1 ? undefined : end);
}

/** Leaves out parts that forms refuse, such as a pattern with a backreference, and questions that are none without the part. */
function withoutFaults(items: readonly FormItem[], rows: readonly number[], report: Report): FormItem[] {
  let left = items.map((item, index) => ({ row: rows[index] ?? 1, item: { ...item } as Record<string, unknown> & FormItem }));
  const faults = () => itemFaults(left.map(({ item }) => item));
  for (let found = faults(); found.length > 0; found = faults()) {
    const gone = new Set<object>();
    for (const { key, message } of found) {
      const [, index = '', part = ''] = key.split('.');
      const place = left[Number(index)];
      if (!place) throw brokenRow(survey, 1, `${key}: ${message}`);
      const { row, item } = place;
      if (gone.has(place) || (dispensable.has(part) && !(part in item))) continue;
      if (!dispensable.has(part)) {
        gone.add(place);
        report.warn(
          survey,
          row,
          `${item.type === 'check' ? 'the constraint ' : ''}is left out, as ${item.type === 'check' ? 'it' : part} ${message}`,
        );
        continue;
      }
      report.warn(survey, row, `${part} is left out, as it ${message}`);
      // oxlint-disable-next-line typescript/no-dynamic-delete
      delete item[part];
      if (part === 'required_if') place.item = { ...optional(place.item, row, report, 'not everybody has to answer it') };
      if (part !== 'visible_if') continue;
      for (const shown of [place, ...underSection(left, Number(index))]) shown.item = { ...optional(shown.item, shown.row, report) };
    }
    left = left.filter((place) => !gone.has(place));
  }
  return withNormalValues(left.map(({ item }) => item));
}
