import type { FormSettingsDetail, PublishMode, SettableFormStatus } from '@sheaf/client';
import { RadioGroup, TextField } from '../parts/fields';
import { useWords } from '../words/use-words';
import { useSettingsDraft } from './settings-draft';
import { SettingsSection } from './settings-section';

interface Props {
  form: FormSettingsDetail;
  mayEdit: boolean;
}

export function BasicsSection({ form, mayEdit }: Props) {
  const say = useWords('formSettings');
  const draft = useSettingsDraft(form);
  return (
    <SettingsSection title={say.basics} draft={draft} paths={['title', 'description']} mayEdit={mayEdit}>
      <TextField
        label={say.title}
        value={draft.value('title') ?? ''}
        onChange={(title) => draft.set('title', title)}
        fault={draft.fault('title')}
        maxLength={200}
        isReadOnly={!mayEdit}
      />
      <TextField
        isLong
        label={say.description}
        help={say.descriptionHelp}
        value={draft.value('description') ?? ''}
        onChange={(text) => draft.set('description', text === '' ? null : text)}
        fault={draft.fault('description')}
        maxLength={5_000}
        isReadOnly={!mayEdit}
      />
      {form.status !== 'trashed' && (
        <RadioGroup<SettableFormStatus>
          label={say.status}
          value={draft.value('status') ?? 'active'}
          onChange={(status) => draft.set('status', status)}
          isDisabled={!mayEdit}
          options={[
            { value: 'active', label: say.active, help: say.activeHelp },
            { value: 'disabled', label: say.disabled, help: say.disabledHelp },
            { value: 'archived', label: say.archived, help: say.archivedHelp },
          ]}
        />
      )}
      <RadioGroup<PublishMode>
        label={say.publishing}
        value={draft.value('publish_mode') ?? 'draft'}
        onChange={(mode) => draft.set('publish_mode', mode)}
        isDisabled={!mayEdit}
        options={[
          { value: 'draft', label: say.byHand, help: say.byHandHelp },
          { value: 'auto', label: say.automatic, help: say.automaticHelp },
        ]}
      />
    </SettingsSection>
  );
}
