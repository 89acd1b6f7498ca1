import { eraseForm, listWorkspaces, moveForm, updateForm, type FoundForm } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { ConfirmDialog, FormDialog } from '../parts/dialog';
import { Select } from '../parts/fields';
import { Skeleton } from '../parts/states';
import { TextField } from '../parts/text-field';
import { toast } from '../parts/toasts';
import { useWords } from '../words/use-words';
import { reloadLists, useRun } from './actions';
import { FolderSelect, topLevel } from './folder-select';

interface FormDialogProps {
  form: FoundForm;
  onClose: () => void;
}

export function RenameFormDialog({ form, onClose }: FormDialogProps) {
  const say = useWords('forms');
  const queryClient = useQueryClient();
  const [title, setTitle] = useState(form.title);
  const rename = async () => {
    await updateForm({ client, path: { id: form.id }, body: { title } });
    await reloadLists(queryClient);
  };
  return (
    <FormDialog title={say.renameForm} submitLabel={say.rename} onClose={onClose} onSubmit={rename} isIncomplete={title.trim() === ''}>
      <TextField label={say.title} value={title} onChange={setTitle} maxLength={200} autoFocus />
    </FormDialog>
  );
}

export function MoveFormDialog({ form, onClose }: FormDialogProps) {
  const say = useWords('forms');
  const queryClient = useQueryClient();
  const { run } = useRun();
  const [folder, setFolder] = useState(form.folder_id ?? topLevel);
  const moveTo = (id: string | undefined) => updateForm({ client, path: { id: form.id }, body: { folder_id: id ?? null } });
  const move = async () => {
    await moveTo(folder === topLevel ? undefined : folder);
    toast({ text: say.movedNow(form.title), onUndo: () => run(() => moveTo(form.folder_id)) });
    await reloadLists(queryClient);
  };
  return (
    <FormDialog title={say.moveTitle(form.title)} submitLabel={say.move} onClose={onClose} onSubmit={move}>
      <FolderSelect label={say.folder} topLabel={say.noFolder} value={folder} onChange={setFolder} />
    </FormDialog>
  );
}

/** Only to workspaces in which the person may have forms. */
export function MoveToWorkspaceDialog({ form, onClose }: FormDialogProps) {
  const say = useWords('forms');
  const queryClient = useQueryClient();
  const [workspace, setWorkspace] = useState<string | null>(null);
  const { data } = useQuery({ queryKey: ['workspaces'], queryFn: ({ signal }) => listWorkspaces({ client, signal }) });
  const others = data?.data.filter(({ id, role }) => id !== form.workspace_id && role !== 'viewer');
  const move = async () => {
    if (workspace === null) return;
    await moveForm({ client, path: { id: form.id }, body: { workspace_id: workspace } });
    toast({ text: say.movedNow(form.title) });
    await reloadLists(queryClient);
  };
  return (
    <FormDialog
      title={say.moveTitle(form.title)}
      submitLabel={say.move}
      onClose={onClose}
      onSubmit={move}
      isIncomplete={workspace === null}
    >
      <p className="muted">{say.moveWorkspaceHelp}</p>
      {others === undefined ? (
        <Skeleton lines={1} />
      ) : others.length === 0 ? (
        <p>{say.noOtherWorkspace}</p>
      ) : (
        <Select
          label={say.workspace}
          placeholder={say.choose}
          options={others.map(({ id, name }) => ({ value: id, label: name }))}
          value={workspace}
          onChange={setWorkspace}
        />
      )}
    </FormDialog>
  );
}

export function EraseDialog({ form, onClose }: FormDialogProps) {
  const say = useWords('forms');
  const queryClient = useQueryClient();
  const erase = async () => {
    await eraseForm({ client, path: { id: form.id }, query: { forever: 'true' } });
    toast({ text: say.erasedNow(form.title) });
    await reloadLists(queryClient);
  };
  return (
    <ConfirmDialog
      title={say.eraseTitle(form.title)}
      submitLabel={say.eraseForever}
      typeToConfirm={form.title}
      onClose={onClose}
      onSubmit={erase}
    >
      <p>{say.eraseHelp(form.submissions?.total ?? 0)}</p>
    </ConfirmDialog>
  );
}
