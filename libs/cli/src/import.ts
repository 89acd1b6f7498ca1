import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { importSubmissions, previewImport, type ImportFault, type ImportPreview } from '@sheaf/client';
import type { Session } from './context';
import { Failure } from './failure';
import { cell, printJson } from './show';

export interface ImportOptions {
  match?: string[];
  dateOrder?: 'day_first' | 'month_first';
  onlyValid?: true;
  events?: true;
  dryRun?: true;
  /** In place of one that is made of the file and the options. */
  key?: string;
}

/** Storing thousands of rows takes longer than an answer elsewhere. */
const timeoutMs = 300_000;

/**
 * Shows what a file would become, and imports it. The key of the import is made of the file and the options, so that a command that is run again
 * imports nothing twice. Whether events are sent is no part of it: with the same rows again, it is refused.
 */
export async function importFile(session: Session, form: string, path: string, options: ImportOptions): Promise<void> {
  const { client, signal } = session;
  const bytes = await readFile(path).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(`${path}: ${code === 'ENOENT' ? 'does not exist' : message}`);
  });
  const { match = [], dateOrder, onlyValid = false, events = false, dryRun, key } = options;
  const query = { match, ...(dateOrder && { date_order: dateOrder }) };
  const body = { file: new File([bytes], basename(path)) };
  const preview = await previewImport({ client, path: { id: form }, query, body, signal, timeoutMs });
  if (dryRun && session.json) return printJson(session, preview);
  if (!session.json) showPreview(session, preview);
  const isRefused = preview.fault_count > 0 && (!onlyValid || preview.valid === 0);
  if (isRefused)
    throw new Failure(
      `${preview.rows - preview.valid} of ${preview.rows} rows cannot be imported, so this run imported none.${hint(preview)}`,
    );
  if (dryRun) return;
  const done = await importSubmissions({
    client,
    path: { id: form },
    query: { ...query, version: preview.version, only_valid: onlyValid, events },
    body,
    headers: { 'Idempotency-Key': key ?? keyOf(bytes, [[...match].sort(), dateOrder, onlyValid]) },
    signal,
    timeoutMs,
  });
  if (session.json) return printJson(session, done);
  const leftOut = done.left_out > 0 ? `, ${done.left_out} rows left out` : '';
  session.say(`${done.imported} submissions imported${leftOut}.`);
  // The clocks of both are close.
  if (Date.now() - Date.parse(done.created_at) > timeoutMs)
    session.say(`That was at ${done.created_at}: nothing was imported again. To import the file once more, give the import another --key.`);
}

const keyOf = (bytes: Buffer, options: readonly unknown[]): string =>
  `file-${createHash('sha256').update(JSON.stringify(options)).update(bytes).digest('hex')}`;

const hint = ({ valid, faults }: ImportPreview): string =>
  [
    valid > 0 ? ' --only-valid leaves such rows out.' : '',
    faults.some(({ message }) => message.includes('date_order')) ? ' --date-order says what comes first in dates.' : '',
  ].join('');

function showPreview(session: Session, { columns, missing, unasked = [], faults, fault_count: count, rows, valid }: ImportPreview): void {
  for (const { number, heading, target } of columns) session.say(`${number}  ${cell(heading)} → ${cell(target)}`);
  if (missing.length > 0) session.say(`No column has the required ${missing.join(', ')}.`);
  if (unasked.length > 0)
    session.say(`Some answers to ${unasked.join(', ')} are dropped: other answers in their rows hide these questions.`);
  for (const fault of faults) session.say(faultLine(fault));
  if (count > faults.length) session.say(`and ${count - faults.length} more faults`);
  session.say(`${valid} of ${rows} rows can be imported.`);
}

const faultLine = ({ row, heading, key, message }: ImportFault): string =>
  `row ${row}${(heading ?? key) === undefined ? '' : `, ${cell(heading ?? key)}`}: ${cell(message)}`;
