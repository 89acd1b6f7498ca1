import {
  createFormExport,
  deleteFormExport,
  downloadFormExport,
  getFormExport,
  type CreateFormExportData,
  type FormExport,
} from '@sheaf/client';
import type { Session } from './context';
import { Failure } from './failure';
import { follow } from './follow';

const lookMs = 1_000;

/** A form, and an export of it that is made in the background. */
export interface Prepared {
  form: string;
  id: string;
}

/** Begins an export that the server makes whether or not this program runs. */
export async function prepare({ client, signal }: Session, form: string, query: CreateFormExportData['query']): Promise<Prepared> {
  const { id } = await createFormExport({ client, path: { id: form }, query: query ?? {}, signal });
  return { form, id };
}

/** Waits until the file is there, and tells how far it is. Ctrl-C ends the waiting, not the export. @throws Failure if there will be no file */
export async function whenReady(session: Session, { form, id }: Prepared): Promise<void> {
  const { client, signal } = session;
  const waiting = new AbortController();
  let told = '';
  const look = async () => {
    const found = await getFormExport({ client, path: { id: form, exportId: id }, signal });
    if (found.state === 'ready') return waiting.abort();
    if (found.state !== 'waiting' && found.state !== 'running') throw new Failure(reasonOf(found), 1, `export_${found.state}`);
    const text = progressOf(found);
    if (text !== told && !session.json) session.say(text);
    told = text;
  };
  await follow({ ...session, signal: AbortSignal.any([signal, waiting.signal]) }, lookMs, look);
  if (!signal.aborted) return;
  session.say(`The export goes on. ${howToFetch(session, { form, id })}`);
  signal.throwIfAborted();
}

export const howToFetch = ({ program }: Session, { form, id }: Prepared): string =>
  `Fetch its file with "${program} submissions export ${form} --fetch ${id} --output <file>".`;

export const fileOf = ({ client, signal }: Session, { form, id }: Prepared): Promise<Response> =>
  downloadFormExport({ client, path: { id: form, exportId: id }, signal });

/** Removes an export that has arrived: a workspace has a few at once, and the server need not keep the answers twice. */
export async function forget({ client, signal }: Session, { form, id }: Prepared): Promise<void> {
  await deleteFormExport({ client, path: { id: form, exportId: id }, signal }).catch(() => {
    // It goes by itself within a day, and the file is here.
  });
}

/** By tenths, so that a long export does not fill the screen. */
function progressOf({ state, done, total }: FormExport): string {
  if (state === 'waiting') return 'The export waits for its turn. Ctrl-C leaves it to the server.';
  if (total === undefined || total === 0) return 'The export is running.';
  return `The export is running: about ${Math.min(9, Math.floor((done / total) * 10)) * 10} % of ${total} submissions.`;
}

const reasons: Readonly<Record<string, string>> = {
  too_large: 'its file would be larger than this server allows. Export fewer submissions',
  took_too_long: 'it was not ready within a day. Try again, with fewer submissions if you can',
  not_searchable: 'searching was switched off for the form. Export without --search and --status',
};

const reasonOf = ({ state, reason = '' }: FormExport): string =>
  state === 'erased'
    ? 'Something of the form was erased after the export was begun, so its file is gone. Run the command again.'
    : `The export has failed: ${reasons[reason] ?? 'the server could not make it. Run the command again'}.`;
