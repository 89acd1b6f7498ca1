import { updateWorkspaceMember, type WorkspaceMember, type WorkspaceRole } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { Loaded } from '../../parts/loaded';
import { Section } from '../../parts/page';
import { Person, Rows } from '../../parts/rows';
import { Badge, Since } from '../../parts/states';
import { useSession, useWorkspaceRole } from '../../session/session';
import { useWords } from '../../words/use-words';
import { RoleOf } from '../role-of';
import { AddMemberDialog } from './add-member-dialog';
import { MemberActions } from './member-actions';
import { invitationsQuery, membersQuery, useRefreshPeople } from './queries';
import { Roles, useRoleName, useRoleOptions } from './roles';

/** The members of the active workspace, with their roles. */
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
  const { workspace: say, members: common } = useWords('settings');
  const { user } = useSession();
  const nameOf = useRoleName();
  const own = useWorkspaceRole();
  const options = useRoleOptions(own);
  const refresh = useRefreshPeople(workspaceId);
  const { data: invitations } = useQuery({ ...invitationsQuery(workspaceId), enabled: manages });
  const invited = new Set(invitations?.data.map(({ email }) => email));
  // Owners who have not accepted yet do not count: they may never do.
  const owners = members.filter(({ role, email }) => role === 'owner' && !invited.has(email));
  const isLastOwner = ({ user_id: id }: WorkspaceMember) => owners.length === 1 && owners[0]?.user_id === id;
  const choiceOf = (member: WorkspaceMember) => ({
    options,
    fixedBecause: isLastOwner(member) ? common.lastOwner : member.role === 'owner' && own !== 'owner' ? common.ownersOnly : undefined,
    ownRoleHelp: (role: WorkspaceRole) => say.ownRoleHelp(nameOf(role)),
    put: async (role: WorkspaceRole) => {
      await updateWorkspaceMember({ client, path: { id: workspaceId, userId: member.user_id }, body: { role } });
      await refresh();
    },
  });
  return (
    <Rows
      label={say.members}
      rows={members}
      keyOf={({ user_id: id }) => id}
      columns={[
        {
          head: common.person,
          cell: ({ name, email, user_id: id }) => (
            <Person
              name={name}
              email={email}
              badges={
                <>
                  {id === user.id && <Badge tone="active">{common.you}</Badge>}
                  {invited.has(email) && <Badge tone="waiting">{say.invited}</Badge>}
                </>
              }
            />
          ),
        },
        {
          head: common.role,
          cell: (member) => <RoleOf member={member} nameOf={nameOf} {...(manages ? { choice: choiceOf(member) } : {})} />,
        },
        { head: say.since, cell: (member) => <Since time={member.created_at} /> },
        {
          head: common.actionsOf(''),
          kind: 'actions',
          cell: (member) => <MemberActions member={member} workspaceId={workspaceId} manages={manages} isLastOwner={isLastOwner(member)} />,
        },
      ]}
    />
  );
}
