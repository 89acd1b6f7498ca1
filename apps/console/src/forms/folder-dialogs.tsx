import { createFolder, deleteFolder, updateFolder, type FolderSummary } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { ConfirmDialog, FormDialog } from '../parts/dialog';
import { TextField } from '../parts/text-field';
import { toast } from '../parts/toasts';
import { useWords } from '../words/use-words';
import { reloadLists } from './actions';
import { FolderSelect, topLevel } from './folder-select';
import { useFolders } from './folders';
import { elsewhere } from './place';
import { within } from './tree';
import { usePlace } from './use-place';

interface FolderDialogProps {
  folder: FolderSummary;
  onClose: () => void;
}

/** Opens the new folder, which is where the person wants to go on. */
export function NewFolderDialog({ parent, onClose }: { parent: FolderSummary | undefined; onClose: () => void }) {
  const say = useWords('forms');
  const queryClient = useQueryClient();
  const { place, go } = usePlace();
  const [label, setLabel] = useState('');
  const create = async () => {
    const { id } = await createFolder({ client, body: { label, ...(parent === undefined ? {} : { parent_id: parent.id }) } });
    await reloadLists(queryClient);
    go(elsewhere(place, { view: 'all', folder: id }));
  };
  return (
    <FormDialog
      title={parent === undefined ? say.newFolder : say.newFolderIn(parent.label)}
      submitLabel={say.createFolder}
      onClose={onClose}
      onSubmit={create}
      isIncomplete={label.trim() === ''}
    >
      <TextField label={say.folderName} value={label} onChange={setLabel} maxLength={100} autoFocus />
    </FormDialog>
  );
}

export function RenameFolderDialog({ folder, onClose }: FolderDialogProps) {
  const say = useWords('forms');
  const queryClient = useQueryClient();
  const [label, setLabel] = useState(folder.label);
  const rename = async () => {
    await updateFolder({ client, path: { id: folder.id }, body: { label } });
    await reloadLists(queryClient);
  };
  return (
    <FormDialog title={say.renameFolder} submitLabel={say.rename} onClose={onClose} onSubmit={rename} isIncomplete={label.trim() === ''}>
      <TextField label={say.folderName} value={label} onChange={setLabel} maxLength={100} autoFocus />
    </FormDialog>
  );
}

export function MoveFolderDialog({ folder, onClose }: FolderDialogProps) {
  const say = useWords('forms');
  const queryClient = useQueryClient();
  const inside = within(useFolders(), folder.id);
  const [parent, setParent] = useState(folder.parent_id ?? topLevel);
  const move = async () => {
    await updateFolder({ client, path: { id: folder.id }, body: { parent_id: parent === topLevel ? null : parent } });
    await reloadLists(queryClient);
  };
  return (
    <FormDialog title={say.moveTitle(folder.label)} submitLabel={say.move} onClose={onClose} onSubmit={move}>
      <FolderSelect label={say.folder} topLabel={say.topLevel} value={parent} onChange={setParent} without={inside} />
    </FormDialog>
  );
}

/** Nothing in the folder is lost, but where it was: so this asks, and says where everything goes. */
export function DeleteFolderDialog({ folder, onClose }: FolderDialogProps) {
  const say = useWords('forms');
  const queryClient = useQueryClient();
  const { place, go } = usePlace();
  const hasFolders = useFolders().some(({ parent_id: parent }) => parent === folder.id);
  const remove = async () => {
    await deleteFolder({ client, path: { id: folder.id } });
    if (place.folder === folder.id) go(elsewhere(place, { view: 'all', folder: undefined }));
    toast({ text: say.deletedFolderNow(folder.label) });
    await reloadLists(queryClient);
  };
  return (
    <ConfirmDialog title={say.deleteFolderTitle(folder.label)} submitLabel={say.deleteFolder} onClose={onClose} onSubmit={remove}>
      <p>
        {say.deleteFolderHelp}
        {hasFolders && ` ${say.deleteFolderInside}`}
      </p>
    </ConfirmDialog>
  );
}
