import { FormDocument, titleLength, truncate, untitled, type Field, type FormItem } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { fieldFaults } from '../draft-rules';
import { brokenRow } from './broken';
import { readRelevant, type Fields } from './expressions';
import { withConditions, type Group, type Grouped } from './groups';
import { isTextColumn, languagesOf, textOf, type Languages } from './languages';
import { elementOf, fieldOf, survey, typeOf, type Choice, type Reading } from './questions';
import { Report, type ImportWarning } from './report';
import { tableOf, warnOfColumns, type Entry, type Table } from './table';
import { readSheets } from './workbook';

const maxItems = 500;
const maxChoices = 1_000;
/** Questions that share a list have its options each, so a small file can have a large form. */
const maxSize = 1_048_576;

const surveyColumns: ReadonlySet<string> = new Set([
  ...['type', 'name', 'required', 'relevant', 'constraint', 'default', 'appearance', 'choice_filter', 'calculation', 'disabled'],
]);
/** An imported form has an id and versions of its own. */
const settingsColumns: ReadonlySet<string> = new Set(['form_title', 'title', 'form_id', 'id_string', 'version', 'default_language']);

/**
 * Reads an XLSForm (xlsform.org) as a document. Everything that forms cannot say is named in the warnings.
 * @throws Problem `bad_request` that names the sheet and the row
 */
export async function readXlsForm(file: Buffer): Promise<{ document: FormDocument; warnings: ImportWarning[] }> {
  const sheets = await readSheets(file, ['survey', 'choices', 'settings']);
  if (!sheets.survey) throw Problem.badRequest('file: must have a sheet named survey');
  const report = new Report();
  const questions = tableOf(survey, sheets.survey);
  const choices = tableOf('choices', sheets.choices ?? []);
  const settings = tableOf('settings', sheets.settings ?? []);
  for (const column of ['type', 'name'])
    if (!questions.columns.includes(column)) throw brokenRow(survey, 1, `must have a column named ${column}`);

  const [form] = settings.entries;
  const languages = languagesOf([questions, choices], form?.get('default_language') ?? '', report);
  const lists = listsOf(choices, languages, report);
  const items = itemsOf(questions.entries, { languages, lists, report });
  warnOfColumns(questions, (column) => surveyColumns.has(column) || isTextColumn(column), report);
  warnOfColumns(choices, (column) => ['list_name', 'name', 'value'].includes(column) || isTextColumn(column), report);
  warnOfColumns(settings, (column) => settingsColumns.has(column), report);

  const title = truncate(form?.get('form_title', 'title', 'form_id') ?? '', titleLength.max).trim();
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

function listsOf({ entries }: Table, languages: Languages, report: Report): ReadonlyMap<string, readonly Choice[]> {
  const lists = new Map<string, Choice[]>();
  for (const entry of entries) {
    const [list, value] = [entry.get('list_name'), entry.get('name', 'value')];
    if (list === '' && value === '') continue;
    if (list === '' || value === '') throw brokenRow('choices', entry.row, 'must have a list_name and a name');
    const choices = lists.get(list) ?? [];
    lists.set(list, choices);
    if (choices.length === maxChoices) throw brokenRow('choices', entry.row, `the list must have at most ${maxChoices} options`);
    if (choices.some((other) => other.value === value))
      report.warn('choices', entry.row, `the list has the option "${value.slice(0, 64)}" twice`);
    else choices.push({ value, text: textOf(entry, 'label', languages) });
  }
  return lists;
}

function itemsOf(entries: readonly Entry[], reading: Reading): FormItem[] {
  const items: Grouped[] = [];
  const groups: Group[] = [];
  const fields = new Map<string, Field>();
  const keys = new Set<string>();
  let size = 0;
  for (const entry of entries) {
    const { type } = typeOf(entry);
    if (type === '' || entry.get('disabled').toLowerCase() === 'yes') continue;
    if (items.length === maxItems) throw brokenRow(survey, entry.row, `a form has at most ${maxItems} questions, notes and groups`);
    if (type === 'end_group') {
      if (!groups.pop()) throw brokenRow(survey, entry.row, 'ends a group that was not begun');
      continue;
    }
    if (type === 'begin_repeat' || type === 'end_repeat')
      throw brokenRow(survey, entry.row, 'repeats are not supported; ask for each of them in a group of its own');
    const condition = conditionOf(entry, fields, reading);
    if (type === 'begin_group') {
      groups.push({ row: entry.row, condition });
      items.push({ row: entry.row, item: elementOf(entry, 'section', reading), condition: undefined, groups: [...groups] });
    } else if (type === 'note') {
      items.push({ row: entry.row, item: elementOf(entry, 'statement', reading), condition, groups: [...groups] });
    } else {
      const name = entry.get('name');
      if (name === '') throw brokenRow(survey, entry.row, 'must have a name');
      if (fields.has(name)) throw brokenRow(survey, entry.row, `the name "${name.slice(0, 64)}" is already used`);
      const field = fieldOf(entry, keyFor(name, keys), reading);
      if (!field) continue;
      size += JSON.stringify(field).length;
      if (size > maxSize) throw brokenRow(survey, entry.row, `the form is too large: up to here, it has more than ${maxSize} characters`);
      keys.add(field.key);
      fields.set(name, field);
      if (field.key !== name) reading.report.warn(survey, entry.row, `the name is now "${field.key}"`);
      items.push({ row: entry.row, item: field, condition, groups: [...groups] });
    }
  }
  const [open] = groups;
  if (open) throw brokenRow(survey, open.row, 'begins a group that does not end');
  return withoutFaults(
    withConditions(items, reading.report),
    items.map(({ row }) => row),
    reading.report,
  );
}

/** The name in lower case, with `_` for everything that a key cannot have. */
function keyFor(name: string, taken: ReadonlySet<string>): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  const key = (/^[a-z]/.test(plain) ? plain : `q_${plain}`).slice(0, 64);
  if (!taken.has(key)) return key;
  let number = 2;
  while (taken.has(`${key.slice(0, 60)}_${number}`)) number += 1;
  return `${key.slice(0, 60)}_${number}`;
}

function conditionOf(entry: Entry, fields: Fields, { report }: Reading) {
  const relevant = entry.get('relevant');
  if (relevant === '') return undefined;
  const condition = readRelevant(relevant, fields);
  if (!condition) report.warn(survey, entry.row, `the condition "${relevant.slice(0, 100)}" is not supported; it is always met`);
  return condition;
}

/** Parts that a question can do without. */
const optional: ReadonlySet<string> = new Set([
  ...['visible_if', 'pattern', 'min', 'max', 'min_length', 'max_length', 'min_date', 'max_date', 'default'],
]);

/** Leaves out parts that forms refuse, such as a pattern with a backreference. @throws Problem `bad_request` for any other fault */
function withoutFaults(items: readonly FormItem[], rows: readonly number[], report: Report): FormItem[] {
  const left = items.map((item): Record<string, unknown> & FormItem => ({ ...item }));
  for (let faults = fieldFaults(left); faults.length > 0; faults = fieldFaults(left)) {
    for (const { key, message } of faults) {
      const [, index = '', part = ''] = key.split('.');
      const [item, row] = [left[Number(index)], rows[Number(index)] ?? 1];
      if (!item || !optional.has(part)) throw brokenRow(survey, row, `${part}: ${message}`);
      if (part in item) report.warn(survey, row, `${part} is left out, as it ${message}`);
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
      delete item[part];
    }
  }
  return left;
}
