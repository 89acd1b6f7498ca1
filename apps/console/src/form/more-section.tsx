import { duplicateForm, getFormDocument, listWorkspaces, moveForm, type FormSettingsDetail } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Copy, Download, FolderInput, Languages } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { Button, ButtonLink } from '../parts/button';
import { FormDialog } from '../parts/dialog';
import { Select } from '../parts/fields';
import { Section } from '../parts/page';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { languageName } from '../words/language-name';
import { useLanguage, useWords } from '../words/use-words';
import { download } from '../parts/download';
import { SettingAction } from './setting-action';
import style from './settings.module.css';

/** Languages, and what can be done with the form as a whole. */
export function MoreSection({ form, mayEdit, mayMove }: { form: FormSettingsDetail; mayEdit: boolean; mayMove: boolean }) {
  const say = useWords('formSettings');
  const formats = useFormats();
  const [isMoving, setIsMoving] = useState(false);
  const { duplicate, exportDocument, isPending } = useActions(form);
  const own = form.default_language ?? form.languages?.[0];
  const offered = (form.languages ?? (own === undefined ? [] : [own])).map((tag) => languageName(tag));
  return (
    <Section title={say.more}>
      <div className={style.actions}>
        <SettingAction
          title={say.languages}
          help={own === undefined ? say.noLanguages : say.languagesNow(formats.list(offered), languageName(own))}
        >
          <ButtonLink icon={Languages} href={`/console/forms/${form.id}/build?view=translations`}>
            {say.openTranslations}
          </ButtonLink>
        </SettingAction>
        <SettingAction title={say.duplicateTitle} help={say.duplicateHelp}>
          <Button icon={Copy} onPress={duplicate} isPending={isPending}>
            {say.duplicate}
          </Button>
        </SettingAction>
        {mayEdit && (
          <SettingAction title={say.exportTitle} help={say.exportHelp}>
            <Button icon={Download} onPress={exportDocument} isPending={isPending}>
              {say.exportForm}
            </Button>
          </SettingAction>
        )}
        {mayEdit && (
          <SettingAction title={say.xlsFormTitle} help={say.xlsFormHelp}>
            <ButtonLink icon={Download} href={`/app/v1/forms/${form.id}/xlsform`} download>
              {say.exportXlsForm}
            </ButtonLink>
          </SettingAction>
        )}
        {mayMove && (
          <SettingAction title={say.moveTitle} help={say.moveHelp}>
            <Button icon={FolderInput} onPress={() => setIsMoving(true)}>
              {say.move}
            </Button>
          </SettingAction>
        )}
      </div>
      {isMoving && <MoveDialog form={form} onClose={() => setIsMoving(false)} />}
    </Section>
  );
}

function useActions(form: FormSettingsDetail) {
  const say = useWords('formSettings');
  const language = useLanguage();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isPending, setIsPending] = useState(false);
  const run = (act: () => Promise<void>) => {
    setIsPending(true);
    act()
      .catch((error: unknown) => toast({ text: problemSentence(error, language).title }))
      .finally(() => setIsPending(false));
  };
  return {
    isPending,
    duplicate: () =>
      run(async () => {
        const copy = await duplicateForm({ client, path: { id: form.id } });
        void queryClient.invalidateQueries({ queryKey: ['forms'] });
        toast({ text: say.duplicated(copy.title) });
        await navigate({ to: '/console/forms/$form/build', params: { form: copy.id } });
      }),
    exportDocument: () =>
      run(async () => {
        const document = await getFormDocument({ client, path: { id: form.id } });
        download(`${form.slug ?? form.id}.form.json`, `${JSON.stringify(document, undefined, 2)}\n`, 'application/json');
      }),
  };
}

/** People with a role in the other workspace get it on the form, and those of this one lose theirs. */
function MoveDialog({ form, onClose }: { form: FormSettingsDetail; onClose: () => void }) {
  const say = useWords('formSettings');
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const { data } = useQuery({ queryKey: ['workspaces'], queryFn: ({ signal }) => listWorkspaces({ client, signal }) });
  const others = (data?.data ?? []).filter(({ id, role }) => id !== form.workspace_id && role !== 'viewer');
  const move = async () => {
    await moveForm({ client, path: { id: form.id }, body: { workspace_id: chosen ?? '' } });
    await queryClient.invalidateQueries({ queryKey: ['form', form.id], exact: true });
    void queryClient.invalidateQueries({ queryKey: ['forms'] });
    toast({ text: say.moved(others.find(({ id }) => id === chosen)?.name ?? '') });
  };
  return (
    <FormDialog title={say.moveTitle} onClose={onClose} submitLabel={say.move} onSubmit={move} isIncomplete={chosen === null}>
      <p>{say.moveExplained}</p>
      {data !== undefined && others.length === 0 ? (
        <p>{say.noOtherWorkspace}</p>
      ) : (
        <Select
          label={say.workspace}
          value={chosen}
          onChange={setChosen}
          placeholder={say.choose}
          options={others.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </FormDialog>
  );
}
