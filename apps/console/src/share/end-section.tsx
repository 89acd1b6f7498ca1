import type { FormSettingsDetail, ThankYou } from '@sheaf/client';
import { useSettingsDraft } from '../form/settings-draft';
import { SettingsSection } from '../form/settings-section';
import { TextField } from '../parts/fields';
import { useWords } from '../words/use-words';

/** The end of the form, which respondents see once they have sent it. */
export function EndSection({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords('share');
  const draft = useSettingsDraft(form);
  const thanks: ThankYou = draft.value('thank_you') ?? {};
  const set = (name: keyof ThankYou, text: string) => {
    const next = Object.fromEntries(Object.entries({ ...thanks, [name]: text }).filter(([, value]) => value !== ''));
    draft.set('thank_you', Object.keys(next).length === 0 ? null : next);
  };
  return (
    <SettingsSection
      title={say.end}
      help={say.endHelp}
      draft={draft}
      paths={['thank_you.text', 'thank_you.redirect_url']}
      mayEdit={mayEdit}
    >
      <TextField
        isLong
        label={say.thanks}
        help={say.thanksHelp}
        value={thanks.text ?? ''}
        onChange={(text) => set('text', text)}
        fault={draft.fault('thank_you.text')}
        maxLength={5_000}
        isReadOnly={!mayEdit}
      />
      <TextField
        label={say.redirect}
        help={say.redirectHelp}
        type="url"
        placeholder="https://"
        value={thanks.redirect_url ?? ''}
        onChange={(text) => set('redirect_url', text.trim())}
        fault={draft.fault('thank_you.redirect_url')}
        maxLength={2_048}
        isReadOnly={!mayEdit}
      />
    </SettingsSection>
  );
}
