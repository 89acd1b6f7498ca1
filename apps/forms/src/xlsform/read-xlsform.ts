import {
  boundsOf,
  FormDocument,
  isComputed,
  isField,
  isHidden,
  maxChecks,
  maxControlsOfRepeat,
  maxControlsOfRepeats,
  maxFieldsOfRepeat,
  maxItemsOfRepeat,
  maxOptionsInItems,
  maxRepeats,
  otherKey,
  pipedKeys,
  titleLength,
  truncate,
  untitled,
  withOthers,
  withoutPipes,
  type Field,
  type FormCheck,
  type FormItem,
} from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { brokenRow, readSheets } from '@sheaf/workbook';
import { itemFaults, withNormalValues } from '../content/draft-rules';
import { joined } from './condition-grammar';
import { EarlierFields } from './earlier-fields';
import { columnsIn, constantIn, readRelevant, type Fields } from './expressions';
import { namesOfCalculation } from './read-formula';
import { optional, withCalculationsMoved, withConditions, type Group, type Grouped, type Relevance } from './groups';
import { matrixOfTable, tablesIn, type AskedTable } from './matrices';
import { languagesOf, someOf, textOf, warnOfMissing, type Languages } from './languages';
import {
  canRepeat,
  checkOf,
  computedField,
  countOptions,
  elementOf,
  fieldOf,
  hiddenField,
  isCalculation,
  isComputedRow,
  isReadOnly,
  notForItems,
  sheetOf,
  survey,
  typeOf,
  type Choice,
  type ChoiceList,
  type Reading,
} from './questions';
import { Report, type ImportWarning, type Loss } from './report';
import { isTextColumn, tableOf, warnOfColumns, type Entry, type Table } from './table';

const maxItems = 500;
/** Questions that share a list have its options each, so a small file can have a large form. */
const maxSize = 1_048_576;

const surveyColumns: ReadonlySet<string> = new Set([
  ...[
    'type',
    'name',
    'required',
    'relevant',
    'constraint',
    'default',
    'appearance',
    'choice_filter',
    'calculation',
    'disabled',
    'parameters',
    'repeat_count',
  ],
]);
/** The text for answers that a constraint refuses. */
const messageColumn = 'constraint_message';
/** An imported form has an id and versions of its own. */
const settingsColumns: ReadonlySet<string> = new Set([
  'form_title',
  'title',
  'form_id',
  'id_string',
  'version',
  'default_language',
  'allow_choice_duplicates',
]);

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
  const sheets = await readSheets(file, ['survey', 'choices', 'external_choices', 'settings'], report);
  if (!sheets.survey) throw Problem.badRequest('file: must have a sheet named survey');
  const questions = tableOf(survey, sheets.survey, report);
  const choices = tableOf('choices', sheets.choices ?? [], report);
  const external = tableOf('external_choices', sheets.external_choices ?? [], report);
  const settings = tableOf('settings', sheets.settings ?? [], report);
  for (const column of ['type', 'name'])
    if (!questions.columns.includes(column)) throw brokenRow(survey, 1, `must have a column named ${column}`);

  const [form] = settings.entries;
  const languages = languagesOf([questions, choices, external], form?.get('default_language') ?? '', report);
  const types = questions.entries.map(typeOf);
  const listsFor = (table: Table) =>
    listsOf(table, new Set(types.map((type) => (sheetOf(type) === table.sheet ? type.list : ''))), languages, report);
  const lists = { choices: listsFor(choices), external_choices: listsFor(external) };
  const { items, losesMessages, losesReadOnly } = itemsOf(questions, { languages, lists, report });
  const isRead = (column: string) =>
    column.startsWith(messageColumn)
      ? !losesMessages
      : column === 'read_only'
        ? !losesReadOnly
        : surveyColumns.has(column) || isTextColumn(column);
  warnOfColumns(questions, isRead, report);
  const filtered = new Set(questions.entries.flatMap(({ get }) => [...columnsIn(get('choice_filter'))].map((name) => name.toLowerCase())));
  const isOfChoice = (column: string) => ['list_name', 'name', 'value'].includes(column) || filtered.has(column) || isTextColumn(column);
  for (const table of [choices, external]) warnOfColumns(table, isOfChoice, report);
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
function listsOf(
  { sheet, columns, entries }: Table,
  used: ReadonlySet<string>,
  languages: Languages,
  report: Report,
): ReadonlyMap<string, ChoiceList> {
  const lists = new Map<string, Map<string, Choice[]>>();
  const known = new Set(columns);
  for (const entry of entries) {
    const [list, value] = [entry.get('list_name'), entry.get('name', 'value')];
    const text = textOf(entry, 'label', languages);
    if (list === '' && value === '' && text.own === '') continue;
    if (list === '' || value === '') report.warn(sheet, entry.row, `has no ${list === '' ? 'list_name' : 'name'}; the option is left out`);
    if (list === '' || value === '' || !used.has(list)) continue;
    const choices = lists.get(list) ?? new Map<string, Choice[]>();
    lists.set(list, choices);
    const same = choices.get(value) ?? [];
    choices.set(value, same);
    const column = (name: string) => {
      if (name === 'name') return value;
      const written = name.toLowerCase();
      return known.has(written) ? entry.get(written) : undefined;
    };
    same.push({ row: entry.row, value, text, column });
    warnOfMissing(sheet, entry.row, text, languages, report);
  }
  return lists;
}

