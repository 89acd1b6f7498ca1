import { SheafError, type FormSettingsDetail } from '@sheaf/client';
import { useState } from 'react';
import { serverMessage } from '../api/problem-sentence';
import { useSaveSettings, type Settings } from './save-settings';

/** The settings of a section as they are typed: what was changed lies over what is saved, so that changes of others show meanwhile. */
export interface SettingsDraft {
  value: <Name extends keyof Settings>(name: Name) => Exclude<Settings[Name], undefined> | null;
  set: <Name extends keyof Settings>(name: Name, value: Settings[Name]) => void;
  /** The settings that differ from the saved ones. */
  changes: Partial<Settings>;
  isDirty: boolean;
  isSaving: boolean;
  error: unknown;
  /** The faults that the server found in settings, such as `theme.accent`. */
  fault: (path: string) => string | undefined;
  save: () => Promise<boolean>;
  discard: () => void;
}

export function useSettingsDraft(form: FormSettingsDetail): SettingsDraft {
  const saveSettings = useSaveSettings(form.id);
  const [typed, setTyped] = useState<Partial<Settings>>({});
  const [error, setError] = useState<unknown>();
  const [isSaving, setIsSaving] = useState(false);
  const saved = form as Partial<Settings>;
  const changes = changed(typed, saved);
  const faults = faultsOf(error);
  const save = async () => {
    if (Object.keys(changes).length === 0 || isSaving) return false;
    setIsSaving(true);
    setError(undefined);
    try {
      await saveSettings(changes);
      // Text that was typed while it was saved stays.
      setTyped((now) => changed(now, changes));
      return true;
    } catch (thrown) {
      setError(thrown);
      return false;
    } finally {
      setIsSaving(false);
    }
  };
  return {
    value: <Name extends keyof Settings>(name: Name) =>
      ((name in typed ? typed[name] : saved[name]) ?? null) as Exclude<Settings[Name], undefined> | null,
    set: (name, value) => setTyped((now) => ({ ...now, [name]: value })),
    changes,
    isDirty: Object.keys(changes).length > 0,
    isSaving,
    error,
    fault: (path) => faults.get(path),
    save,
    discard: () => {
      setTyped({});
      setError(undefined);
    },
  };
}

const changed = (typed: Partial<Settings>, than: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(Object.entries(typed).filter(([name, value]) => textOf(value) !== textOf(than[name as keyof Settings])));

/** The same for the same value, whatever the order of its properties. An absent setting is one that was cleared. */
const textOf = (value: unknown): string =>
  JSON.stringify(
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
      : (value ?? null),
  );

/** The server's sentences by the path of the setting that they are about. A single fault may stand in the message alone. */
export function faultsOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof SheafError)) return new Map();
  const [, path, message] = /^([a-z_][a-z0-9_.]*): (.+)$/s.exec(serverMessage(error)) ?? [];
  const alone = path !== undefined && message !== undefined ? [{ key: path, message }] : [];
  const all = error.details.length > 0 ? error.details : alone;
  return new Map(all.map(({ key, message: text }) => [key, sentence(text.startsWith(`${key}: `) ? text.slice(key.length + 2) : text)]));
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
