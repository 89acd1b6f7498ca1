import type { FormSettingsDetail, Retention } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { formRetentionQuery, retentionQuery } from '../api/retention';
import { NumberField } from '../parts/fields';
import { UpcomingDays } from '../retention/upcoming-days';
import { useWords } from '../words/use-words';
import { useSettingsDraft } from './settings-draft';
import { SettingsSection, SettingSwitch, useQuickSave } from './settings-section';
import style from './settings.module.css';

const kinds = ['submissions_days', 'files_days', 'trash_days'] as const;
/** Not a number where days were cleared. */
type Typed = Partial<Record<keyof Retention, number>>;

/** The changes that were typed over the saved days; null if nothing is left. */
function over(saved: Retention | undefined, typed: Typed): Retention | null {
  const next = Object.fromEntries(Object.entries({ ...saved, ...typed }).filter(([, value]) => !Number.isNaN(value)));
  return Object.keys(next).length === 0 ? null : next;
}

/** How long things are kept, in plain words of what happens when. */
export function KeepingSection({ form, mayEdit, maySearch }: { form: FormSettingsDetail; mayEdit: boolean; maySearch: boolean }) {
  const say = useWords('formSettings');
  const draft = useSettingsDraft(form);
  const retention: Retention = draft.value('retention') ?? {};
  const [typed, setTyped] = useState<Typed>({});
  const { set: setDraft, isDirty } = draft;
  const set = (name: keyof Retention, days: number) => {
    const next = { ...(isDirty ? typed : {}), [name]: days };
    setTyped(next);
    setDraft('retention', over(form.retention, next));
  };
  // All of it is sent at once, so the days that others save meanwhile must be under those that were typed here.
  useEffect(() => {
    if (isDirty) setDraft('retention', over(form.retention, typed));
  }, [form.retention]);
  const days = (name: keyof Retention, label: string) => (
    <NumberField
      label={label}
      value={retention[name] ?? Number.NaN}
      onChange={(value) => set(name, value)}
      fault={draft.fault(`retention.${name}`)}
      minValue={1}
      maxValue={36_500}
      isReadOnly={!mayEdit}
    />
  );
  const { data: usual } = useQuery(retentionQuery);
  const { data: schedule } = useQuery(formRetentionQuery(form.id, form.retention));
  const { save } = useQuickSave(form.id);
  const sentence = (name: keyof Retention, keeps: string, erases: (count: number) => string) => {
    const [own, ofInstance] = [retention[name], usual?.[name]];
    if (own !== undefined) return erases(own);
    return ofInstance === undefined ? keeps : `${erases(ofInstance)} ${say.asInstance}`;
  };
  const daysUntil = (of: Retention | undefined, name: keyof Retention) => of?.[name] ?? usual?.[name] ?? Infinity;
  const isShorter = kinds.some((name) => daysUntil(retention, name) < daysUntil(form.retention, name));
  return (
    <>
      <SettingsSection
        title={say.keeping}
        help={mayEdit ? say.keepingHelp : say.keepingForOwners}
        draft={draft}
        paths={['retention.submissions_days', 'retention.files_days', 'retention.trash_days']}
        mayEdit={mayEdit}
        confirm={isShorter && { title: say.shorterTitle, help: say.shorterHelp, label: say.shorten }}
      >
        <div className={style.pair}>
          {days('submissions_days', say.submissionsDays)}
          {days('files_days', say.filesDays)}
          {days('trash_days', say.trashDays)}
        </div>
        <ul className={style.notice}>
          <li>{sentence('submissions_days', say.keepsSubmissions, say.erasesSubmissions)}</li>
          <li>{sentence('files_days', say.keepsFiles, say.erasesFiles)}</li>
          <li>{sentence('trash_days', say.keepsTrash, say.erasesTrash)}</li>
          {form.legal_hold === true && <li>{say.heldNow}</li>}
        </ul>
        {schedule && (
          <UpcomingDays
            schedule={schedule}
            onUndo={mayEdit && ((name, days) => save({ retention: over(form.retention, { [name]: days ?? Number.NaN }) }))}
          />
        )}
      </SettingsSection>
      <HoldAndSearchSection form={form} mayHold={mayEdit} maySearch={maySearch} />
    </>
  );
}

function HoldAndSearchSection({ form, mayHold, maySearch }: { form: FormSettingsDetail; mayHold: boolean; maySearch: boolean }) {
  const say = useWords('formSettings');
  const draft = useSettingsDraft(form);
  const shared = { form, draft };
  return (
    <SettingsSection title={say.holdAndSearch} draft={draft} paths={[]} mayEdit={mayHold || maySearch}>
      <div className={style.switches}>
        <SettingSwitch {...shared} mayEdit={mayHold} name="legal_hold" label={say.legalHold} help={say.legalHoldHelp} />
        <SettingSwitch {...shared} mayEdit={maySearch} name="searchable" isOnByDefault label={say.searchable} help={say.searchableHelp} />
      </div>
    </SettingsSection>
  );
}
