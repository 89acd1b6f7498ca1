import { getPreferences, setPreference } from '@sheaf/client';
import { client } from '../api/client';
import { currentAppearance, parseAppearance, setAppearance, type Appearance } from './appearance';

const key = 'console.appearance';

/** Takes effect here at once, and is kept with the person for their other devices. Rejects if it could not be kept. */
export async function chooseAppearance(change: Partial<Appearance>): Promise<void> {
  setAppearance(change);
  await setPreference({ client, path: { key }, body: { value: currentAppearance() } });
}

/** Takes over what the person has chosen elsewhere; without a choice, or if it cannot be read, this device stays as it is. */
export async function applyKeptAppearance(): Promise<void> {
  try {
    const { data } = await getPreferences({ client });
    setAppearance(parseAppearance(data[key]));
  } catch {
    // The look is no reason to keep anybody from their work.
  }
}