/** A row that is computed from later ones, so it is read behind them. */
interface Waiting {
  entry: Entry;
  groups: readonly Group[];
  names: readonly string[];
}

/** The items of a form while they are read. */
class Items {
  readonly items: Grouped[] = [];
  private readonly constraints: { row: number; item: FormCheck }[] = [];
  /** Whether a constraint has a message that neither a check nor its field says. */
  losesMessages = false;
  /** Whether people can change an answer that was not to be changed. */
  losesReadOnly = false;
  private waiting: Waiting[] = [];
  private readonly groups: Group[] = [];
  private readonly fields = new EarlierFields();
  private readonly keys = new Set<string>();
  private count = 0;
  private size = 0;
  /** The repeat that is open, whose questions are asked for each item. */
  private repeat: { group: Group; place: Grouped; name: string } | undefined;

  /**
   * @param lastRows of each name, the last row that has it
   * @param roomForCalculations the parts of a form that its questions leave, as they matter more
   * @param repeats the room of a form for each repeat that is in no other one, by its first row
   */
  constructor(
    private readonly reading: Reading,
    private readonly lastRows: ReadonlyMap<string, number>,
    private roomForCalculations: number,
    private readonly repeats: ReadonlyMap<Entry, Repeat>,
  ) {}

  read(entry: Entry): void {
    const { type } = typeOf(entry);
    const { report } = this.reading;
    if (type === '') return this.warnOfMissingType(entry);
    if (isYes(entry.get('disabled'))) return report.warn(survey, entry.row, 'is disabled; it is left out');
    if (type === 'end_group' || type === 'end_repeat') return this.close(type, entry);
    this.losesReadOnly ||= isReadOnly(entry) && !isComputedRow(entry);
    if (isComputedRow(entry)) return this.readComputed({ entry, groups: [...this.groups], names: namesOfRow(entry) });
    this.readAsked(entry, this.relevanceOf(entry));
  }

  /** @returns whether it is asked as a matrix */
  readTable(table: AskedTable): boolean {
    const { group, rows } = table;
    const { report } = this.reading;
    if (this.groups.some(({ isNever }) => isNever)) return false;
    if (this.repeat) {
      report.warn(survey, group.row, 'the table is asked as a question for each row, as it is in a repeat');
      return false;
    }
    if (this.endsSection()) {
      report.warn(survey, group.row, 'the table is asked as a question for each row, as it follows a group that has a condition');
      return false;
    }
    const { name, key } = this.nameOf(group, this.groups);
    const earlierInRow = this.fields.from(rows[0]?.get('name') ?? '', [
      ...this.path(),
      stepOf({ name: group.get('name'), row: group.row }),
    ]);
    const field = matrixOfTable(table, key, this.reading, { earlier: this.earlierFor(group), earlierInRow });
    if (!field || !this.add(group, field, this.relevanceOf(group))) return false;
    this.keys.add(key);
    const written = group.get('name');
    if (key !== written) report.warn(survey, group.row, `the name is now "${key}"`);
    for (const each of [name, ...[table.heading ?? [], table.rows].flat().map((row) => row.get('name'))]) this.fields.reserve(each);
    return true;
  }

