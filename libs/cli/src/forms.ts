import { access } from 'node:fs/promises';
import {
  all,
  checkFormPublication,
  getForm,
  getFormDraft,
  publishFormDraft,
  saveFormDraft,
  searchForms,
  SheafError,
  type FoundForm,
  type PublishCheck,
} from '@sheaf/client';
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
  const path = output ?? `${nameOf(current)}.form.json`;
  if (force !== true && (await exists(path))) {
    const kept = await readFormFile(path).catch(() => undefined);
    const isSame = kept?.form === current.form && difference(kept, current, { from: '', to: '' }) === '';
    if (!isSame)
      throw new Failure(
        `${path}: differs from the form, and would be lost. Commit it, and pull with --force; or name another file with --output.`,
      );
  }
  await writeFormFile(path, current);
  if (session.json) printJson(session, { file: path, form: current.form, revision: current.revision });
  else print(session, path);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A title as the name of a file. */
const nameOf = ({ title, form }: FormFile): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '') || form;

/** The form as it is on the server. */
interface FormThere {
  file: FormFile;
  /** Whether saving a draft publishes it. */
  publishesItself: boolean;
}

async function formOn({ client, signal }: Session, id: string): Promise<FormThere> {
  const path = { id };
  // One after the other: a title that was changed in between is then newer than the draft, and the next push says so.
  const draft = await getFormDraft({ client, path, signal });
  const form = await getForm({ client, path, signal });
  return { file: fileOf(form, draft), publishesItself: form.publish_mode === 'auto' };
}

/** @returns whether the file differs from the draft */
export async function diffForm(session: Session, path: string): Promise<boolean> {
  const file = await readFormFile(path);
  const { file: current } = await formOn(session, file.form);
  const found = difference(current, file, { from: 'the draft on the server', to: path });
  if (session.json) printJson(session, { differs: found !== '', revision: current.revision, pulled_revision: file.revision, patch: found });
  else if (found !== '') print(session, coloured(session, found));
  if (current.revision !== file.revision && found !== '')
    session.say(`The draft is at revision ${current.revision}, and the file was made from revision ${file.revision}.`);
  return found !== '';
}

export interface PushOptions {
  publish?: true;
  dryRun?: true;
  yes?: true;
}

export async function pushForm(session: Session, path: string, options: PushOptions): Promise<void> {
  const file = await readFormFile(path);
  const there = await formOn(session, file.form);
  if (file.title !== there.file.title)
    throw new Failure(
      `${path}: title: the form is called “${cell(there.file.title)}”. A push changes fields and payment only: put that title into the file, or rename the form in the console.`,
    );
  const found = difference(there.file, file, { from: 'the draft on the server', to: path });
  if (found !== '' && there.file.revision !== file.revision) throw changedMeanwhile(session, path, file, there.file.revision);
  if (found !== '' && !session.json) print(session, coloured(session, found));
  if (options.dryRun === true) {
    if (session.json) printJson(session, { form: file.form, differs: found !== '', revision: there.file.revision, patch: found });
    session.say(found === '' ? 'The draft is the same already.' : 'This is what a push would save. Nothing was changed.');
    return;
  }

  let { revision } = there.file;
  if (found === '') {
    // Also after a push whose end this program did not see.
    if (revision !== file.revision) await writeFormFile(path, { ...file, revision });
    session.say('The draft is the same already.');
  } else {
    const effect = there.publishesItself ? 'publish this, as the form publishes each draft' : 'save this as the draft';
    await agreed(session, options, effect);
    revision = await save(session, path, file);
    session.say(`Saved as revision ${revision}.${nextStep(session, path, options, there)}`);
  }
  const version = options.publish === true && !there.publishesItself ? await publish(session, { ...file, revision }, options) : undefined;
  if (session.json) printJson(session, { form: file.form, saved: found !== '', revision, ...(version === undefined ? {} : { version }) });
}

function nextStep({ program }: Session, path: string, { publish: publishes }: PushOptions, { publishesItself }: FormThere): string {
  if (publishesItself) return ' It is published.';
  return publishes === true ? '' : ` Publish it with "${program} forms push ${path} --publish", or in the console.`;
}

