import type { FolderSummary } from '@sheaf/client';
import { Ellipsis, FolderInput, FolderPlus, PencilLine, Trash2 } from 'lucide-react';
import { IconButton } from '../parts/button';
import { Menu, MenuItem, MenuSeparator } from '../parts/menu';
import { useWords } from '../words/use-words';
import type { Ask } from './form-menu';
import { mayChangeFolder } from './tree';

/** The actions on a folder. */
export function FolderMenu({ folder, ask, mayCreate }: { folder: FolderSummary; ask: Ask; mayCreate: boolean }) {
  const say = useWords('forms');
  const label = say.actionsOf(folder.label);
  const mayChange = mayChangeFolder(folder);
  if (!mayCreate && !mayChange) return null;
  return (
    <Menu label={label} trigger={<IconButton isSmall icon={Ellipsis} label={label} />}>
      {mayCreate && (
        <MenuItem icon={FolderPlus} onAction={() => ask({ kind: 'new-folder', parent: folder })}>
          {say.newFolderInside}
        </MenuItem>
      )}
      {mayChange && (
        <>
          <MenuItem icon={PencilLine} onAction={() => ask({ kind: 'rename-folder', folder })}>
            {say.rename}
          </MenuItem>
          <MenuItem icon={FolderInput} onAction={() => ask({ kind: 'move-folder', folder })}>
            {say.moveFolderTo}
          </MenuItem>
        </>
      )}
      {folder.role === 'owner' && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} isDanger onAction={() => ask({ kind: 'delete-folder', folder })}>
            {say.deleteFolder}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
