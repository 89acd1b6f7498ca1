import { readFile } from 'node:fs/promises';
import { createTwoFilesPatch } from 'diff';
import type { Draft, FormSettingsDetail } from '@sheaf/client';
import { replaceFile } from './accounts';
import { Failure } from './failure';
import { fingerprintOf, settingNames, settingsOf, type Settings, type Titled } from './form-settings';

/** A form as a file: one property a line, always in the same order, so that version control shows what was changed and no more. */
export interface FormFile {
  /** For editors. */
  $schema?: string;
  form: string;
  title: string;
  /** The draft that the file was made from. A push replaces no other one. */
  revision: number;
  /** Absent in the file of an earlier version, which leaves title and settings as they are. */
  settings?: Settings;
  /** The title and settings that the file was made from. A push replaces no others. */
  settings_seen?: string;
  payment?: Draft['payment'];
  fields: Draft['fields'];
}

const seenIn = (titled: Titled): string => fingerprintOf(titled, ordered);

export function fileOf(form: FormSettingsDetail, { revision, payment, fields }: Draft): FormFile {
  const { id, title } = form;
  const settings = settingsOf(form);
  return {
    form: id,
    title,
    revision,
    settings,
    settings_seen: seenIn({ title, settings }),
    ...(payment === undefined ? {} : { payment }),
    fields,
  };
}

function textOf({ $schema, form, title, revision, settings, settings_seen, payment, fields }: FormFile): string {
  const shown = settings === undefined ? undefined : inOrder(settings);
  const content = ordered({ payment, fields }) as object;
  return `${JSON.stringify({ $schema, form, title, revision, settings: shown, settings_seen, ...content }, undefined, 2)}\n`;
}

/** The settings by their order, and what is in them by the alphabet. */
const inOrder = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settingsOf(settings)).map(([name, value]) => [name, ordered(value)]));

export const writeFormFile = (path: string, file: FormFile): Promise<void> => replaceFile(path, textOf(file));

/** @throws Failure that names the property */
export async function readFormFile(path: string): Promise<FormFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Failure(`${path}: cannot be read: ${(error as Error).message}`);
  });
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    const hint = /^<{7} /m.test(text) ? ' It has conflicts of a merge, which you resolve first.' : '';
    throw new Failure(`${path}: is not valid JSON: ${(error as Error).message}.${hint}`);
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new Failure(`${path}: must be an object, as "forms pull" writes it`);
  const { $schema, form, title, revision, settings, settings_seen: seen, payment, fields } = read as Partial<FormFile>;
  if (typeof form !== 'string' || form === '') throw new Failure(`${path}: form: must be the id of a form, as "forms pull" writes it`);
  if (typeof title !== 'string') throw new Failure(`${path}: title: must be a text`);
  if (typeof revision !== 'number' || !Number.isInteger(revision))
    throw new Failure(`${path}: revision: must be a whole number, as "forms pull" writes it`);
  if (settings !== undefined && (typeof settings !== 'object' || (settings as unknown) === null || Array.isArray(settings)))
    throw new Failure(`${path}: settings: must be an object`);
  if (settings !== undefined && typeof seen !== 'string')
    throw new Failure(`${path}: settings_seen: must be a text, as "forms pull" writes it`);
  const unknownSetting = Object.keys(settings ?? {}).find((name) => !settingNames.includes(name));
  if (unknownSetting !== undefined)
    throw new Failure(`${path}: settings.${unknownSetting}: is not a setting of a file. It may have ${settingNames.join(', ')}.`);
  if (!Array.isArray(fields)) throw new Failure(`${path}: fields: must be a list`);
  const unknown = Object.keys(read).find(
    (name) => !['$schema', 'form', 'title', 'revision', 'settings', 'settings_seen', 'payment', 'fields'].includes(name),
  );
  if (unknown !== undefined) throw new Failure(`${path}: ${unknown}: is not a property of a form's file`);
  return {
    ...(typeof $schema === 'string' ? { $schema } : {}),
    form,
    title,
    revision,
    ...(settings === undefined || seen === undefined ? {} : { settings: inOrder(settings), settings_seen: seen }),
    ...(payment === undefined ? {} : { payment }),
    fields,
  };
}

/** The properties by which people know a question come first, the others by the alphabet. */
const first = ['key', 'label', 'type', 'required', 'help'];
const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);

const ordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(ordered)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
            .map(([name, inner]) => [name, ordered(inner)]),
        )
      : value;

/** Whether a push changes the draft. The order of properties does not count. */
export const hasSameDraft = (from: FormFile, to: FormFile): boolean => contentOf(from) === contentOf(to);

/** Whether a push changes the title or the settings. */
export const hasSameSettings = (from: FormFile, to: FormFile): boolean =>
  to.settings === undefined || JSON.stringify(ordered([from.title, from.settings])) === JSON.stringify(ordered([to.title, to.settings]));

/** Whether the title and each setting is as it was before a push or as the push makes it, so that nobody else has changed one. */
export function hasSettingsBetween(now: FormFile, before: FormFile, wanted: FormFile): boolean {
  const [current, ...known] = [now, before, wanted].map(({ title, settings }): Settings => ({ ...settings, title }));
  return ['title', ...settingNames].every((name) =>
    known.some((one) => JSON.stringify(ordered(one[name])) === JSON.stringify(ordered(current?.[name]))),
  );
}

/** The difference of what a push changes; empty if there is none. */
export function difference(from: FormFile, to: FormFile, names: { from: string; to: string }): string {
  const [before, after] = [shownFor(from, to), shownFor(to, to)];
  if (before === after) return '';
  return createTwoFilesPatch(names.from, names.to, before, after, undefined, undefined, { context: 3 }).replace(/^=+\n/, '');
}

const contentOf = ({ payment, fields }: FormFile) => `${JSON.stringify(ordered({ payment, fields }), undefined, 2)}\n`;

/** A file without settings says nothing of them. */
const shownFor = (shown: FormFile, { settings: wanted }: FormFile): string => {
  const { title, settings, payment, fields } = shown;
  const titled = wanted === undefined ? {} : { title, settings: inOrder(settings ?? {}) };
  return `${JSON.stringify({ ...titled, ...(ordered({ payment, fields }) as object) }, undefined, 2)}\n`;
};
