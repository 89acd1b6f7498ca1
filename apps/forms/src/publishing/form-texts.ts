import type { FormSettings } from '@sheaf/contracts';
import type { Database } from '@sheaf/postgres';
import type { FormRow } from '../rows';
import { settingsTextOf } from '../settings/settings.queries';
import type { FormTexts } from './publish-warnings';

/** The texts of a form that respondents read besides its fields. */
export async function formTexts(db: Database, { id, title, closed_message }: FormRow): Promise<FormTexts> {
  return { ...(JSON.parse(await settingsTextOf(db, id)) as FormSettings), title, closed_message: closed_message ?? undefined };
}
