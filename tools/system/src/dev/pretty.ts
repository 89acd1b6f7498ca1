import { apps } from '@sheaf/kernel';
import { type Level } from '../log-lines';
import { isWorthShowing, printable, type Format } from '../terminal';

const levelColours: Record<Level, number> = { trace: 90, debug: 90, info: 32, warn: 33, error: 31, fatal: 31 };

/** Colours of the apps, in turn; red and yellow are reserved for levels. */
const appColours = [36, 35, 92, 94, 95, 96] as const;
const processColours: Record<string, number | undefined> = {
  ...Object.fromEntries(apps.map((app, index) => [app, appColours[index % appColours.length]])),
  dev: 1,
};

/** Fields that the line already shows, or that only programs need. */
const hiddenFields = new Set(['time', 'level', 'service', 'msg', 'err', 'pid', 'hostname', 'v', 'trace_id', 'span_id', 'trace_flags']);

const maxFields = 6;
const maxValueLength = 80;

/** Formats an entry for developers: time, process, level, message, some fields; an error's stack below. */
export const pretty: Format = (entry, { colour, quiet }) => {
  if (!isWorthShowing(entry, quiet ? 'warn' : 'trace')) return null;
  const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const record = JSON.parse(entry.json) as Record<string, unknown>;
  const stack = stackOf(record.err);

  const line = [
    paint(90, new Date(entry.time).toTimeString().slice(0, 8)),
    paint(processColours[entry.service] ?? 37, entry.service.padEnd(11)),
    paint(levelColours[entry.level], entry.level.toUpperCase().padEnd(5)),
    // The stack below already starts with the error's message.
    printable(stack === undefined || typeof record.msg !== 'string' ? entry.msg : record.msg),
    ...fieldsOf(record).map((field) => paint(90, field)),
  ].join(' ');
  return stack === undefined ? line : `${line}\n${paint(90, stack)}`;
};

function fieldsOf(record: Record<string, unknown>): string[] {
  const fields = Object.entries(record).filter(([name, value]) => !hiddenFields.has(name) && value !== undefined);
  const shown = fields
    .slice(0, maxFields)
    .map(([name, value]) => printable(`${name}=${shortened(typeof value === 'string' ? value : JSON.stringify(value))}`));
  return fields.length > shown.length ? [...shown, `+${fields.length - shown.length}`] : shown;
}

const shortened = (text: string): string => (text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text);

function stackOf(err: unknown): string | undefined {
  if (typeof err !== 'object' || err === null) return undefined;
  const { stack, type, message } = err as Record<string, unknown>;
  const text =
    typeof stack === 'string'
      ? stack
      : typeof message === 'string'
        ? `${typeof type === 'string' ? type : 'Error'}: ${message}`
        : undefined;
  return text === undefined ? undefined : `    ${printable(text)}`;
}
