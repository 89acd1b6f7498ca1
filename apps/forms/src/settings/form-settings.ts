import {
  fieldsOf,
  FormSettingsRequest,
  isRepeat,
  itemsIn,
  keysInThanks,
  parseInput,
  thanksFaults,
  type AccessCodeState,
  type FormSettings,
  type FormSettingsPatch,
  type Keeping,
} from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, Problem, type AnswerFault, type Client } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import { hashCode } from '@sheaf/runtime';
import { refusal } from '../content/faults';
import type { Deps } from '../deps';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { loadForm, lockForm, mayLiftHold, refuseTrashed } from '../form/load-form';
import type { SeenListedForm } from '../list/find-forms';
import { listedForms } from '../list/find-forms.queries';
import type { ListedFormRow, SettingsRow } from '../rows';
import { changeKeeping, shownKeeping } from './keeping';
import { keepingOf } from './keeping.queries';
import { logoHash, logoUrl, readLogo } from './logo';
import { settingsFaults } from './settings-rules';
import * as settings from './settings.queries';

/** A form with the settings that v1 does not know, and the logo as a data URL. */
export interface SeenSettings {
  seen: SeenListedForm;
  settings: FormSettings & Keeping & AccessCodeState;
}

export async function getFormSettings({ db }: Deps, caller: Client, { id }: { id: string }): Promise<SeenSettings> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'read this form');
  return {
    seen: { form: await formInList(db, caller, form.id), role },
    settings: shownSettings(await settings.settingsOf(db, form.id), shownKeeping(await keepingOf(db, form.id))),
  };
}

/** Changes settings, given as JSON. They take effect at once, without publishing. */
export async function updateFormSettings(deps: Deps, asked: Asked<Client>, wanted: { id: string; patch: string }): Promise<SeenSettings> {
  const given = parseInput(FormSettingsRequest, parse(wanted.patch));
  const { retention, legal_hold, searchable, access_code: code, ...patch } = given;
  const isForOwners = retention !== undefined || legal_hold !== undefined;
  const changesKeeping = isForOwners || searchable !== undefined;
  const changesSettings = code !== undefined || Object.keys(patch).length > 0;

  return deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, asked.caller, wanted.id);
    authorize(role, 'read this form');
    const keeping = await keepingOf(trx, form.id);
    const liftsHold = keeping.legal_hold && legal_hold !== undefined && legal_hold !== true;
    if (liftsHold && !mayLiftHold(asked.caller, form))
      throw Problem.forbidden(
        'A legal hold is lifted by owners and admins of the workspace, owners by a grant, and those who run the instance; having created the form is not enough.',
      );
    if (!liftsHold || Object.keys(given).length > 1)
      authorize(role, isForOwners ? 'decide how long this form keeps submissions' : 'change this form');
    // A form may come under legal hold wherever it is.
    if (!isForOwners || searchable !== undefined || changesSettings) refuseTrashed(form);
    const before = await settings.settingsOf(trx, form.id);
    const changed = Object.keys(given);
    const seen = async () => ({ form: await formInList(trx, asked.caller, form.id), role });
    if (changed.length === 0) return { seen: await seen(), settings: shownSettings(before, shownKeeping(keeping)) };

    const after = changedSettings(before, patch);
    if (code !== undefined) after.access_hash = code === null ? undefined : await hashCode(code);
    const faults = settingsFaults(JSON.parse(after.settings) as FormSettings);
    if (patch.thank_you !== undefined || patch.translations !== undefined)
      faults.push(...(await faultsOfThanks(trx, form.id, before, after)));
    if (faults.length > 0) throw refusal(faults);
    const now = deps.clock.now();
    if (changesSettings) await settings.saveSettings(trx, form.id, after);
    const kept = changesKeeping ? await changeKeeping(trx, form, { retention, legal_hold, searchable }, now) : undefined;
    await forms.updateForm(trx, form.id, { updated_at: now });
    await record(
      trx,
      formChanged(form, [form.slug], now),
      ...(kept ? [kept.event] : []),
      audited(asked, formDeed('form.updated', form, { changed }), now),
    );
    return { seen: await seen(), settings: shownSettings(after, shownKeeping(kept?.keeping ?? keeping)) };
  });
}

/** A form that was just found; somebody may have erased it since. */
async function formInList(db: Database, caller: Client, id: string): Promise<ListedFormRow> {
  const [form] = await listedForms(db, caller.id, [id]);
  if (!form) throw Problem.notFound('form');
  return form;
}

/**
 * The thank-you may show the answers to questions of the draft, which is published later, or of the version that people answer now. A question that is
 * gone since is no fault of this change.
 */
async function faultsOfThanks(db: Database, formId: string, before: SettingsRow, after: SettingsRow): Promise<AnswerFault[]> {
  const [earlier, given] = [before, after].map(({ settings: json }) => JSON.parse(json) as FormSettings);
  if (keysInThanks(given ?? {}).size === 0) return [];
  const texts = await settings.fieldsTextsOf(db, formId);
  const keys = new Set(texts.flatMap((json) => fieldsOf(itemsIn(json)).flatMap((field) => (isRepeat(field) ? [] : [field.key]))));
  const faultsIn = (of: FormSettings = {}) => thanksFaults(of, (key) => keys.has(key));
  const known = new Set(faultsIn(earlier).map((fault) => JSON.stringify(fault)));
  return faultsIn(given).filter((fault) => !known.has(JSON.stringify(fault)));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw Problem.badRequest('patch: must be JSON');
  }
}

/** Each setting of the patch replaces the whole setting; null clears it. */
export function changedSettings(
  { settings: json, ...before }: SettingsRow,
  { theme, ...patch }: Omit<FormSettingsPatch, keyof Keeping | 'access_code'>,
): SettingsRow {
  const kept = JSON.parse(json) as FormSettings;
  const logo = theme?.logo === undefined ? undefined : readLogo(theme.logo);
  const changes = { ...patch, ...(theme === undefined ? {} : { theme: theme && logo ? { ...theme, logo: logoHash(logo) } : theme }) };
  const after = Object.entries({ ...kept, ...changes }).filter(([, setting]) => setting !== null);
  return {
    ...before,
    settings: JSON.stringify(Object.fromEntries(after)),
    ...(theme === undefined ? {} : { logo_type: logo?.logo_type ?? null, logo: logo?.logo ?? null }),
  };
}

/** All settings as people see them: of the access code, whether there is one. */
const shownSettings = (row: SettingsRow, keeping: Keeping): SeenSettings['settings'] => ({
  ...withLogo(row),
  ...(row.access_hash === undefined ? {} : { has_access_code: true }),
  ...keeping,
});

export function withLogo({ settings: json, logo_type, logo }: SettingsRow): FormSettings {
  const read = JSON.parse(json) as FormSettings;
  return logo_type !== null && logo !== null ? { ...read, theme: { ...read.theme, logo: logoUrl({ logo_type, logo }) } } : read;
}
