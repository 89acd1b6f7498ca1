import { answerKindOf, maxCellsOfForm, maxMatrixCells, maxMatrixColumns, maxMatrixRows, otherValue, type Field } from '@sheaf/contracts';
import { constantIn, type Fields } from './expressions';
import { someOf, textOf, warnOfMissing } from './languages';
import { fieldOf, labelOf, listOf, maxOptionText, survey, typeOf, type Reading } from './questions';
import type { Entry, Table } from './table';

/** A group that asks the same choice several times, as a table. */
export interface AskedTable {
  group: Entry;
  /** A row that nobody answers, above columns of those that follow. */
  heading: Entry | undefined;
  rows: readonly Entry[];
  /** The row that ends the group. */
  end: Entry;
}

/** The columns that are empty in each row of such a table, as a row of a matrix has nothing of the kind. */
const ofQuestions = ['relevant', 'constraint', 'choice_filter', 'default', 'calculation', 'trigger', 'read_only', 'disabled', 'parameters'];
/** The expressions that may name a question. */
const expressions = [...ofQuestions, 'required', 'repeat_count'];

/** The tables of a survey that a matrix asks without a loss, by the rows that begin them. All others are asked row by row, which is named. */
export function tablesIn({ entries, columns }: Table, reading: Reading): ReadonlyMap<Entry, AskedTable> {
  const found = new Map<Entry, AskedTable>();
  // A survey may be large, and most have no table.
  let named: ReadonlySet<string> | undefined;
  let cells = 0;
  const bounds = entries.flatMap((entry, index) => (/^(?:begin|end)_/.test(typeOf(entry).type) ? [index] : []));
  for (const [n, at] of bounds.entries()) {
    const group = entries[at];
    if (!group || typeOf(group).type !== 'begin_group') continue;
    const endAt = bounds[n + 1] ?? at + 1;
    const inside = entries.slice(at + 1, endAt).filter((entry) => typeOf(entry).type !== '');
    const isTable = /\btable-list\b/i.test(group.get('appearance'));
    const heading = inside.find((entry, index) => index === 0 && /^label$/i.test(entry.get('appearance')));
    const rows = heading ? inside.slice(1) : inside;
    const isGrid = rows.length > 1 && rows.every((entry) => /\blist-nolabel\b/i.test(entry.get('appearance')));
    if (!isTable && !isGrid) continue;
    const columnsOfIt = rows[0] ? (listOf(typeOf(rows[0]), reading)?.size ?? 0) : 0;
    const end = entries[endAt] ?? group;
    named ??= namesIn(entries, columns);
    const table = { group, heading, rows, end };
    const because = typeOf(end).type === 'end_group' ? reasonAgainst(table, named, reading) : 'it has groups of its own';
    if (because === undefined && cells + rows.length * columnsOfIt <= maxCellsOfForm) {
      cells += rows.length * columnsOfIt;
      found.set(group, table);
    } else
      reading.report.warn(
        survey,
        group.row,
        `the table is asked as a question for each row, as ${because ?? `a form has at most ${maxCellsOfForm} cells in its tables`}`,
      );
  }
  return found;
}

/** All names that expressions and texts refer to, without their paths. */
function namesIn(entries: readonly Entry[], columns: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const entry of entries)
    for (const column of columns) {
      const text = entry.get(column);
      // A reference may have any name in it, such as "größe".
      for (const [, reference = ''] of text.matchAll(/\$\{([^{}]{1,200})\}/g))
        names.add(reference.slice(reference.lastIndexOf('/') + 1).trim());
      if (expressions.includes(column)) for (const [name] of text.matchAll(/[\p{L}\p{M}\p{N}_.-]+/gu)) names.add(name);
    }
  return names;
}

