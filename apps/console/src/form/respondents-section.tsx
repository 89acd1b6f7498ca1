import type { FormSettingsDetail, HelpContact } from '@sheaf/client';
import { Button } from '../parts/button';
import { NumberField, TextField } from '../parts/fields';
import { useWords } from '../words/use-words';
import { useSettingsDraft } from './settings-draft';
import { SettingsSection, SettingSwitch, useQuickSave } from './settings-section';
import style from './settings.module.css';

interface Props {
  form: FormSettingsDetail;
  mayEdit: boolean;
}

/** The settings that respondents meet on their way through the form. */
export function RespondentsSection(props: Props) {
  return (
    <>
      <FillingSection {...props} />
      <AccessSection {...props} />
      <ResumeSection {...props} />
      <HelpSection {...props} />
    </>
  );
}

function FillingSection({ form, mayEdit }: Props) {
  const say = useWords('formSettings');
  const draft = useSettingsDraft(form);
  const shared = { form, draft, mayEdit };
  return (
    <SettingsSection title={say.filling} help={say.fillingHelp} draft={draft} paths={[]} mayEdit={mayEdit}>
      <div className={style.switches}>
        <SettingSwitch {...shared} name="review_before_sending" label={say.review} help={say.reviewHelp} />
        <SettingSwitch {...shared} name="show_answers" label={say.showAnswers} help={say.showAnswersHelp} />
        <SettingSwitch {...shared} name="proof_of_work" label={say.proofOfWork} help={say.proofOfWorkHelp} />
      </div>
    </SettingsSection>
  );
}

/** The code itself is never shown again: what is typed here takes the place of the one that is set. */
function AccessSection({ form, mayEdit }: Props) {
  const say = useWords('formSettings');
  const draft = useSettingsDraft(form);
  const { save, pending } = useQuickSave(form.id);
  const isSet = form.has_access_code === true;
  return (
    <SettingsSection title={say.accessCode} help={say.accessCodeHelp} draft={draft} paths={['access_code']} mayEdit={mayEdit}>
      <p>{isSet ? say.accessCodeSet : say.accessCodeNotSet}</p>
      {mayEdit && (
        <div className={style.narrow}>
          <TextField
            label={isSet ? say.newAccessCode : say.accessCode}
            value={draft.value('access_code') ?? ''}
            onChange={(text) => draft.set('access_code', text === '' ? null : text)}
            fault={draft.fault('access_code')}
            maxLength={100}
            autoComplete="off"
          />
        </div>
      )}
      {mayEdit && isSet && (
        <div>
          <Button look="secondary" onPress={() => save({ access_code: null })} isPending={pending !== undefined}>
            {say.removeAccessCode}
          </Button>
        </div>
      )}
    </SettingsSection>
  );
}

function ResumeSection({ form, mayEdit }: Props) {
  const say = useWords('formSettings');
  const draft = useSettingsDraft(form);
  const days = draft.value('resume')?.days;
  return (
    <SettingsSection title={say.resume} help={say.resumeHelp} draft={draft} paths={['resume.days']} mayEdit={mayEdit}>
      <div className={style.narrow}>
        <NumberField
          label={say.resumeDays}
          value={days ?? Number.NaN}
          onChange={(value) => draft.set('resume', Number.isNaN(value) ? null : { days: value })}
          fault={draft.fault('resume.days')}
          minValue={1}
          maxValue={90}
          isReadOnly={!mayEdit}
        />
      </div>
      <p>{days === undefined ? say.resumeOff : say.resumeOn(days)}</p>
    </SettingsSection>
  );
}

function HelpSection({ form, mayEdit }: Props) {
  const say = useWords('formSettings');
  const draft = useSettingsDraft(form);
  const contact: HelpContact = draft.value('help_contact') ?? {};
  const field = (name: keyof HelpContact, label: string, type: 'email' | 'tel' | 'url', max: number) => (
    <TextField
      label={label}
      type={type}
      value={contact[name] ?? ''}
      onChange={(text) => {
        const next = Object.fromEntries(Object.entries({ ...contact, [name]: text }).filter(([, value]) => value !== ''));
        draft.set('help_contact', Object.keys(next).length === 0 ? null : next);
      }}
      fault={draft.fault(`help_contact.${name}`)}
      maxLength={max}
      isReadOnly={!mayEdit}
      autoComplete="off"
    />
  );
  return (
    <SettingsSection
      title={say.helpContact}
      help={say.helpContactHelp}
      draft={draft}
      paths={['help_contact.email', 'help_contact.phone', 'help_contact.url']}
      mayEdit={mayEdit}
    >
      <div className={style.pair}>
        {field('email', say.email, 'email', 254)}
        {field('phone', say.phone, 'tel', 40)}
      </div>
      {field('url', say.webPage, 'url', 2_048)}
    </SettingsSection>
  );
}
