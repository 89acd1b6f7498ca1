import { checkFormPublication, getForm, publishFormDraft, saveFormDraft, SheafError, type PublishCheck } from '@sheaf/client';
import type { Session } from './context';
import { Failure } from './failure';
import { difference, hasSameDraft, hasSameSettings, hasSettingsBetween, readFormFile, writeFormFile, type FormFile } from './form-file';
import { saveSettings } from './form-settings';
import { coloured, formOn, type FormThere } from './forms';
import { cell, print, printJson } from './show';

export interface PushOptions {
  publish?: true;
  dryRun?: true;
  yes?: true;
}

export async function pushForm(session: Session, path: string, options: PushOptions): Promise<void> {
  const file = await readFormFile(path);
  const there = await formOn(session, file.form);
  if (file.settings === undefined && file.title !== there.file.title)
    throw new Failure(
      `${path}: title: the form is called “${cell(there.file.title)}”, and the file has no settings, with which a push would change it. Put that title into the file, or pull the form again.`,
    );
  const found = difference(there.file, file, { from: 'the form on the server', to: path });
  const isSameDraft = hasSameDraft(there.file, file);
  const isSameSettings = hasSameSettings(there.file, file);
  if (!isSameDraft && there.file.revision !== file.revision) throw changedMeanwhile(session, path, file, there.file.revision);
  if (!isSameSettings && there.file.settings_seen !== file.settings_seen) throw settingsChangedMeanwhile(session, path, file);
  if (found !== '' && !session.json) print(session, coloured(session, found));
  if (options.dryRun === true) {
    if (session.json) printJson(session, { form: file.form, differs: found !== '', revision: there.file.revision, patch: found });
    session.say(found === '' ? 'The form is the same already.' : 'This is what a push would save. Nothing was changed.');
    return;
  }

  if (found === '') session.say('The form is the same already.');
  else await agreed(session, options, effectOf({ isSameDraft, isSameSettings, publishesItself: there.publishesItself }));
  // A draft is saved by its revision. Settings have none, and a person may have thought about the question for long.
  if (!isSameSettings && (await formOn(session, file.form)).file.settings_seen !== there.file.settings_seen)
    throw settingsChangedMeanwhile(session, path, file);
  let current = file;
  // The draft first: it is not live yet, and more likely to be refused.
  if (!isSameDraft) {
    current = await save(session, path, file);
    session.say(`Saved as revision ${current.revision}.${nextStep(session, path, options, there)}`);
  } else if (there.file.revision !== file.revision) {
    // Also after a push whose end this program did not see.
    current = { ...file, revision: there.file.revision };
    await writeFormFile(path, current);
  }
  current = await pushSettings(session, path, current, there.file);
  const publishes = options.publish === true && !there.publishesItself;
  const version = publishes ? await publish(session, current, options) : undefined;
  const { revision } = current;
  if (session.json) printJson(session, { form: file.form, saved: found !== '', revision, ...(version === undefined ? {} : { version }) });
}

/** Saves what differs in the title and the settings, and takes them into the file as Sheaf keeps them: a time without an offset gets one. */
async function pushSettings(session: Session, path: string, file: FormFile, there: FormFile): Promise<FormFile> {
  const { title, settings } = file;
  if (settings === undefined) return file;
  let kept = there;
  if (!hasSameSettings(there, file)) {
    try {
      await saveSettings(session, file.form, { title: there.title, settings: there.settings ?? {} }, { title, settings });
    } catch (error) {
      // Some may be saved by now: the next push shows what is left, and does not take them for the change of somebody else.
      const now = await formOn(session, file.form).catch(() => undefined);
      if (now?.file.settings_seen !== undefined && hasSettingsBetween(now.file, there, file))
        await writeFormFile(path, { ...file, settings_seen: now.file.settings_seen });
      throw error;
    }
    session.say('Saved the settings.');
    kept = (await formOn(session, file.form)).file;
  }
  if (kept.settings_seen === file.settings_seen) return file;
  const current = {
    ...file,
    title: kept.title,
    ...(kept.settings === undefined ? {} : { settings: kept.settings }),
    ...(kept.settings_seen === undefined ? {} : { settings_seen: kept.settings_seen }),
  };
  await writeFormFile(path, current);
  return current;
}

function effectOf(push: { isSameDraft: boolean; isSameSettings: boolean; publishesItself: boolean }): string {
  const draft = push.publishesItself ? 'publish this, as the form publishes each draft' : 'save this as the draft';
  const settings = 'change the settings, which takes effect at once';
  if (push.isSameSettings) return draft;
  return push.isSameDraft ? settings : `${draft}, and ${settings}`;
}

const settingsChangedMeanwhile = ({ program }: Session, path: string, { form }: FormFile): Failure =>
  new Failure(
    [
      `${path}: settings: somebody has changed the title or the settings since this file was pulled. Nothing was saved.`,
      ...howToMerge(program, path, form),
    ].join('\n'),
    1,
    'conflict',
  );

const howToMerge = (program: string, path: string, form: string): string[] => [
  'Commit your file, take over theirs, and merge the two as your version control does:',
  `  ${program} forms pull ${form} --output ${path} --force`,
];

function nextStep({ program }: Session, path: string, { publish: publishes }: PushOptions, { publishesItself }: FormThere): string {
  if (publishesItself) return ' It is published.';
  return publishes === true ? '' : ` Publish it with "${program} forms push ${path} --publish", or in the console.`;
}

/** @returns the file as it is now: with the fields as Sheaf keeps them */
async function save(session: Session, path: string, file: FormFile): Promise<FormFile> {
  const { client, signal } = session;
  const { form, fields, payment, revision } = file;
  try {
    const body = { fields, revision, ...(payment === undefined ? {} : { payment }) };
    const saved = await saveFormDraft({ client, path: { id: form }, body, signal });
    const { fields: savedFields, payment: savedPayment, revision: fresh } = saved;
    const { payment: _, ...rest } = file;
    const kept = { ...rest, revision: fresh, ...(savedPayment === undefined ? {} : { payment: savedPayment }), fields: savedFields };
    await writeFormFile(path, kept);
    return kept;
  } catch (error) {
    if (!(error instanceof SheafError && error.code === 'conflict')) throw error;
    // It may be this push itself, whose answer was lost and which the client then repeated.
    const { file: now } = await formOn(session, form);
    if (!hasSameDraft(now, file)) throw changedMeanwhile(session, path, file, now.revision);
    const kept = { ...file, revision: now.revision };
    await writeFormFile(path, kept);
    return kept;
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
      ...howToMerge(program, path, form),
    ].join('\n'),
    1,
    'conflict',
  );