/** @returns the revision that was saved */
async function save(session: Session, path: string, file: FormFile): Promise<number> {
  const { client, signal } = session;
  const { form, fields, payment, revision } = file;
  try {
    const body = { fields, revision, ...(payment === undefined ? {} : { payment }) };
    const saved = await saveFormDraft({ client, path: { id: form }, body, signal });
    await writeFormFile(path, fileOf({ id: form, title: file.title }, saved));
    return saved.revision;
  } catch (error) {
    if (!(error instanceof SheafError && error.code === 'conflict')) throw error;
    // It may be this push itself, whose answer was lost and which the client then repeated.
    const { file: now } = await formOn(session, form);
    if (difference(now, file, { from: '', to: '' }) !== '') throw changedMeanwhile(session, path, file, now.revision);
    await writeFormFile(path, { ...file, revision: now.revision });
    return now.revision;
  }
}

/** Publishes the revision whose effects the person has seen, and no other. @returns the version; undefined if there was nothing to publish */
async function publish(session: Session, file: FormFile, options: PushOptions): Promise<number | undefined> {
  const { client, signal } = session;
  const path = { id: file.form };
  for (let seen = file; ;) {
    const check = await checkFormPublication({ client, path, signal });
    const { current_version: latest } = await getForm({ client, path, signal });
    if (latest > 0 && check.changes.length === 0 && check.payment === undefined) {
      session.say(`Version ${latest} is the same already.`);
      return undefined;
    }
    for (const line of effectsOf(check)) session.say(cell(line));
    await agreed(session, options, `publish the draft as version ${latest + 1}`);
    try {
      const { version, published_at: at } = await publishFormDraft({ client, path, body: { revision: seen.revision }, signal });
      session.say(`Version ${version} was published at ${at}.`);
      if (seen !== file) session.say('It has changes of somebody else that the file is without: pull them before you go on.');
      return version;
    } catch (error) {
      if (!(error instanceof SheafError && error.code === 'conflict')) throw error;
      const { file: now } = await formOn(session, file.form);
      if (now.revision === seen.revision) throw error;
      seen = shownAgain(session, { seen, now }, options);
    }
  }
}

/** Shows what somebody else has saved since the person agreed. @throws Failure if there is nobody to ask again */
function shownAgain(session: Session, { seen, now }: { seen: FormFile; now: FormFile }, { yes }: PushOptions): FormFile {
  if (!session.json) print(session, coloured(session, difference(seen, now, { from: 'the draft as you saw it', to: 'the draft now' })));
  const moved = `Somebody has changed the draft meanwhile (revision ${seen.revision}, now ${now.revision}).`;
  if (yes === true || session.confirm === undefined) throw new Failure(`${moved} It was not published: pull it first.`, 1, 'conflict');
  session.say(`${moved} Look at what is different now.`);
  return now;
}

/** The effects of publishing on the submissions that are there, in words. */
const effectsOf = ({ warnings, affected, affected_options: options }: PublishCheck): string[] => [
  ...warnings,
  ...affected.map(({ key, ...counts }) => `${key}: ${howMany(counts)} with an answer`),
  ...options.map(({ key, options: gone, ...counts }) => `${key}: ${howMany(counts)} chose ${gone.join(', ')}`),
];

const howMany = ({ submissions, submissions_at_least: least }: { submissions?: number; submissions_at_least?: number }): string =>
  submissions === undefined ? `${least ?? 0} submissions or more` : `${submissions} ${submissions === 1 ? 'submission' : 'submissions'}`;

/** @throws Failure unless the person agrees */
async function agreed({ confirm }: Session, { yes }: PushOptions, effect: string): Promise<void> {
  if (yes === true) return;
  if (confirm === undefined)
    throw new Failure(`--yes: is required without a terminal, on which you could be asked whether to ${effect}.`, 2);
  if (!(await confirm(`Shall Sheaf ${effect}?`))) throw new Failure('Cancelled; nothing was changed.', 1, 'cancelled');
}

const changedMeanwhile = ({ program }: Session, path: string, { form, revision }: FormFile, now: number): Failure =>
  new Failure(
    [
      `${path}: somebody has changed the draft since this file was pulled (revision ${revision}, now ${now}). Nothing was saved.`,
      'Commit your file, take over theirs, and merge the two as your version control does:',
      `  ${program} forms pull ${form} --output ${path} --force`,
    ].join('\n'),
    1,
    'conflict',
  );

function coloured({ hasColours }: Session, patch: string): string {
  const lines = patch.trimEnd().split('\n').map(cell);
  if (!hasColours) return lines.join('\n');
  const colours: Record<string, string> = { '+': '\u001b[32m', '-': '\u001b[31m', '@': '\u001b[36m' };
  return lines.map((line) => (line.charAt(0) in colours ? `${colours[line.charAt(0)] ?? ''}${line}\u001b[0m` : line)).join('\n');
}
