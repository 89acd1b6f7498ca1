import Table from 'cli-table3';

/** A column of a table: its title, and what it takes from a row. */
export type Columns<Row> = Record<string, (row: Row) => unknown>;

/** A table for people: rows under titles, without colours, so that it can be read from a file as well. */
export function table<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  if (rows.length === 0) return 'None.';
  const shown = new Table({ head: Object.keys(columns), style: { head: [], border: [], compact: true } });
  shown.push(...rows.map((row) => Object.values(columns).map((take) => cell(take(row)))));
  return shown.toString();
}

/** One thing, a line for each of its fields; nothing around them, so that a key can be copied. */
export function fields(of: Record<string, unknown>): string {
  const shown = Object.entries(of).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n');
}

/** Whatever a stored text holds, it does not get at the terminal's controls. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${cell(name)}: ${cell(inner)}`)
      .join(', ');
  return (typeof value === 'string' ? value : JSON.stringify(value)).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
}
