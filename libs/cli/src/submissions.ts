import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  all,
  exportSubmissions,
  getSubmissionDetail,
  searchSubmissions,
  type ExportFormat,
  type SubmissionDetail,
  type SubmissionStatus,
} from '@sheaf/client';
import { fileOf, forget, howToFetch, prepare, whenReady } from './background-export';
import type { Session } from './context';
import { Failure } from './failure';
import { follow } from './follow';
import { fileOfPreset } from './preset-query';
import { cell, harmless, print, printJson } from './show';
import { queryOfView, type ListQuery } from './view-query';

export interface Conditions {
  /** The name or the id of a view of the form, in place of the others. */
  view?: string;
  search?: string;
  status?: SubmissionStatus[];
  /** Such as `age[gte]=18` and `_language=de`, as the API names them. */
  filter?: string[];
}

const queryOf = async (session: Session, form: string, { view, search, status, filter }: Conditions): Promise<ListQuery> =>
  view === undefined
    ? {
        ...(search === undefined ? {} : { q: search }),
        ...(status === undefined ? {} : { status }),
        ...(filter === undefined ? {} : { filter: filtersIn(filter) }),
      }
    : queryOfView(session, form, view);

/** By key and comparison; the server knows which there are. @throws Failure for what is no condition */
function filtersIn(conditions: readonly string[]): Record<string, Record<string, string[]>> {
  // Without a prototype: a condition may have any name, and `constructor` is none of its own otherwise.
  const filters = Object.create(null) as Record<string, Record<string, string[]>>;
  for (const condition of conditions) {
    const [, key = '', comparison = 'eq', value = ''] = /^(\w+)(?:\[(\w+)\])?=(.*)$/s.exec(condition) ?? [];
    if (key === '') throw new Failure('--filter: must be such as "town=Oslo", "age[gte]=18" or "_created[within]=last_7_days"', 2);
    const ofKey = (filters[key] ??= Object.create(null) as Record<string, string[]>);
    (ofKey[comparison] ??= []).push(value);
  }
  return filters;
}

export async function listSubmissions(
  session: Session,
  form: string,
  { limit, ...conditions }: Conditions & { limit: number },
): Promise<void> {
  const { client, signal } = session;
  const query = { ...(await queryOf(session, form, conditions)), limit: Math.min(limit, 100) };
  let shown = 0;
  for await (const submission of all(searchSubmissions, { client, path: { id: form }, query, signal })) {
    if (shown++ === limit) {
      if (!session.json) session.say(`There are more: --limit ${limit * 10}, or "submissions export" for all.`);
      return;
    }
    showSubmission(session, submission);
  }
  if (shown === 0 && !session.json) session.say('None.');
}

function showSubmission(session: Session, submission: SubmissionDetail): void {
  if (session.json) return printJson(session, submission);
  const { id, created_at: at, status, data } = submission;
  const answers = Object.entries(data).map(([key, value]) => `${cell(key)}=${cell(value).slice(0, 80)}`);
  print(session, `${id}  ${at}  ${cell(status)}  ${answers.join(' ')}`);
}

export async function showOneSubmission(session: Session, form: string, submission: string): Promise<void> {
  const { client, signal } = session;
  const found = await getSubmissionDetail({ client, path: { id: form, subId: submission }, signal });
  if (session.json) return printJson(session, found);
  const { data, ...facts } = found;
  for (const [name, value] of Object.entries(facts)) print(session, `${name}: ${cell(value)}`);
  print(session, 'data:');
  for (const [name, value] of Object.entries(data)) print(session, `  ${cell(name)}: ${cell(value)}`);
}

export interface ExportOptions extends Conditions {
  format: ExportFormat;
  /** The name or the id of an export preset of the form, in place of the format. */
  preset?: string;
  output?: string;
  /** Has the server make the file while nobody needs to wait. */
  background?: true;
  /** The id of an export that was begun so. */
  fetch?: string;
}

