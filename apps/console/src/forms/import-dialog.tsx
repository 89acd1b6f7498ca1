import { importForm, type FormDocumentInput, type ImportedForm, type ImportWarning } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { DropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Text } from 'react-aria-components/Text';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/problem';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import { reloadLists } from './actions';
import style from './import-dialog.module.css';
import type { Beginning } from './question';

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file that is no form. The server never saw it. */
class NotAForm extends Error {}

/** Makes a form of a document of Sheaf or of an XLSForm. Parts of the file that the form does not have are shown before it opens. */
export function ImportDialog({ folder, onMade, onClose }: Beginning & { onClose: () => void }) {
  const say = useWords('forms');
  const take = useImport(folder);
  const navigate = useNavigate();
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const [imported, setImported] = useState<ImportedForm>();
  const open = (form: ImportedForm) => {
    onClose();
    if (onMade) onMade(form.id);
    else void navigate({ to: '/console/forms/$form/build', params: { form: form.id }, state: { isNewForm: true } });
  };
  const onFile = async (file: File | undefined) => {
    if (!file || isPending) return;
    setIsPending(true);
    setError(undefined);
    try {
      const form = await take(file);
      if ((form.warnings ?? []).length > 0) setImported(form);
      else open(form);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsPending(false);
    }
  };
  if (imported) return <Warnings form={imported} onClose={onClose} open={() => open(imported)} />;
  return (
    <Dialog title={say.importTitle} onClose={onClose} footer={<Button onPress={onClose}>{say.cancel}</Button>}>
      <p className="muted">{say.importHelp}</p>
      {error !== undefined &&
        (error instanceof NotAForm ? (
          <p role="alert" className={style.refusal}>
            {say.notAForm}
          </p>
        ) : (
          <Problem error={error} />
        ))}
      <DropZone
        className={style.zone ?? ''}
        onDrop={({ items }) => {
          const [item] = items.filter(({ kind }) => kind === 'file');
          if (item?.kind === 'file') void item.getFile().then(onFile);
        }}
      >
        <FileUp size={28} strokeWidth={1.5} aria-hidden />
        <Text slot="label">{say.dropHere}</Text>
        <FileTrigger acceptedFileTypes={['.json', 'application/json', '.xlsx', xlsx]} onSelect={(files) => void onFile(files?.[0])}>
          <Button isPending={isPending}>{isPending ? say.importing : say.chooseFile}</Button>
        </FileTrigger>
      </DropZone>
    </Dialog>
  );
}

function useImport(folder: string | undefined) {
  const queryClient = useQueryClient();
  const workspaceId = useSession().workspace?.id ?? '';
  const place = { workspace_id: workspaceId, ...(folder === undefined ? {} : { folder_id: folder }) };
  return async (file: File): Promise<ImportedForm> => {
    const isWorkbook = file.name.toLowerCase().endsWith('.xlsx') || file.type === xlsx;
    const form = isWorkbook
      ? // Not every system knows the type of such files.
        await importForm({ client, body: new Blob([file], { type: xlsx }), query: place })
      : await importForm({ client, body: { document: await documentIn(file), ...place } });
    await reloadLists(queryClient);
    return form;
  };
}

async function documentIn(file: File): Promise<FormDocumentInput> {
  const text = await file.text();
  try {
    const document = JSON.parse(text) as Partial<FormDocumentInput> | null;
    if (document?.sheaf === 'form') return document as FormDocumentInput;
  } catch {
    // Told below, like any other file that is none of ours.
  }
  throw new NotAForm();
}

function Warnings({ form, open, onClose }: { form: ImportedForm; open: () => void; onClose: () => void }) {
  const say = useWords('forms');
  const warnings: readonly ImportWarning[] = form.warnings ?? [];
  return (
    <Dialog
      title={say.importedWith(form.title)}
      onClose={onClose}
      footer={
        <Button look="primary" onPress={open}>
          {say.openForm}
        </Button>
      }
    >
      <p>{say.warningsHelp}</p>
      <ul className={style.warnings}>
        {warnings.map(({ sheet, row, message }) => (
          <li key={`${sheet} ${row} ${message}`}>
            <span className="muted">{say.atRow(sheet, row)}</span> <span dir="auto">{message}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
