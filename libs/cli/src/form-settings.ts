import { createHash } from 'node:crypto';
import { updateForm, updateFormSettings, type FormSettingsDetail } from '@sheaf/client';
import type { Session } from './context';

/** The settings that v1 has, and those that the application's own interface adds. A form's people, webhooks, folder and legal hold are no matter of a file. */
const inV1 = ['slug', 'status', 'publish_mode', 'opens_at', 'closes_at', 'timezone', 'max_submissions', 'closed_message'] as const;
const inApp = [
  'description',
  'languages',
  'default_language',
  'translations',
  'thank_you',
  'help_contact',
  'theme',
  'review_before_sending',
  'show_answers',
  'resume',
  'proof_of_work',
  'embed_origins',
  'searchable',
  'retention',
] as const;
export const settingNames: readonly string[] = [...inV1, ...inApp];

/** Settings by their names in the API. Absent ones are not set. */
export type Settings = Partial<Record<string, unknown>>;

/** The title and the settings of a form. */
export interface Titled {
  title: string;
  settings: Settings;
}

/** Those that are set, in the order in which files have them. */
export function settingsOf(form: FormSettingsDetail | Settings): Settings {
  const values = form as Settings;
  return Object.fromEntries(
    settingNames.flatMap((name) => (values[name] === undefined || values[name] === null ? [] : [[name, values[name]]])),
  );
}

/** Names a title and settings, so that a push knows whether somebody has changed them since: unlike a draft, they have no revision. */
export const fingerprintOf = ({ title, settings }: Titled, ordered: (value: unknown) => unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(ordered([title, settings])))
    .digest('hex')
    .slice(0, 16);

/** Saves the settings that differ, and no others: so whoever may change some needs no right to the rest. */
export async function saveSettings({ client, signal }: Session, form: string, from: Titled, to: Titled): Promise<void> {
  const path = { id: form };
  const changed = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const [before, after] = [from.settings[name], to.settings[name]];
        return JSON.stringify(before) === JSON.stringify(after) ? [] : [[name, after ?? null]];
      }),
    );
  const app = changed(inApp);
  if (Object.keys(app).length > 0) await updateFormSettings({ client, path, body: app, signal });
  const v1 = { ...changed(inV1), ...(from.title === to.title ? {} : { title: to.title }) };
  // Last: one of them opens the form, or has it publish itself.
  if (Object.keys(v1).length > 0) await updateForm({ client, path, body: v1, signal });
}