  /** Whether the last heading is that of a group that has a condition and has ended: a question would end the condition too, and a heading does not. */
  private endsSection(): boolean {
    const own = this.items.findLast(({ item }) => item.type === 'section')?.groups.at(-1);
    return own?.condition !== undefined && !this.groups.includes(own);
  }

  private readAsked(entry: Entry, relevance: Relevance): void {
    const { type } = typeOf(entry);
    const { report } = this.reading;
    const isNever = relevance.isNever === true || this.groups.some((group) => group.isNever);
    if (type === 'begin_group' || type === 'begin_repeat') this.open(type, entry, { relevance, isNever });
    else if (type === 'note') {
      if (isNever) report.warn(survey, entry.row, 'the note is never shown, so it is left out');
      else if (this.repeat) report.warn(survey, entry.row, 'the note is left out, as an item of a repeat has questions only');
      else this.add(entry, elementOf(entry, 'statement', this.reading, this.earlierFor(entry)), relevance);
    } else this.readQuestion(entry, relevance, isNever);
  }

  private open(
    type: 'begin_group' | 'begin_repeat',
    entry: Entry,
    { relevance, isNever }: { relevance: Relevance; isNever: boolean },
  ): void {
    const { report } = this.reading;
    const isRepeat = type === 'begin_repeat';
    const name = entry.get('name');
    const { fits = false, most = 0 } = this.repeats.get(entry) ?? {};
    if (isRepeat && !isNever && !this.repeat && most > 0) return this.openRepeat(entry, relevance, most);
    // Some people have no item of a repeat.
    this.groups.push({ row: entry.row, name, ...relevance, ...(isRepeat ? { isRepeat, isLost: true } : {}) });
    if (isNever) return report.warn(survey, entry.row, 'the group is never shown, so its heading is left out');
    if (isRepeat) report.warn(survey, entry.row, this.whyAskedOnce(name, fits), 'repeat');
    const { own } = textOf(entry, 'label', this.reading.languages);
    if (this.repeat && own !== '') report.warn(survey, entry.row, 'the heading of the group is left out, as it is in a repeat');
    if (this.repeat) return;
    this.add(entry, elementOf(entry, 'section', this.reading, this.earlierFor(entry)), {});
  }

  private whyAskedOnce(name: string, fits: boolean): string {
    const named = `the repeat "${name.slice(0, 64)}"`;
    if (this.repeat)
      return `${named} is in another one; its questions are asked once for each item of that one, and nobody has to answer them`;
    const because = fits
      ? `a form has no room for the items of ${named}`
      : `${named} does not have 1 to ${maxFieldsOfRepeat} questions that items can have`;
    return `${because}; its questions are asked once, and nobody has to answer them`;
  }

  private close(type: 'end_group' | 'end_repeat', { row }: Entry): void {
    const isRepeat = type === 'end_repeat';
    const last = this.groups.at(-1);
    if (!last || (last.isRepeat === true) !== isRepeat)
      throw brokenRow(survey, row, `ends a ${isRepeat ? 'repeat' : 'group'} that was not begun`);
    if (isRepeat) this.giveUp(({ groups }) => groups.includes(last));
    const field = this.repeat?.group === last ? this.closeRepeat(this.repeat) : undefined;
    const { name = last.name } = this.repeat ?? {};
    if (isRepeat) this.fields.endRepeat(name, this.path(), field);
    if (this.repeat?.group === last) this.repeat = undefined;
    this.groups.pop();
    this.readWaiting();
  }

  private openRepeat(entry: Entry, relevance: Relevance, most: number): void {
    const { report } = this.reading;
    const { name, key } = this.nameOf(entry, this.groups);
    const { type: _, ...texts } = elementOf(entry, 'section', this.reading, this.earlierFor(entry));
    const field: Field = { key, ...texts, type: 'repeat', ...itemsIn(entry, most, report) };
    const group: Group = { row: entry.row, name: entry.get('name'), isRepeat: true };
    const place = this.add(entry, field, relevance) ? this.items.at(-1) : undefined;
    // Smaller questions may have room yet: they are asked as those of a group.
    this.groups.push(place ? group : { ...group, ...relevance, isLost: true });
    if (!place) return;
    this.keys.add(key);
    const written = entry.get('name');
    if (key !== written) report.warn(survey, entry.row, `the name is now "${key}"`);
    this.repeat = { group, place, name };
  }

