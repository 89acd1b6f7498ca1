import { eraseForm, restoreForm, trashForm, type FormSettingsDetail } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Section } from '../parts/page';
import { toast } from '../parts/toasts';
import { useLanguage, useWords } from '../words/use-words';
import { SettingAction } from './setting-action';
import style from './settings.module.css';

/** Trash, which can be undone, and erasing, which cannot. For owners. */
export function DangerSection({ form }: { form: FormSettingsDetail }) {
  const say = useWords('formSettings');
  const [isErasing, setIsErasing] = useState(false);
  const { trash, restore, erase, isPending } = useTrash(form);
  return (
    <Section title={say.danger}>
      <div className={style.actions}>
        {form.status === 'trashed' ? (
          <>
            <SettingAction title={say.restoreTitle} help={say.restoreHelp}>
              <Button icon={Undo2} onPress={restore} isPending={isPending}>
                {say.restore}
              </Button>
            </SettingAction>
            <SettingAction title={say.eraseTitle} help={form.legal_hold === true ? say.eraseHeld : say.eraseHelp}>
              <Button look="danger" icon={Trash2} onPress={() => setIsErasing(true)} isDisabled={form.legal_hold === true}>
                {say.erase}
              </Button>
            </SettingAction>
          </>
        ) : (
          <SettingAction title={say.trashTitle} help={say.trashHelp}>
            <Button look="danger" icon={Trash2} onPress={trash} isPending={isPending}>
              {say.trash}
            </Button>
          </SettingAction>
        )}
      </div>
      {isErasing && (
        <ConfirmDialog
          title={say.eraseTitle}
          onClose={() => setIsErasing(false)}
          submitLabel={say.erase}
          typeToConfirm={form.title}
          onSubmit={erase}
        >
          <p>{say.eraseExplained}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function useTrash(form: FormSettingsDetail) {
  const say = useWords('formSettings');
  const language = useLanguage();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isPending, setIsPending] = useState(false);
  const path = { id: form.id };
  const refresh = async () => {
    void queryClient.invalidateQueries({ queryKey: ['forms'] });
    await queryClient.invalidateQueries({ queryKey: ['form', form.id], exact: true });
  };
  const run = (act: () => Promise<unknown>) => {
    setIsPending(true);
    act()
      .catch((error: unknown) => toast({ text: problemSentence(error, language).title }))
      .finally(() => setIsPending(false));
  };
  const bringBack = async () => {
    await restoreForm({ client, path });
    await refresh();
  };
  return {
    isPending,
    restore: () => run(bringBack),
    trash: () =>
      run(async () => {
        await trashForm({ client, path });
        toast({ text: say.trashed(form.title), onUndo: () => run(bringBack) });
        await refresh();
        await navigate({ to: '/console/forms' });
      }),
    erase: async () => {
      await eraseForm({ client, path, query: { forever: 'true' } });
      await navigate({ to: '/console/forms' });
      queryClient.removeQueries({ queryKey: ['form', form.id] });
      void queryClient.invalidateQueries({ queryKey: ['forms'] });
    },
  };
}