/** Why it would lose something as a matrix; undefined if it would not. */
function reasonAgainst(
  { group, heading, rows }: Omit<AskedTable, 'end'>,
  named: ReadonlySet<string>,
  reading: Reading,
): string | undefined {
  const [first] = rows;
  if (!first) return 'it has no rows';
  const { type, list } = typeOf(first);
  const choices = listOf({ type, list, hasOther: false }, reading);
  if (!choices || !['select_one', 'select_multiple'].includes(type)) return 'its first row is no choice of a list';
  const alike = (columns: readonly string[]) => rows.every((row) => columns.every((column) => row.get(column) === first.get(column)));
  if (rows.some((row) => typeOf(row).type !== type || typeOf(row).list !== list)) return 'its rows are not all choices of one list';
  if (rows.some((row) => typeOf(row).hasOther) || choices.has(otherValue)) return 'a row of a matrix asks for no other answer';
  for (const column of ofQuestions)
    if (rows.some((row) => row.get(column) !== '' && !(column === 'constraint' && constantIn(row.get(column)) === true)))
      return `one of its rows has a ${column} of its own`;
  if (rows.some((row) => [...ofQuestions, 'required'].some((column) => row.isFaulty(column))))
    return 'one of its rows has a cell with an error';
  if (rows.some((row) => /\bhidden\b/i.test(row.get('appearance')))) return 'one of its rows is hidden';
  if (!alike(['required'])) return 'not all of its rows are required alike';
  const texts = (row: Entry, column: 'label' | 'hint' | 'required_message' | 'constraint_message') =>
    textOf(row, column, reading.languages);
  if (rows.some((row) => someOf(texts(row, 'hint')) !== '')) return 'one of its rows has a hint';
  const messages = new Set(rows.map((row) => JSON.stringify(texts(row, 'required_message'))));
  if (messages.size > 1) return 'its rows have several messages';
  const labels = rows.map((row) => texts(row, 'label')).flatMap(({ own, translations }) => [own, ...Object.values(translations)]);
  if (labels.some((label) => label.length > maxOptionText || label.includes('${')))
    return 'the label of a row is too long, or shows an answer';
  if (heading && someOf(texts(heading, 'label')) !== '' && someOf(texts(group, 'label')) !== '') return 'it has two headings';
  const around = [group, ...(heading ? [heading] : [])];
  if (around.some((entry) => entry.get('disabled') !== '')) return 'its group or heading has a disabled of its own';
  const labelled = heading && someOf(texts(group, 'label')) === '' ? heading : group;
  if (around.some((entry) => entry !== labelled && someOf(texts(entry, 'hint')) !== '')) return 'it has a hint without a heading';
  const names = rows.map((row) => row.get('name'));
  if (names.includes('') || new Set(names).size < names.length) return 'its rows have no names of their own';
  const isNamed = [...names, ...(heading ? [heading.get('name')] : [])].find((name) => named.has(name));
  if (isNamed !== undefined) return `an expression names its row "${isNamed.slice(0, 64)}"`;
  if ([...choices.values()].some((same) => same.length > 1)) return 'its list has an option twice';
  const isTooLarge = rows.length > maxMatrixRows || choices.size > maxMatrixColumns || rows.length * choices.size > maxMatrixCells;
  if (isTooLarge) return `a matrix has at most ${maxMatrixRows} rows, ${maxMatrixColumns} columns and ${maxMatrixCells} cells`;
  return constantIn(group.get('relevant')) === false ? 'it is never shown' : undefined;
}

/** The matrix of a table; undefined if its rows cannot be read. `earlierInRow`: the questions as the first row sees them. */
export function matrixOfTable(
  { group, heading, rows }: AskedTable,
  key: string,
  reading: Reading,
  { earlier, earlierInRow }: { earlier: Fields; earlierInRow: Fields },
): Field | undefined {
  const [row] = rows;
  // All are alike but for their labels, so one is read for all: what it loses is named once.
  const first = row && fieldOf(row, row.get('name'), reading, earlierInRow);
  if (!first) return undefined;
  for (const other of rows.slice(1))
    warnOfMissing(survey, other.row, textOf(other, 'label', reading.languages), reading.languages, reading.report);
  const { required, required_if: condition, messages, options = [] } = first.field;
  const isHeaded = heading !== undefined && someOf(textOf(group, 'label', reading.languages)) === '';
  const own = labelOf(isHeaded ? heading : group, reading, key, earlier);
  const values = withoutPrefix(
    rows.map((row) => row.get('name')),
    `${group.get('name')}_`,
  );
  const labels = rows.map((row) => textOf(row, 'label', reading.languages));
  const translations = Object.fromEntries(
    [...reading.languages.others.values()].flatMap((tag) => {
      const inLanguage = labels.flatMap((label, index) => {
        const text = label.translations[tag];
        return text === undefined ? [] : [[values[index] ?? '', text] as const];
      });
      const { options: columns, messages: said } = first.field.translations?.[tag] ?? {};
      const texts = {
        ...own.translations?.[tag],
        ...(inLanguage.length > 0 && { rows: Object.fromEntries(inLanguage) }),
        ...(columns && { columns }),
        ...(said && { messages: said }),
      };
      return Object.keys(texts).length === 0 ? [] : [[tag, texts] as const];
    }),
  );
  return {
    ...{ key, type: 'matrix', label: own.label, required },
    ...(own.help === undefined ? {} : { help: own.help }),
    ...(condition && { required_if: condition }),
    ...(messages && { messages }),
    ...(answerKindOf(first.field) === 'options' ? { multiple: true } : {}),
    rows: values.map((value, index) => ({ value, label: [labels[index]?.own ?? '', value].find((label) => label !== '') ?? value })),
    columns: options.map(({ value, label }) => ({ value, label })),
    ...(Object.keys(translations).length === 0 ? {} : { translations }),
  };
}

/** The names without what all begin with, as a matrix is written. */
const withoutPrefix = (names: readonly string[], prefix: string): readonly string[] =>
  prefix.length > 1 && names.every((name) => name.startsWith(prefix) && name.length > prefix.length)
    ? names.map((name) => name.slice(prefix.length))
    : names;
