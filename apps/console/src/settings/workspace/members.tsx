import { updateWorkspaceMember, type WorkspaceMember, type WorkspaceRole } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { ConfirmDialog } from '../../parts/dialog';
import { Select } from '../../parts/fields';
import { Loaded } from '../../parts/loaded';
import { Section } from '../../parts/page';
import { Person, Rows } from '../../parts/rows';
import { Badge, Since } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useAttempt } from '../../parts/use-attempt';
import { useSession, useWorkspaceRole } from '../../session/session';
import { useWords } from '../../words/use-words';
import style from '../settings.module.css';
import { AddMemberDialog } from './add-member-dialog';
import { MemberActions } from './member-actions';
import { invitationsQuery, membersQuery, useRefreshPeople } from './queries';
import { Roles, useRoleName, useRoleOptions } from './roles';

/** Who belongs to the active workspace, with which role. */
export function Members() {
  const say = useWords('settings').workspace;
  const id = useSession().workspace?.id ?? '';
  const role = useWorkspaceRole();
  const manages = role === 'owner' || role === 'admin';
  const members = useQuery(membersQuery(id));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <Section
        title={say.members}
        help={say.membersHelp}
        actions={
          manages && (
            <Button look="primary" icon={UserPlus} onPress={() => setIsAdding(true)}>
              {say.add}
            </Button>
          )
        }
      >
        <Loaded query={members} lines={3}>
          {({ data }) => <MemberTable members={data} workspaceId={id} manages={manages} />}
        </Loaded>
      </Section>
      <Roles />
      {isAdding && <AddMemberDialog workspaceId={id} onClose={() => setIsAdding(false)} />}
    </>
  );
}

function MemberTable({ members, workspaceId, manages }: { members: readonly WorkspaceMember[]; workspaceId: string; manages: boolean }) {
  const say = useWords('settings').workspace;
  const { user } = useSession();
  const { data: invitations } = useQuery({ ...invitationsQuery(workspaceId), enabled: manages });
  const invited = new Set(invitations?.data.map(({ email }) => email));
  // Owners who have not accepted yet do not count: they may never do.
  const owners = members.filter(({ role, email }) => role === 'owner' && !invited.has(email));
  const isLastOwner = ({ user_id: id }: WorkspaceMember) => owners.length === 1 && owners[0]?.user_id === id;
  return (
    <Rows
      label={say.members}
      rows={members}
      keyOf={({ user_id: id }) => id}
      columns={[
        {
          head: say.person,
          cell: ({ name, email, user_id: id }) => (
            <Person
              name={name}
              email={email}
              badges={
                <>
                  {id === user.id && <Badge tone="active">{say.you}</Badge>}
                  {invited.has(email) && <Badge tone="waiting">{say.invited}</Badge>}
                </>
              }
            />
          ),
        },
        {
          head: say.role,
          cell: (member) => <RoleOf member={member} workspaceId={workspaceId} manages={manages} isLastOwner={isLastOwner(member)} />,
        },
        { head: say.since, cell: (member) => <Since time={member.created_at} /> },
        {
          head: say.actionsOf(''),
          kind: 'actions',
          cell: (member) => <MemberActions member={member} workspaceId={workspaceId} manages={manages} isLastOwner={isLastOwner(member)} />,
        },
      ]}
    />
  );
}

interface RoleOfProps {
  member: WorkspaceMember;
  workspaceId: string;
  manages: boolean;
  isLastOwner: boolean;
}

/** The role, to be chosen anew where the person may; else it says why not. One's own is asked about, because *Undo* may be out of reach. */
function RoleOf({ member, workspaceId, manages, isLastOwner }: RoleOfProps) {
  const say = useWords('settings').workspace;
  const nameOf = useRoleName();
  const own = useWorkspaceRole();
  const { user } = useSession();
  const options = useRoleOptions(own);
  const [asked, setAsked] = useState<WorkspaceRole>();
  const attempt = useAttempt();
  const set = useSetRole(workspaceId, member);
  const reason = isLastOwner ? say.lastOwner : member.role === 'owner' && own !== 'owner' ? say.ownersOnly : undefined;
  if (!manages || reason !== undefined)
    return (
      <span className={style.role}>
        {nameOf(member.role)}
        {manages && reason !== undefined && <span className="muted"> – {reason}</span>}
      </span>
    );
  const choose = (role: WorkspaceRole) => {
    if (role === member.role) return;
    if (member.user_id === user.id) setAsked(role);
    else attempt(() => set(role));
  };
  return (
    <div className={style.role}>
      <Select label={say.roleOf(member.name)} isLabelHidden options={options} value={member.role as WorkspaceRole} onChange={choose} />
      {asked !== undefined && (
        <ConfirmDialog
          title={say.ownRoleTitle}
          onClose={() => setAsked(undefined)}
          submitLabel={say.changeRole}
          onSubmit={() => set(asked)}
        >
          <p>{say.ownRoleHelp(nameOf(asked))}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function useSetRole(workspaceId: string, member: WorkspaceMember) {
  const say = useWords('settings').workspace;
  const nameOf = useRoleName();
  const attempt = useAttempt();
  const { user } = useSession();
  const refresh = useRefreshPeople(workspaceId);
  const put = async (role: WorkspaceRole) => {
    await updateWorkspaceMember({ client, path: { id: workspaceId, userId: member.user_id }, body: { role } });
    await refresh();
  };
  return async (role: WorkspaceRole) => {
    await put(role);
    if (member.user_id === user.id) return location.reload();
    const before = member.role as WorkspaceRole;
    toast({ text: say.roleChanged(member.name, nameOf(role)), onUndo: () => attempt(() => put(before)) });
  };
}
