import type { FormSettingsDetail } from '@sheaf/client';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { problemSentence } from '../api/problem-sentence';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Switch } from '../parts/fields';
import { Section } from '../parts/page';
import { Problem } from '../parts/problem';
import { toast } from '../parts/toasts';
import { useLanguage, useWords } from '../words/use-words';
import { useSaveSettings, type Settings } from './save-settings';
import { faultsOf, type SettingsDraft } from './settings-draft';
import style from './settings.module.css';
import { useUnsaved } from './unsaved';

interface SettingsSectionProps {
  title: string;
  help?: ReactNode;
  draft: SettingsDraft;
  /** The paths whose faults stand beside a field; an error that names none of them is shown below. */
  paths: readonly string[];
  mayEdit: boolean;
  /** The question before saving, where that cannot be undone. */
  confirm?: { title: string; help: string; label: string } | false;
  children: ReactNode;
}

/** Settings that are saved together. */
export function SettingsSection({ title, help, draft, paths, mayEdit, confirm = false, children }: SettingsSectionProps) {
  const say = useWords('formSettings');
  const [isSaved, setIsSaved] = useState(false);
  // Once they are shown the buttons stay, so that the one that was pressed keeps the focus.
  const [isTouched, setIsTouched] = useState(false);
  useUnsaved(title, draft.isDirty);
  const [isAsking, setIsAsking] = useState(false);
  const save = async () => setIsSaved(await draft.save());
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsTouched(true);
    if (confirm && draft.isDirty) setIsAsking(true);
    else await save();
  };
  const discard = () => {
    setIsTouched(true);
    setIsSaved(false);
    draft.discard();
  };
  const faults = [...faultsOf(draft.error).keys()];
  const isShown = faults.length > 0 && faults.every((path) => paths.includes(path));
  return (
    <Section title={title} help={help}>
      <form onSubmit={(event) => void submit(event)} noValidate className={style.form}>
        {children}
        {draft.error !== undefined && !isShown && <Problem error={draft.error} />}
        {mayEdit && (draft.isDirty || isTouched) && (
          <div className={style.bar}>
            <Button
              type="submit"
              look={draft.isDirty ? 'primary' : 'secondary'}
              isPending={draft.isSaving}
              aria-label={`${say.save}: ${title}`}
            >
              {say.save}
            </Button>
            <Button look="quiet" onPress={discard} isDisabled={draft.isSaving}>
              {say.discard}
            </Button>
            <span role="status" className="muted">
              {draft.isDirty ? say.unsaved : isSaved ? say.saved : ''}
            </span>
          </div>
        )}
      </form>
      {confirm && isAsking && (
        <ConfirmDialog title={confirm.title} onClose={() => setIsAsking(false)} submitLabel={confirm.label} onSubmit={save}>
          <p>{confirm.help}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

type Flag = 'review_before_sending' | 'show_answers' | 'proof_of_work' | 'searchable' | 'legal_hold';

/** A setting that is on or off. Like every other, it is saved with its section. */
export function SettingSwitch({
  form,
  draft,
  name,
  label,
  help,
  mayEdit,
  isOnByDefault = false,
}: {
  form: FormSettingsDetail;
  draft: SettingsDraft;
  name: Flag;
  label: string;
  help: string;
  mayEdit: boolean;
  isOnByDefault?: boolean;
}) {
  const saved = form[name];
  // One that is put back as it was is no change, also where nothing is saved.
  const change = (isOn: boolean) => draft.set(name, isOn === (saved ?? isOnByDefault) ? saved : isOn);
  return (
    <Switch isSelected={draft.value(name) ?? isOnByDefault} isDisabled={!mayEdit} onChange={change}>
      <span className={style.switchText}>
        <span>{label}</span>
        <span className="muted">{help}</span>
      </span>
    </Switch>
  );
}

/** For deeds, such as opening a form now: saves at once, and says at the edge of the screen if that failed. `pending` is what is being saved. */
export function useQuickSave(id: string): {
  save: (changes: Partial<Settings>, onDone?: () => void) => void;
  pending: Partial<Settings> | undefined;
} {
  const saveSettings = useSaveSettings(id);
  const language = useLanguage();
  const [pending, setPending] = useState<Partial<Settings>>();
  const save = (changes: Partial<Settings>, onDone?: () => void) => {
    if (pending) return;
    setPending(changes);
    saveSettings(changes)
      .then(onDone, (error: unknown) => toast({ text: problemSentence(error, language).title }))
      .finally(() => setPending(undefined));
  };
  return { save, pending };
}
