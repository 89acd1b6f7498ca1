import type { AuditEntry } from '@sheaf/client';

const columns: readonly [name: string, value: (entry: AuditEntry) => string | undefined][] = [
  ['occurred_at', ({ occurred_at: time }) => time],
  ['action', ({ action }) => action],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['actor_name', ({ actor }) => actor.name],
  ['actor_email', ({ actor }) => actor.email],
  ['address', ({ address }) => address],
  ['target_kind', ({ target }) => target.kind],
  ['target_id', ({ target }) => target.id],
  ['workspace_id', ({ workspace_id: id }) => id],
  ['form_id', ({ form_id: id }) => id],
  ['request_id', ({ request_id: id }) => id],
  ['details', ({ details }) => (details === undefined ? undefined : JSON.stringify(details))],
];

/** People choose their names: a spreadsheet must not take one for a formula. */
const cell = (value = ''): string => {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** As RFC 4180 says, with the mark by which spreadsheets know UTF-8. */
export const asCsv = (entries: readonly AuditEntry[]): string =>
  `\uFEFF${[columns.map(([name]) => name), ...entries.map((entry) => columns.map(([, value]) => cell(value(entry))))].map((row) => row.join(',')).join('\r\n')}\r\n`;

export const asNdjson = (entries: readonly AuditEntry[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