  /** Moves what stands behind the repeat into it. @returns the repeat; undefined if nothing is left of it */
  private closeRepeat({ group, place }: { group: Group; place: Grouped }): Field | undefined {
    const { report } = this.reading;
    const inner = this.items.splice(this.items.indexOf(place) + 1);
    if (inner.length === 0) {
      this.items.pop();
      report.warn(survey, group.row, 'the repeat is left out, as it has no question');
      return undefined;
    }
    const within = inner.map((each) => ({ ...each, groups: each.groups.slice(each.groups.indexOf(group) + 1) }));
    const field = { ...place.item, fields: withConditions(within, report) } as Field;
    place.item = field;
    place.innerRows = inner.map(({ row }) => row);
    return field;
  }

  /** The names of the groups that are open. */
  private path(): string[] {
    return this.groups.map(stepOf);
  }

  /** A row that nobody answers: at once, or behind the questions that it names. */
  private readComputed(row: Waiting): void {
    const { entry, groups, names } = row;
    const earlier = this.fields.from(stepOf({ name: entry.get('name'), row: entry.row }), groups.map(stepOf));
    const missing = names.filter((name) => earlier.get(name) === undefined);
    const areLater = missing.every((name) => (this.lastRows.get(name.slice(name.lastIndexOf('/') + 1)) ?? 0) > entry.row);
    if (missing.length > 0 && areLater && isCalculation(entry) && this.waiting.length < maxItems) this.waiting.push(row);
    else this.addComputed(row, earlier);
  }

  /** Reads those that have waited for a question that was added now. */
  private readWaiting(): void {
    const isReady = ({ entry, groups, names }: Waiting) => {
      // It would become a field of the repeat.
      if (this.repeat && !groups.includes(this.repeat.group)) return false;
      const earlier = this.fields.from(stepOf({ name: entry.get('name'), row: entry.row }), groups.map(stepOf));
      return names.every((name) => earlier.get(name) !== undefined);
    };
    const ready = this.waiting.find(isReady);
    if (!ready) return;
    this.waiting = this.waiting.filter((each) => each !== ready);
    // Others may have waited for it.
    this.addComputed(ready, this.fields.from(stepOf({ name: ready.entry.get('name'), row: ready.entry.row }), ready.groups.map(stepOf)));
    this.readWaiting();
  }

  /** Reads those for which no question will come any more. */
  private giveUp(isHopeless: (row: Waiting) => boolean): void {
    const hopeless = this.waiting.filter(isHopeless);
    this.waiting = this.waiting.filter((row) => !isHopeless(row));
    for (const { entry, groups } of hopeless)
      this.addComputed(
        { entry, groups, names: [] },
        this.fields.from(stepOf({ name: entry.get('name'), row: entry.row }), groups.map(stepOf)),
      );
  }

  private addComputed({ entry, groups }: Waiting, earlier: Fields): void {
    const { report } = this.reading;
    const isOnly = isCalculation(entry);
    const leaveOut = (because: string) => report.warn(survey, entry.row, `the calculation is left out, as ${because}`, 'calculation');
    const { name, key } = this.nameOf(entry, groups);
    const relevance = this.relevanceOf(entry, earlier);
    const isNever = relevance.isNever === true || groups.some((group) => group.isNever);
    // Questions that depend on its value would be asked of other people.
    const isLost = relevance.isLost === true || groups.some((group) => group.isLost === true && group.isRepeat !== true);
    if (isOnly && isNever) return leaveOut('its condition is never met');
    if (isOnly && this.roomForCalculations <= 0) return leaveOut(`a form has at most ${maxItems} questions, notes and groups`);
    if (isLost) leaveOut('it would have a value at other times, too');
    if (isLost && typeOf(entry).type !== 'note') return;
    const computed = isNever || isLost ? undefined : computedField(entry, key, this.reading, earlier);
    if (!computed && !isOnly) {
      this.losesReadOnly ||= isReadOnly(entry);
      this.readAsked(entry, relevance);
    }
    if (!computed) return;
    const { field, mayBeInfinite } = computed;
    if (!this.add(entry, field, relevance, groups)) return;
    if (isOnly) this.roomForCalculations -= 1;
    this.keys.add(key);
    const written = entry.get('name');
    if (key !== written) report.warn(survey, entry.row, `the name is now "${key}"`);
    this.fields.add(name, groups.map(stepOf), mayBeInfinite ? { ...field, mayBeInfinite } : field);
    this.readWaiting();
  }

