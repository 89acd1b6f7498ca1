import { erasePerson, removeWorkspaceMember, type WorkspaceMember } from '@sheaf/client';
import { Eraser, LogOut, MoreHorizontal, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { IconButton } from '../../parts/button';
import { ConfirmDialog } from '../../parts/dialog';
import { Menu, MenuItem, MenuSeparator } from '../../parts/menu';
import { toast } from '../../parts/toasts';
import { useSession, useWorkspaceRole } from '../../session/session';
import { useWords } from '../../words/use-words';
import { useRefreshPeople } from './queries';

/** The actions on a member: removed, erased, or oneself taken out. */
export function MemberActions({
  member,
  workspaceId,
  manages,
  isLastOwner,
}: {
  member: WorkspaceMember;
  workspaceId: string;
  manages: boolean;
  isLastOwner: boolean;
}) {
  const { workspace: say, members: common } = useWords('settings');
  const { user, instance } = useSession();
  const role = useWorkspaceRole();
  const [asked, setAsked] = useState<'remove' | 'erase'>();
  const isSelf = member.user_id === user.id;
  const mayChange = isSelf || (manages && (member.role !== 'owner' || role === 'owner'));
  if (!mayChange || isLastOwner) return null;
  return (
    <>
      <Menu
        label={common.actionsOf(member.name)}
        trigger={<IconButton isSmall icon={MoreHorizontal} label={common.actionsOf(member.name)} />}
      >
        <MenuItem icon={isSelf ? LogOut : UserMinus} isDanger onAction={() => setAsked('remove')}>
          {isSelf ? say.leave : say.remove}
        </MenuItem>
        {!isSelf && instance.manages && (
          <>
            <MenuSeparator />
            <MenuItem icon={Eraser} isDanger onAction={() => setAsked('erase')}>
              {say.erasePerson}
            </MenuItem>
          </>
        )}
      </Menu>
      {asked === 'remove' && <RemoveDialog member={member} workspaceId={workspaceId} onClose={() => setAsked(undefined)} />}
      {asked === 'erase' && <ErasePersonDialog member={member} workspaceId={workspaceId} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface AskProps {
  member: WorkspaceMember;
  workspaceId: string;
  onClose: () => void;
}

function RemoveDialog({ member, workspaceId, onClose }: AskProps) {
  const say = useWords('settings').workspace;
  const isSelf = useSession().user.id === member.user_id;
  const refresh = useRefreshPeople(workspaceId);
  return (
    <ConfirmDialog
      title={isSelf ? say.leaveTitle : say.removeTitle(member.name)}
      onClose={onClose}
      submitLabel={isSelf ? say.leave : say.remove}
      onSubmit={async () => {
        await removeWorkspaceMember({ client, path: { id: workspaceId, userId: member.user_id } });
        if (isSelf) return location.assign('/console/forms');
        await refresh();
        toast({ text: say.removed(member.name) });
      }}
    >
      <p>{isSelf ? say.leaveHelp : say.removeHelp}</p>
    </ConfirmDialog>
  );
}

function ErasePersonDialog({ member, workspaceId, onClose }: AskProps) {
  const say = useWords('settings').workspace;
  const refresh = useRefreshPeople(workspaceId);
  return (
    <ConfirmDialog
      title={say.erasePersonTitle(member.name)}
      onClose={onClose}
      submitLabel={say.erasePerson}
      typeToConfirm={member.email}
      onSubmit={async () => {
        await erasePerson({ client, path: { id: member.user_id }, query: { forever: 'true' } });
        await refresh();
      }}
    >
      <p>{say.erasePersonHelp}</p>
    </ConfirmDialog>
  );
}