/** Writes to standard output, or to a file that is there only once it is complete. */
export async function exportForm(session: Session, form: string, options: ExportOptions): Promise<void> {
  const { format: plain, preset, output, background, fetch: id, ...conditions } = options;
  const { client, signal } = session;
  const file = preset === undefined ? { format: plain } : await fileOfPreset(session, form, preset);
  const { format } = file;
  if (format === 'xlsx' && output === undefined) throw new Failure('--output: name a file for a workbook, such as answers.xlsx', 2);
  if (format === 'zip' && output === undefined) throw new Failure('--output: name a file for an archive, such as answers.zip', 2);
  if (id !== undefined && output === undefined) throw new Failure('--output: name a file for the export, such as answers.csv', 2);
  const { sort: _, ...found } = await queryOf(session, form, conditions);
  const query = { ...found, ...file };
  if (background !== true && id === undefined)
    return write(session, await exportSubmissions({ client, path: { id: form }, query, signal }), output);
  const prepared = id === undefined ? await prepare(session, form, query) : { form, id };
  // Before anything can end this program.
  if (id === undefined) session.say(`The export has begun. ${howToFetch(session, prepared)}`);
  await whenReady(session, prepared);
  await write(session, await fileOf(session, prepared), output, howToFetch(session, prepared));
  await forget(session, prepared);
}

async function write(session: Session, { body }: Response, output: string | undefined, again = 'Run the command again.'): Promise<void> {
  const { signal, out, isTerminal } = session;
  const bytes = Readable.fromWeb(body as never);
  const endedEarly = (error: unknown): never => {
    if (signal.aborted || error instanceof Failure || (error as NodeJS.ErrnoException).path !== undefined) throw error;
    throw new Failure(`The connection ended before the export did (${(error as Error).message}). ${again}`, 1, 'incomplete');
  };
  if (output === undefined) {
    const steps = isTerminal ? [bytes, harmless(), out] : [bytes, out];
    return pipeline(steps as [Readable, NodeJS.WritableStream], { end: false, signal }).catch(endedEarly);
  }
  const part = `${output}.${randomUUID()}.part`;
  try {
    // Answers are for whoever has asked for them.
    await pipeline(bytes, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }), { signal }).catch(endedEarly);
    await rename(part, output);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  if (session.json) printJson(session, { file: output });
  else session.say(output);
}

/** A submission may become visible some seconds after one that has a later time. */
const overlapMs = 15_000;

/** Prints submissions as they arrive, each once, until Ctrl-C. Times are the server's. */
export async function tailSubmissions(session: Session, form: string, { intervalMs }: { intervalMs: number }): Promise<void> {
  const { client, signal } = session;
  const list = { client, path: { id: form }, signal };
  const [latest] = (await searchSubmissions({ ...list, query: { limit: 1 } })).data;
  let newest = latest === undefined ? 0 : Date.parse(latest.created_at);
  /** The submissions within the overlap, with their times. */
  const seen = new Map<string, number>();
  const look = async (): Promise<SubmissionDetail[]> => {
    const fresh: SubmissionDetail[] = [];
    const from = new Date(Math.max(0, newest - overlapMs)).toISOString();
    for await (const submission of all(searchSubmissions, { ...list, query: { from, limit: 100 } }))
      if (!seen.has(submission.id)) fresh.push(submission);
    for (const { id, created_at: at } of fresh) seen.set(id, Date.parse(at));
    newest = Math.max(newest, ...fresh.map(({ created_at: at }) => Date.parse(at)));
    for (const [id, at] of seen) if (at < newest - overlapMs) seen.delete(id);
    return fresh.reverse();
  };

  // Those that were there before are known, and not shown.
  await look();
  session.say('Waiting for submissions; Ctrl-C ends.');
  await follow(session, intervalMs, async () => {
    for (const submission of await look()) showSubmission(session, submission);
  });
}
