import { answerKindOf, type Condition, type Field } from '@sheaf/contracts';
import { nodeOf, xpathOf, type Names } from './write-expressions';
import { textCells, type Row, type WrittenLanguages } from './write-row';

type Options = NonNullable<Field['options']>;

/** The column with the number of the condition under which an option is offered. */
const conditionColumn = 'shown_if';

/** The lists of options in the sheet `choices`. Questions with the same options share one. */
export class Lists {
  readonly rows: Row[] = [];
  /** Whether a list has one option several times, which readers refuse unless they are told. */
  hasTwice = false;
  private readonly known = new Map<string, string>();

  constructor(private readonly languages: WrittenLanguages) {}

  /** The name of the list with the options of the field, and its filter if some of them have conditions. */
  add(field: Field, options: Options, names: Names): { list: string; filter: string } {
    const { columns, filter } = filterOf(options, names, maxRows - this.rows.length);
    const rows = options.flatMap(({ value, label }, index) =>
      (columns[index] ?? [{}]).map((cells) => ({
        name: names.get(field.key)?.nameOf(value) ?? value,
        ...textCells('label', label, (tag) => optionLabel(field, tag, value), this.languages),
        ...cells,
      })),
    );
    if (columns.some(({ length }) => length > 1)) this.hasTwice = true;
    const content = JSON.stringify(rows);
    const list = this.known.get(content) ?? field.key;
    if (!this.known.has(content)) this.rows.push(...rows.map((row) => ({ list_name: list, ...row })));
    this.known.set(content, list);
    return { list, filter };
  }
}

/**
 * The names of the options whose values are no names: those of several choices are written with spaces between them. No two are alike.
 */
export function optionNames(field: Field): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (answerKindOf(field) !== 'options') return names;
  const taken = new Set(field.options?.map(({ value }) => value));
  for (const { value } of field.options ?? []) {
    if (!/\s/.test(value)) continue;
    let name = value.replaceAll(/\s+/g, '_');
    while (taken.has(name)) name += '_';
    taken.add(name);
    names.set(value, name);
  }
  return names;
}

function optionLabel({ translations }: Field, tag: string, value: string): string | undefined {
  const { options } = translations?.[tag] ?? {};
  return options && Object.hasOwn(options, value) ? options[value] : undefined;
}

/** The cells by which a filter tells the options apart: for each option, those of its rows. */
interface Filtered {
  columns: Row[][];
  filter: string;
}

function filterOf(options: Options, names: Names, roomFor: number): Filtered {
  if (options.every(({ visible_if }) => visible_if === undefined)) return { columns: options.map(() => [{}]), filter: '' };
  return byParents(options, names, roomFor) ?? byCondition(options, names);
}

/** As many rows as a sheet of options may have that is imported again. Beyond them, each option has one row. */
const maxRows = 15_000;
/** More than any option of an author has. */
const maxRowsOfOption = 200;

/** The names of columns that mean something else. */
const reserved: ReadonlySet<string> = new Set([
  ...['list_name', 'name', 'value', 'label', 'caption', 'media', 'image', 'audio', 'video', conditionColumn],
]);

/** As authors write cascades: each option has the answers to other questions that it belongs to, and a row for each of several. */
function byParents(options: Options, names: Names, roomFor: number): Filtered | undefined {
  const columns: Row[][] = [];
  let [keys, count]: [string[] | undefined, number] = [undefined, 0];
  for (const { visible_if } of options) {
    const rows = visible_if && alternatives(visible_if);
    keys ??= Object.keys(rows?.[0] ?? {});
    count += rows?.length ?? 0;
    if (!rows || !keys.every((key) => rows.every((row) => Object.hasOwn(row, key)))) return undefined;
    if (rows.some((row) => Object.keys(row).length !== keys?.length) || count > roomFor) return undefined;
    columns.push(rows);
  }
  const parents = (keys ?? []).flatMap((key) => names.get(key) ?? []);
  const isOfSeveral = parents.some(({ field }) => answerKindOf(field) === 'options');
  if (!parents.every(({ field }) => field.options && !reserved.has(field.key)) || parents.length !== keys?.length) return undefined;
  // An answer with two of its options would offer another option once for each.
  if (isOfSeveral && columns.some((rows) => rows.length > 1)) return undefined;
  const terms = parents.map(({ field }) => {
    const node = nodeOf(field.key, names);
    return answerKindOf(field) === 'options' ? `selected(${node}, ${field.key})` : `${field.key} = ${node}`;
  });
  const named = (row: Row): Row => Object.fromEntries(parents.map(({ field, nameOf }) => [field.key, nameOf(row[field.key] ?? '')]));
  return { columns: columns.map((rows) => rows.map(named)), filter: terms.join(' and ') };
}

/** The answers under which the condition holds, by their keys, each once, if it only asks for options that are chosen, and for few of them. */
function alternatives({ key, equals, in: among, all, any }: Condition): Row[] | undefined {
  if (any) return together(any);
  if (all) {
    let rows: Row[] = [{}];
    for (const part of all) {
      const each = alternatives(part);
      if (!each || rows.length * each.length > maxRowsOfOption) return undefined;
      // Two parts about one answer hold together only where both do.
      if (each.some((further) => Object.keys(further).some((one) => Object.hasOwn(rows[0] ?? {}, one)))) return undefined;
      rows = rows.flatMap((row) => each.map((further) => ({ ...row, ...further })));
    }
    return rows;
  }
  const values: readonly unknown[] = among ?? [equals];
  if (key === undefined || values.length > maxRowsOfOption || !values.every((value) => typeof value === 'string')) return undefined;
  return [...new Set(values)].map((value) => ({ [key]: value }));
}

function together(conditions: readonly Condition[]): Row[] | undefined {
  const rows = new Map<string, Row>();
  for (const condition of conditions) {
    const found = alternatives(condition);
    if (!found || rows.size + found.length > maxRowsOfOption) return undefined;
    for (const row of found) rows.set(JSON.stringify(Object.entries(row).toSorted()), row);
  }
  return [...rows.values()];
}

/** Any condition: each option has the number of its own, and the filter says which numbers are offered. */
function byCondition(options: Options, names: Names): Filtered {
  const conditions: Condition[] = [];
  const numbers = new Map<string, number>();
  const columns = options.map(({ visible_if }) => {
    if (!visible_if) return [{ [conditionColumn]: '0' }];
    const written = JSON.stringify(visible_if);
    const number = numbers.get(written) ?? conditions.push(visible_if);
    numbers.set(written, number);
    return [{ [conditionColumn]: String(number) }];
  });
  const terms = conditions.map((condition, index) => `(${conditionColumn} = ${index + 1} and (${xpathOf(condition, names)}))`);
  const always = options.some(({ visible_if }) => !visible_if) ? [`${conditionColumn} = 0`] : [];
  return { columns, filter: [...always, ...terms].join(' or ') };
}
