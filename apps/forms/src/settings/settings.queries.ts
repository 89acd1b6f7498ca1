import { withAccessHash, withoutAccessHash } from '@sheaf/contracts';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { FormName, LogoRow, SettingsRow } from '../rows';

type LogoColumns = Pick<SettingsRow, 'logo_type' | 'logo'>;

export async function settingsOf(db: Database, formId: string): Promise<SettingsRow> {
  const [row] = await rowsOf<LogoColumns & { settings: string }>(
    db,
    'select settings, logo_type, logo from form_settings where form_id = ?',
    [formId],
  );
  if (!row) return { settings: '{}', access_hash: undefined, logo_type: null, logo: null };
  const { json, accessHash } = withoutAccessHash(row.settings);
  return { ...row, settings: json, access_hash: accessHash };
}

/** The settings as JSON text, without the bytes of the logo and the hash of the access code. */
export async function settingsTextOf(db: Database, formId: string): Promise<string> {
  const [row] = await rowsOf<{ settings: string }>(db, 'select settings from form_settings where form_id = ?', [formId]);
  return row ? withoutAccessHash(row.settings).json : '{}';
}

export async function saveSettings(
  trx: Transaction,
  formId: string,
  { settings, access_hash: accessHash, ...logo }: SettingsRow,
): Promise<void> {
  await trx('form_settings')
    .insert({ form_id: formId, settings: withAccessHash(settings, accessHash), ...logo })
    .onConflict('form_id')
    .merge();
}

/** With the access code: a copy is as closed as its form. */
export async function copySettings(trx: Transaction, from: string, to: string): Promise<void> {
  await trx.raw(
    `insert into form_settings (form_id, settings, logo_type, logo)
     select cast(? as uuid), settings, logo_type, logo from form_settings where form_id = ?`,
    [to, from],
  );
}

/** The fields of the draft and, if there is one, of the latest version, as JSON texts. */
export async function fieldsTextsOf(db: Database, formId: string): Promise<string[]> {
  const found = await rowsOf<{ fields: string }>(
    db,
    `select fields from draft where form_id = :formId
      union all
     select v.fields from form f join version v on v.form_id = f.id and v.number = f.current_version where f.id = :formId`,
    { formId },
  );
  return found.map(({ fields }) => fields);
}

/** The logo of a published form. */
export async function logoOf(db: Database, instanceId: string, by: FormName): Promise<LogoRow | undefined> {
  const [condition, value] = 'id' in by ? ['f.id = ?', by.id] : ['f.slug = ?', by.slug];
  const [row] = await rowsOf<LogoRow>(
    db,
    `select s.logo_type, s.logo
       from form f join form_settings s on s.form_id = f.id
      where f.instance_id = ? and ${condition} and f.status <> 'trashed' and f.current_version > 0 and s.logo is not null`,
    [instanceId, value],
  );
  return row;
}
