import Table from 'cli-table3';

/** The columns of a table: a title, and the function that reads the value from a row. */
export type Columns<Row> = Record<string, (row: Row) => unknown>;

/** A table for people: without colours, so that it is readable in a file too. */
export function table<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  if (rows.length === 0) return 'None.';
  const shown = new Table({ head: Object.keys(columns), style: { head: [], border: [], compact: true } });
  shown.push(...rows.map((row) => Object.values(columns).map((valueIn) => cell(valueIn(row)))));
  return shown.toString();
}

/** One object, one field per line, with no decoration, so that a key can be copied. */
export function fields(record: Record<string, unknown>): string {
  const shown = Object.entries(record).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n');
}

/** Formats a value. Replaces control characters, so that stored text cannot control the terminal. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${cell(name)}: ${cell(inner)}`)
      .join(', ');
  return (typeof value === 'string' ? value : JSON.stringify(value)).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
}
