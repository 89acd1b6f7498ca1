import { access } from 'node:fs/promises';
import { all, createForm, getFormDraft, getFormSettings, searchForms, type FoundForm } from '@sheaf/client';
import type { Session } from './context';
import { Failure } from './failure';
import { difference, fileOf, readFormFile, writeFormFile, type FormFile } from './form-file';
import { cell, print, printJson, table } from './show';

export async function listForms(session: Session, { search }: { search?: string }): Promise<void> {
  const { client, signal, json } = session;
  const query = search === undefined ? {} : { q: search };
  const forms: FoundForm[] = [];
  for await (const form of all(searchForms, { client, query, signal })) {
    if (json) printJson(session, form);
    else forms.push(form);
  }
  if (json) return;
  const rows = forms.map(({ id, title, status, current_version: version, submissions }) => ({
    id,
    title,
    status,
    version,
    submissions: submissions?.total,
  }));
  print(session, rows.length === 0 ? 'None.' : table(rows, ['id', 'status', 'version', 'submissions', 'title']));
}

export async function pullForm(session: Session, form: string, { output, force }: { output?: string; force?: true }): Promise<void> {
  const { file: current } = await formOn(session, form);
  const path = output ?? `${fileNameOf(current.title) || current.form}.form.json`;
  if (force !== true && (await exists(path))) {
    const kept = await readFormFile(path).catch(() => undefined);
    const isSame = kept?.form === current.form && difference(kept, current, { from: '', to: '' }) === '';
    if (!isSame)
      throw new Failure(
        `${path}: differs from the form, and would be lost. Commit it, and pull with --force; or name another file with --output.`,
      );
  }
  const schema = (await readFormFile(path).catch(() => undefined))?.$schema;
  await writeFormFile(path, { ...(schema === undefined ? {} : { $schema: schema }), ...current });
  if (session.json) printJson(session, { file: path, form: current.form, revision: current.revision });
  else print(session, path);
}

/** Makes an empty form, and the file in which its questions are written. */
export async function createFormWithFile(session: Session, title: string, { output }: { output?: string }): Promise<void> {
  const { client, signal } = session;
  const path = output ?? `${fileNameOf(title) || 'form'}.form.json`;
  if (await exists(path)) throw new Failure(`${path}: is there already. Name another file with --output. No form was made.`);
  const { id } = await createForm({ client, body: { title }, signal });
  // The form is there from now on, whatever becomes of the file.
  session.say(`The form ${id} is made. Write its questions into ${path}, and push it.`);
  const { file } = await formOn(session, id);
  await writeFormFile(path, file);
  if (session.json) printJson(session, { file: path, form: id, revision: file.revision });
  else print(session, path);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A title as the name of a file; empty if it has no letter of these. */
const fileNameOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');

/** The form as it is on the server. */
export interface FormThere {
  file: FormFile;
  /** Whether saving a draft publishes it. */
  publishesItself: boolean;
}

export async function formOn({ client, signal }: Session, id: string): Promise<FormThere> {
  const path = { id };
  // One after the other: a title that was changed in between is then newer than the draft, and the next push says so.
  const draft = await getFormDraft({ client, path, signal });
  const form = await getFormSettings({ client, path, signal });
  return { file: fileOf(form, draft), publishesItself: form.publish_mode === 'auto' };
}

/** @returns whether the file differs from the draft */
export async function diffForm(session: Session, path: string): Promise<boolean> {
  const file = await readFormFile(path);
  const { file: current } = await formOn(session, file.form);
  const found = difference(current, file, { from: 'the form on the server', to: path });
  if (session.json) printJson(session, { differs: found !== '', revision: current.revision, pulled_revision: file.revision, patch: found });
  else if (found !== '') print(session, coloured(session, found));
  if (current.revision !== file.revision && found !== '')
    session.say(`The draft is at revision ${current.revision}, and the file was made from revision ${file.revision}.`);
  return found !== '';
}

/** A difference, as version control shows it. */
export function coloured({ hasColours }: Session, patch: string): string {
  const lines = patch.trimEnd().split('\n').map(cell);
  if (!hasColours) return lines.join('\n');
  const colours: Record<string, string> = { '+': '\u001b[32m', '-': '\u001b[31m', '@': '\u001b[36m' };
  return lines.map((line) => (line.charAt(0) in colours ? `${colours[line.charAt(0)] ?? ''}${line}\u001b[0m` : line)).join('\n');
}