  private nameOf(entry: Entry, groups: readonly Group[]): { name: string; key: string } {
    const written = entry.get('name');
    const name = written === '' ? `question_${entry.row}` : written;
    const group = groups.at(-1)?.name ?? '';
    const { hasOther } = typeOf(entry);
    return { name, key: keyFor(this.fields.hasName(name) && group !== '' ? `${group}_${name}` : name, { taken: this.keys, hasOther }) };
  }

  /** @throws Problem `bad_request` if a group is still open */
  end(): void {
    const [open] = this.groups;
    this.giveUp(() => true);
    if (open) throw brokenRow(survey, open.row, `begins a ${open.isRepeat ? 'repeat' : 'group'} that does not end`);
  }

  /** A row with neither a name nor a label is a remark of the author, or nothing. */
  private warnOfMissingType(entry: Entry): void {
    const { languages, report } = this.reading;
    if (entry.get('name') === '' && textOf(entry, 'label', languages).own === '') return;
    report.warn(survey, entry.row, 'has no type; it is left out');
  }

  private readQuestion(entry: Entry, relevance: Relevance, isNever: boolean): void {
    const { report } = this.reading;
    const written = entry.get('name');
    const { name, key } = this.nameOf(entry, this.groups);
    const earlier = this.earlierFor(entry);
    const read = fieldOf(entry, key, this.reading, earlier);
    if (!read) return;
    const asked = isComputedRow(entry) ? optional(read.field, entry.row, report, 'people may not know its answer') : read.field;
    if (isNever && this.repeat) return report.warn(survey, entry.row, 'the question is never shown, so it is left out');
    const field = isNever ? hiddenField(entry, key, this.reading) : asked;
    if (isNever) report.warn(survey, entry.row, 'the question is never shown, so it is a hidden field now');
    if (!this.add(entry, field, isNever ? {} : relevance)) return;
    this.keys.add(key);
    if (key !== written) report.warn(survey, entry.row, `the name is now "${key}"`);
    const [offered = field, text] = withOthers([field]).filter(isField);
    if (read.isComparable) this.fields.add(name, this.path(), offered);
    else this.fields.reserve(name);
    if (text) {
      this.keys.add(text.key);
      this.fields.add(otherKey(name), this.path(), text);
    }
    if (read.isComparable && !isHidden(field)) this.readCheck(entry, field, earlier);
    this.readWaiting();
  }

  private earlierFor(entry: Entry): Fields {
    return this.fields.from(stepOf({ name: entry.get('name'), row: entry.row }), this.path());
  }

