import type { FoundForm } from '@sheaf/client';
import {
  Archive,
  ArchiveRestore,
  ArrowRightLeft,
  Copy,
  Download,
  Ellipsis,
  FolderInput,
  Inbox,
  PencilLine,
  Star,
  StarOff,
  Trash2,
  Undo2,
} from 'lucide-react';
import { IconButton } from '../parts/button';
import { Menu, MenuItem, MenuSeparator } from '../parts/menu';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import type { FormActions } from './actions';
import { may } from './may';
import type { Question } from './question';

/** Opens a dialog about something. */
export type Ask = (question: Question) => void;

/** Everything that can be done to a form from the list. */
export function FormMenu({ form, actions, ask }: { form: FoundForm; actions: FormActions; ask: Ask }) {
  const say = useWords('forms');
  const label = say.actionsOf(form.title);
  return (
    <Menu label={label} trigger={<IconButton isSmall icon={Ellipsis} label={label} />}>
      {form.status === 'trashed' ? (
        <TrashedItems form={form} actions={actions} ask={ask} />
      ) : (
        <Items form={form} actions={actions} ask={ask} />
      )}
    </Menu>
  );
}

function TrashedItems({ form, actions, ask }: { form: FoundForm; actions: FormActions; ask: Ask }) {
  const say = useWords('forms');
  if (!may(form).restore) return <MenuItem isDisabled>{say.onlyOwnersRestore}</MenuItem>;
  return (
    <>
      <MenuItem icon={Undo2} onAction={() => actions.restore(form)}>
        {say.restore}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} isDanger onAction={() => ask({ kind: 'erase', form })}>
        {say.eraseForever}
      </MenuItem>
    </>
  );
}

function Items({ form, actions, ask }: { form: FoundForm; actions: FormActions; ask: Ask }) {
  const say = useWords('forms');
  return (
    <>
      <MenuItem icon={PencilLine} href={`/console/forms/${form.id}/build`}>
        {say.open}
      </MenuItem>
      <MenuItem icon={Inbox} href={`/console/forms/${form.id}/submissions`}>
        {say.openSubmissions}
      </MenuItem>
      <MenuItem icon={form.favorite ? StarOff : Star} onAction={() => actions.setFavorite(form, !form.favorite)}>
        {form.favorite ? say.removeFavorite : say.addFavorite}
      </MenuItem>
      <MenuSeparator />
      {may(form).change && <ChangeItems form={form} actions={actions} ask={ask} />}
      <MenuItem icon={Copy} onAction={() => actions.duplicate(form)}>
        {say.duplicate}
      </MenuItem>
      <MenuItem icon={Download} onAction={() => actions.exportDocument(form)}>
        {say.exportDocument}
      </MenuItem>
      {may(form).trash && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} isDanger onAction={() => actions.trash(form)}>
            {say.moveToTrash}
          </MenuItem>
        </>
      )}
    </>
  );
}

function ChangeItems({ form, actions, ask }: { form: FoundForm; actions: FormActions; ask: Ask }) {
  const say = useWords('forms');
  const { workspace } = useSession();
  return (
    <>
      <MenuItem icon={PencilLine} onAction={() => ask({ kind: 'rename', form })}>
        {say.rename}
      </MenuItem>
      {/* Folders belong to a workspace: only those of the active one are at hand. */}
      {form.workspace_id === workspace?.id && (
        <MenuItem icon={FolderInput} onAction={() => ask({ kind: 'move', form })}>
          {say.moveToFolder}
        </MenuItem>
      )}
      {may(form).moveToWorkspace && (
        <MenuItem icon={ArrowRightLeft} onAction={() => ask({ kind: 'move-workspace', form })}>
          {say.moveToWorkspace}
        </MenuItem>
      )}
      {form.status === 'active' ? (
        <MenuItem icon={Archive} onAction={() => actions.archive(form)}>
          {say.archive}
        </MenuItem>
      ) : (
        <MenuItem icon={ArchiveRestore} onAction={() => actions.activate(form)}>
          {say.activate}
        </MenuItem>
      )}
    </>
  );
}
