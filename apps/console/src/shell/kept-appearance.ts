import { getPreferences, setPreference } from '@sheaf/client';
import { client } from '../api/client';

const key = 'console.appearance';

export const keepAppearance = (value: unknown): Promise<unknown> => setPreference({ client, path: { key }, body: { value } });

export const keptAppearance = async (): Promise<unknown> => (await getPreferences({ client })).data[key];