  private readCheck(entry: Entry, field: Field, earlier: Fields): void {
    const { report } = this.reading;
    // Of a check that is left out, nothing else matters.
    if (this.repeat && checkOf(entry, field, earlier, { ...this.reading, report: new Report() }))
      return report.warn(survey, entry.row, 'the constraint is left out, as an item of a repeat has no checks', 'constraint');
    const item = checkOf(entry, field, earlier, this.reading);
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
    const most = Math.min(maxChecks, maxItems - this.count);
    let [count, size] = [0, this.size];
    return this.constraints.filter(({ row, item }) => {
      const own = JSON.stringify(item).length;
      if (count === most)
        report.warn(
          survey,
          row,
          `a form has at most ${maxChecks} checks among ${maxItems} parts; the constraint is left out`,
          'constraint',
        );
      else if (size + own > maxSize)
        report.warn(
          survey,
          row,
          `the form would be too large with it: a form has at most ${maxSize} characters; the constraint is left out`,
          'constraint',
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
  private add(entry: Entry, item: FormItem, relevance: Relevance, groups: readonly Group[] = this.groups): boolean {
    const { report } = this.reading;
    if (this.repeat && isField(item) && notForItems.has(item.type)) {
      const asked = isHidden(item) ? undefined : lossOf(item);
      report.warn(survey, entry.row, `it is left out, as an item of a repeat has no "${typeOf(entry).type.slice(0, 64)}"`, asked);
      return false;
    }
    const parts = withOthers([item]);
    if (this.count + parts.length > maxItems) {
      report.warn(survey, entry.row, `a form has at most ${maxItems} questions, notes and groups; this one is left out`, lossOf(item));
      return false;
    }
    const size = JSON.stringify(parts).length;
    if (this.size + size > maxSize) {
      report.warn(
        survey,
        entry.row,
        `the form would be too large with it: a form has at most ${maxSize} characters; it is left out`,
        lossOf(item),
      );
      return false;
    }
    this.count += parts.length;
    this.size += size;
    this.items.push({ row: entry.row, item, relevance, groups: [...groups] });
    return true;
  }

  private relevanceOf(entry: Entry, earlier = this.earlierFor(entry)): Relevance {
    const { report } = this.reading;
    const relevant = entry.get('relevant');
    if (relevant === '') return { isLost: entry.isFaulty('relevant') };
    const constant = constantIn(relevant);
    if (constant !== undefined) return { isNever: !constant };
    const condition = readRelevant(relevant, earlier);
    if (!condition)
      report.warn(survey, entry.row, `the condition "${relevant.slice(0, 100)}" is not supported; it is always met`, 'condition');
    return { condition, isLost: condition === undefined };
  }
}

/** The names in what a computed row says: it cannot be read before they are. */
const namesOfRow = (entry: Entry): readonly string[] =>
  ['calculation', 'relevant'].flatMap((column) => namesOfCalculation(entry.get(column)));

function itemsOf(survey: Table, reading: Reading): { items: FormItem[]; losesMessages: boolean; losesReadOnly: boolean } {
  const { entries } = survey;
  const tables = tablesIn(survey, reading);
  const lastRows = new Map(entries.map((entry) => [entry.get('name'), entry.row]));
  const asked = entries.filter((entry) => !isCalculation(entry) && /^(?!end)./.test(typeOf(entry).type));
  const room = maxItems - asked.length - asked.filter((entry) => typeOf(entry).hasOther).length;
  const read = new Items(reading, lastRows, room, repeatsIn(entries, reading));
  let lastOfTable: Entry | undefined;
  for (const entry of entries) {
    const table = tables.get(entry);
    const isInTable = lastOfTable !== undefined;
    if (lastOfTable === entry) lastOfTable = undefined;
    if (isInTable) continue;
    if (table && read.readTable(table)) lastOfTable = table.end;
    else read.read(entry);
  }
  read.end();
  const { losesMessages, losesReadOnly } = read;
  const checks = read.checks();
  const placed = withCalculationsMoved(read.items);
  // A check stands behind all questions that it names, and under no section.
  const items = withoutFaults(
    [...withConditions(placed, reading.report), ...checks.map(({ item }) => item)],
    [...placed, ...checks],
    reading.report,
  );
  return { items, losesMessages, losesReadOnly };
}

/** The step of a path that leads to a row. A row without a name has one too, which no other row has: otherwise a path from it would begin one group too far out. */
const stepOf = ({ name, row }: { name: string; row: number }): string => (name === '' ? `#${row}` : name);

/** The room that a form has for a repeat: whether one can have its questions, and its most items, which may be none. */
interface Repeat {
  fits: boolean;
  most: number;
}

/** The rows that begin a repeat which is in no other one. The first ones have as many items as they ask for, others what is left. */
function repeatsIn(entries: readonly Entry[], reading: Reading): ReadonlyMap<Entry, Repeat> {
  const found = new Map<Entry, Repeat>();
  const room = { repeats: maxRepeats, controls: maxControlsOfRepeats, options: maxOptionsInItems };
  let open: { entry: Entry; questions: number; options: number } | undefined;
  let depth = 0;
  for (const entry of entries) {
    const row = typeOf(entry);
    const { type } = row;
    if (type === '' || isYes(entry.get('disabled'))) continue;
    if (type === 'begin_repeat' && (depth += 1) === 1) open = { entry, questions: 0, options: 0 };
    else if (type === 'end_repeat' && (depth -= 1) === 0 && open) {
      const { questions, options } = open;
      const fits = questions > 0 && questions <= maxFieldsOfRepeat;
      const most = Math.min(
        countOf(open.entry) ?? usualItems,
        Math.floor(Math.min(maxControlsOfRepeat, room.controls) / questions),
        options === 0 ? maxItemsOfRepeat : Math.floor(room.options / options),
      );
      const isOne = fits && most > 0 && room.repeats > 0;
      found.set(open.entry, { fits, most: isOne ? most : 0 });
      if (isOne) {
        room.repeats -= 1;
        room.controls -= most * questions;
        room.options -= most * options;
      }
      open = undefined;
    } else if (open && canRepeat(entry) && !/^(?:begin|end)_|^note$/.test(type)) {
      open.questions += row.hasOther ? 2 : 1;
      open.options += countOptions(row, reading);
    }
  }
  return found;
}

const { max: usualItems = maxItemsOfRepeat } = boundsOf({ type: 'repeat' });

/** The number of items that the row states, if a repeat can have as many. */
function countOf(entry: Entry): number | undefined {
  const written = entry.get('repeat_count').trim();
  const count = Number(written);
  return /^\d+$/.test(written) && count >= 1 && count <= maxItemsOfRepeat ? count : undefined;
}

/** How many items a repeat has: a number that the row states, or as many as people add. */
function itemsIn(entry: Entry, most: number, report: Report): Pick<Field, 'required' | 'min' | 'max'> {
  const written = entry.get('repeat_count').trim();
  const count = countOf(entry);
  if (count === most) return { required: true, min: count, max: count };
  const named = `the repeat "${entry.get('name').slice(0, 64)}"`;
  if (written !== '' && count === undefined)
    report.warn(
      survey,
      entry.row,
      `people choose how many items ${named} has, as "${written.slice(0, 100)}" is no number from 1 to ${maxItemsOfRepeat}`,
      'constraint',
    );
  const isFewer = most < (count ?? usualItems);
  report.warn(
    survey,
    entry.row,
    `${named} has at most ${most} items${isFewer ? `, as a form has no room for ${count ?? 'more'}` : ''}`,
    count === undefined ? undefined : 'constraint',
  );
  return { required: false, ...(isFewer ? { max: most } : {}) };
}

const isYes = (text: string): boolean => ['yes', 'true', 'true()', '1'].includes(text.toLowerCase());

const maxKey = 64;

/** The name in lower case, with `_` for everything that a key cannot have. `hasOther`: the text of *Other* needs a key too. */
function keyFor(name: string, { taken, hasOther }: { taken: ReadonlySet<string>; hasOther: boolean }): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  const max = maxKey - (hasOther ? otherKey('').length : 0);
  const key = (/^[a-z]/.test(plain) ? plain : `q_${plain}`).slice(0, max);
  const isTaken = (one: string) => taken.has(one) || (hasOther && taken.has(otherKey(one)));
  if (!isTaken(key)) return key;
  let number = 2;
  while (isTaken(`${key.slice(0, max - 4)}_${number}`)) number += 1;
  return `${key.slice(0, max - 4)}_${number}`;
}

function lossOf(item: FormItem): Loss | undefined {
  if (isComputed(item)) return 'calculation';
  return isField(item) ? 'question' : item.type === 'check' ? 'constraint' : undefined;
}

const lossOfPart = (part: string): Loss | undefined => {
  if (part === 'visible_if' || part === 'required_if') return 'condition';
  return part === 'default' || part === 'translations' ? undefined : 'constraint';
};

/** Parts that a question can do without. */
const dispensable: ReadonlySet<string> = new Set([
  ...[
    'visible_if',
    'required_if',
    'pattern',
    'min',
    'max',
    'min_length',
    'max_length',
    'min_date',
    'max_date',
    'min_choices',
    'max_choices',
    'default',
    'translations',
  ],
]);

/** The places that a section goes on for, and its condition with it. */
function underSection<Place extends { item: FormItem }>(places: readonly Place[], index: number): Place[] {
  if (places[index]?.item.type !== 'section') return [];
  const end = places.findIndex(({ item }, at) => at > index && item.type === 'section');
  return places.slice(index + 1, end === -1 ? undefined : end);
}

/** Whether a fault is of a text that shows answers. The lengths of imported texts are right. */
const isPiped = (key: string): boolean => /\.(?:label|help)$/.test(key);

/** An item while parts of it may be left out; a repeat has its fields beside it. */
interface Placed {
  row: number;
  item: Record<string, unknown> & FormItem;
  inner?: readonly Placed[];
}

/** The parts by which a form refuses a repeat, and not its questions. */
const ofRepeats: ReadonlySet<string> = new Set(['type', 'fields', 'min', 'max']);

/** A question of a repeat as one that stands in its place: some people have no item. */
function askedOnce({ row, item }: Placed, repeat: Placed, report: Report): Placed {
  const conditions = [repeat, { item }].flatMap((each) => (each.item as Field).visible_if ?? []);
  const condition = conditions.length === 0 ? undefined : joined('all', conditions);
  const asked = optional(item, row, report);
  return { row, item: condition ? { ...asked, visible_if: condition } : asked };
}

/** Leaves out parts that forms refuse, such as a pattern with a backreference, and questions that are none without the part. */
function withoutFaults(
  items: readonly FormItem[],
  rows: readonly { row: number; innerRows?: readonly number[] }[],
  report: Report,
): FormItem[] {
  let left = items.map((item, index): Placed => {
    const { row = 1, innerRows = [] } = rows[index] ?? {};
    const { fields, ...own } = item as Field;
    const inner = fields?.map((field, at): Placed => ({ row: innerRows[at] ?? row, item: { ...field } }));
    return { row, item: own, ...(inner ? { inner } : {}) };
  });
  const itemOf = ({ item, inner }: Placed) => (inner ? ({ ...item, fields: inner.map((each) => each.item) } as FormItem) : item);
  const faults = () => itemFaults(left.map(itemOf));
  for (let found = faults(), before = ''; found.length > 0; found = faults()) {
    const now = JSON.stringify(left);
    // The same fault would be found again, for ever.
    if (now === before) throw brokenRow(survey, 1, found.map(({ key, message }) => `${key}: ${message}`)[0] ?? '');
    before = now;
    const gone = new Set<object>();
    const once = new Set<Placed>();
    for (const { key, message } of found) {
      const [, index = '', ofItem = '', innerIndex, ofInner = ''] = key.split('.');
      const outer = left[Number(index)];
      const inner = ofItem === 'fields' && innerIndex !== undefined ? outer?.inner?.[Number(innerIndex)] : undefined;
      const [place, part] = inner ? [inner, ofInner] : [outer, ofItem];
      if (!place) throw brokenRow(survey, 1, `${key}: ${message}`);
      const { row, item } = place;
      if (place.inner && ofRepeats.has(part)) {
        if (!once.has(place)) report.warn(survey, row, `the questions of the repeat are asked once, as its ${part} ${message}`, 'repeat');
        once.add(place);
        continue;
      }
      if (part === 'options' && key.includes('.visible_if')) {
        const { options } = item as Partial<Field>;
        if (!options?.some(({ visible_if }) => visible_if)) continue;
        report.warn(
          survey,
          row,
          `the choice_filter is left out, as its condition ${message}; the question offers all its options`,
          'condition',
        );
        place.item = { ...item, options: options.map(({ value, label }) => ({ value, label })) };
        continue;
      }
      if (!gone.has(place) && pipedKeys(item).size > 0 && isPiped(key)) {
        report.warn(survey, row, 'a reference to an answer in a text is shown as it is written');
        place.item = withoutPipes(item);
        continue;
      }
      if (gone.has(place) || (dispensable.has(part) && !(part in item))) continue;
      // Without its condition, it would have a value at other times, too, and whatever depends on it would be asked of other people.
      if (!dispensable.has(part) || (part === 'visible_if' && isComputed(item))) {
        gone.add(place);
        report.warn(
          survey,
          row,
          `${item.type === 'check' ? 'the constraint ' : ''}is left out, as ${item.type === 'check' ? 'it' : part} ${message}`,
          lossOf(item),
        );
        continue;
      }
      report.warn(survey, row, `${part} is left out, as it ${message}`, lossOfPart(part));
      // oxlint-disable-next-line typescript/no-dynamic-delete
      delete item[part];
      if (part === 'required_if') place.item = { ...optional(place.item, row, report, 'not everybody has to answer it') };
      if (part !== 'visible_if') continue;
      for (const shown of [place, ...(inner ? [] : underSection(left, Number(index)))]) {
        shown.item = { ...optional(shown.item, shown.row, report) };
        if (!isComputed(shown.item) || gone.has(shown)) continue;
        gone.add(shown);
        report.warn(survey, shown.row, 'is left out, as it would have a value at other times, too', 'calculation');
      }
    }
    left = left.flatMap((place) => {
      const inner = place.inner?.filter((each) => !gone.has(each));
      if (once.has(place)) return (inner ?? []).map((each) => askedOnce(each, place, report));
      // A repeat goes with its last question, which has been named.
      return gone.has(place) || inner?.length === 0 ? [] : [inner ? { ...place, inner } : place];
    });
  }
  return withNormalValues(left.map(itemOf));
}
