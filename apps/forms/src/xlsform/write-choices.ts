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

  /** The name of an option: those of several choices are written with spaces between them. */
  static nameIn(field: Field, value: string): string {
    if (answerKindOf(field) !== 'options' || !/\s/.test(value)) return value;
    const taken = new Set(field.options?.map((option) => option.value));
    let name = value.replaceAll(/\s+/g, '_');
    while (taken.has(name)) name += '_';
    return name;
  }

  /** The name of the list with the options of the field, and its filter if some of them have conditions. */
  add(field: Field, options: Options, names: Names): { list: string; filter: string } {
    const { columns, filter } = filterOf(options, names);
    const rows = options.flatMap(({ value, label }, index) =>
      (columns[index] ?? [{}]).map((cells) => ({
        name: Lists.nameIn(field, value),
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

function optionLabel({ translations }: Field, tag: string, value: string): string | undefined {
  const { options } = translations?.[tag] ?? {};
  return options && Object.hasOwn(options, value) ? options[value] : undefined;
}

/** The cells by which a filter tells the options apart: for each option, those of its rows. */
interface Filtered {
  columns: Row[][];
  filter: string;
}

function filterOf(options: Options, names: Names): Filtered {
  if (options.every(({ visible_if }) => visible_if === undefined)) return { columns: options.map(() => [{}]), filter: '' };
  return byParents(options, names) ?? byCondition(options, names);
}

/** More rows than any cascade of an author has. */
const maxRows = 5_000;

/** As authors write cascades: each option has the answers to other questions that it belongs to, and a row for each of several. */
function byParents(options: Options, names: Names): Filtered | undefined {
  const found = options.map(({ visible_if }) => (visible_if ? alternatives(visible_if) : undefined));
  const rows = found.flatMap((each) => each ?? []);
  const keys = Object.keys(rows[0] ?? {});
  const parents = keys.map((key) => names.get(key));
  const areColumns = keys.every((key) => !['list_name', 'name', 'label', 'value', 'image'].includes(key));
  if (!areColumns || !parents.every((parent) => parent?.field.options) || rows.length > maxRows) return undefined;
  const isWhole = (row: Row) => Object.keys(row).length === keys.length && keys.every((key) => Object.hasOwn(row, key));
  if (!found.every((each) => each?.every(isWhole))) return undefined;
  const cells = (row: Row): Row => Object.fromEntries(keys.map((key) => [key, names.get(key)?.nameOf(row[key] ?? '') ?? '']));
  const terms = keys.map((key, at) => {
    const node = nodeOf(key, names);
    return parents[at] && answerKindOf(parents[at].field) === 'options' ? `selected(${node}, ${key})` : `${key} = ${node}`;
  });
  return { columns: found.map((each) => (each ?? []).map(cells)), filter: terms.join(' and ') };
}

/** The answers under which the condition holds, by their keys, if it asks only what is chosen. */
function alternatives({ key, equals, in: among, all, any }: Condition): Row[] | undefined {
  if (any) return together(any.map(alternatives));
  if (all) {
    let rows: Row[] = [{}];
    for (const part of all) {
      const each = alternatives(part);
      if (!each || rows.length * each.length > maxRows) return undefined;
      rows = rows.flatMap((row) => each.map((further) => ({ ...row, ...further })));
    }
    return rows;
  }
  const values: readonly unknown[] = among ?? [equals];
  return key === undefined ? undefined : together(values.map((value) => (typeof value === 'string' ? [{ [key]: value }] : undefined)));
}

const together = (all: readonly (Row[] | undefined)[]): Row[] | undefined =>
  all.some((each) => each === undefined) ? undefined : all.flatMap((each) => each ?? []);

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
