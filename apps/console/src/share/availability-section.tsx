import type { FormSettingsDetail } from '@sheaf/client';
import { useSettingsDraft, type SettingsDraft } from '../form/settings-draft';
import { SettingsSection } from '../form/settings-section';
import { NumberField, TextField } from '../parts/fields';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './share.module.css';
import { TimeZoneField } from './time-zone-field';
import { instantOf, ownZone, usualZone, wallTime } from './wall-time';

/** When the form takes submissions, and how many. */
export function AvailabilitySection({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords('share');
  const formats = useFormats();
  const draft = useSettingsDraft(form);
  const zone = draft.value('timezone') ?? usualZone;
  const limit = draft.value('max_submissions');
  const taken = form.submissions?.total;
  return (
    <SettingsSection
      title={say.availability}
      help={say.availabilityHelp}
      draft={draft}
      paths={['opens_at', 'closes_at', 'timezone', 'max_submissions', 'closed_message']}
      mayEdit={mayEdit}
    >
      <TimeZoneField
        label={say.timeZone}
        help={say.timeZoneHelp}
        value={zone}
        onChange={(next) => draft.set('timezone', next === usualZone && form.timezone === undefined ? null : next)}
        isReadOnly={!mayEdit}
      />
      <div className={style.pair}>
        <TimeField name="opens_at" label={say.opens} form={form} draft={draft} zone={zone} mayEdit={mayEdit} />
        <TimeField name="closes_at" label={say.closes} form={form} draft={draft} zone={zone} mayEdit={mayEdit} />
      </div>
      <NumberField
        label={say.limit}
        help={taken === undefined ? say.limitHelp : `${say.limitHelp} ${say.takenSoFar(formats.number(taken))}`}
        value={limit ?? Number.NaN}
        onChange={(value) => draft.set('max_submissions', Number.isNaN(value) ? null : value)}
        fault={draft.fault('max_submissions')}
        minValue={0}
        maxValue={2_147_483_647}
        isReadOnly={!mayEdit}
      />
      <TextField
        isLong
        label={say.closedMessage}
        help={say.closedMessageHelp}
        value={draft.value('closed_message') ?? ''}
        onChange={(text) => draft.set('closed_message', text === '' ? null : text)}
        fault={draft.fault('closed_message')}
        maxLength={500}
        isReadOnly={!mayEdit}
      />
    </SettingsSection>
  );
}

/** A time on the clocks of the form's zone; below it, what the reader's own clock shows then, if that differs. */
function TimeField({
  name,
  label,
  form,
  draft,
  zone,
  mayEdit,
}: {
  name: 'opens_at' | 'closes_at';
  label: string;
  form: FormSettingsDetail;
  draft: SettingsDraft;
  zone: string;
  mayEdit: boolean;
}) {
  const say = useWords('share');
  const formats = useFormats();
  const value = draft.value(name);
  const saved = form[name];
  // The typed time is local to the zone; the saved one is an instant.
  const shown = value === null ? '' : value === saved ? wallTime(value, zone) : value.slice(0, 16);
  const instant = shown === '' ? undefined : instantOf(shown, zone);
  const own = ownZone();
  return (
    <div className={style.stack}>
      <TextField
        label={label}
        type="datetime-local"
        value={shown}
        onChange={(text) => {
          if (saved !== undefined && text === wallTime(saved, zone)) draft.set(name, saved);
          else draft.set(name, text === '' ? null : `${text.slice(0, 16)}:00`);
        }}
        fault={draft.fault(name)}
        isReadOnly={!mayEdit}
      />
      {instant === undefined ? (
        <p className="muted">{say.anyTime}</p>
      ) : (
        own !== zone && <p className="muted">{say.forYou(formats.dateTime(instant, own), own)}</p>
      )}
    </div>
  );
}
