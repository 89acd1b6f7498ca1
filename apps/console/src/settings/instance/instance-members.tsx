import {
  addInstanceMember,
  listInstanceMembers,
  removeInstanceMember,
  updateInstanceMember,
  type InstanceMember,
  type InstanceRole,
} from '@sheaf/client';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { Button, IconButton } from '../../parts/button';
import { ConfirmDialog, FormDialog } from '../../parts/dialog';
import { RadioGroup, TextField, type Option } from '../../parts/fields';
import { Loaded } from '../../parts/loaded';
import { Section } from '../../parts/page';
import { Person, Rows } from '../../parts/rows';
import { Badge, Since } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useSession } from '../../session/session';
import { useWords } from '../../words/use-words';
import { RoleOf } from '../role-of';

const membersQuery = queryOptions({
  queryKey: ['instance', 'members'],
  queryFn: ({ signal }) => listInstanceMembers({ client, signal }),
});

/** The people who run the instance. */
export function InstanceMembers() {
  const say = useWords('settings').instance;
  const members = useQuery(membersQuery);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Section
      title={say.whoRuns}
      help={say.whoRunsHelp}
      actions={
        <Button look="primary" icon={UserPlus} onPress={() => setIsAdding(true)}>
          {say.addRunning}
        </Button>
      }
    >
      <Loaded query={members} lines={3}>
        {({ data }) => <MemberTable members={data} />}
      </Loaded>
      {isAdding && <AddDialog onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

function MemberTable({ members }: { members: readonly InstanceMember[] }) {
  const { instance: say, members: common } = useWords('settings');
  const { user, instance } = useSession();
  const options = useRoles();
  const refresh = useRefresh();
  const owners = members.filter(({ role }) => role === 'owner');
  const fixedBecause = ({ role }: InstanceMember) => {
    if (role !== 'owner') return undefined;
    if (owners.length === 1) return common.lastOwner;
    return instance.role === 'owner' ? undefined : common.ownersOnly;
  };
  const choiceOf = (member: InstanceMember) => ({
    options,
    fixedBecause: fixedBecause(member),
    ownRoleHelp: () => say.ownRoleHelp,
    put: async (role: InstanceRole) => {
      await updateInstanceMember({ client, path: { userId: member.user_id }, body: { role } });
      await refresh();
    },
  });
  return (
    <Rows
      label={say.whoRuns}
      rows={members}
      keyOf={({ user_id: id }) => id}
      columns={[
        {
          head: common.person,
          cell: ({ name, email, user_id: id }) => (
            <Person name={name} email={email} badges={id === user.id && <Badge tone="active">{common.you}</Badge>} />
          ),
        },
        {
          head: common.role,
          cell: (member) => <RoleOf member={member} nameOf={(role) => say[role as InstanceRole]} choice={choiceOf(member)} />,
        },
        { head: say.since, cell: (member) => <Since time={member.created_at} /> },
        {
          head: common.actionsOf(''),
          kind: 'actions',
          cell: (member) => fixedBecause(member) === undefined && <RemoveButton member={member} />,
        },
      ]}
    />
  );
}

function RemoveButton({ member }: { member: InstanceMember }) {
  const say = useWords('settings').instance;
  const [isAsking, setIsAsking] = useState(false);
  const { user } = useSession();
  const refresh = useRefresh();
  const remove = async () => {
    await removeInstanceMember({ client, path: { userId: member.user_id } });
    if (member.user_id === user.id) return location.assign('/console/settings');
    await refresh();
    toast({ text: say.runningRemoved(member.name) });
  };
  const title = say.removeRunningTitle(member.name);
  return (
    <>
      <IconButton isSmall icon={UserMinus} label={title} onPress={() => setIsAsking(true)} />
      {isAsking && (
        <ConfirmDialog title={title} onClose={() => setIsAsking(false)} submitLabel={say.removeRunning} onSubmit={remove}>
          <p>{say.removeRunningHelp}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** The roles that the person may give. */
function useRoles(): Option<InstanceRole>[] {
  const say = useWords('settings').instance;
  const { role: own } = useSession().instance;
  const roles: readonly InstanceRole[] = own === 'owner' ? ['owner', 'admin'] : ['admin'];
  return roles.map((role) => ({ value: role, label: say[role], help: say[`${role}Help`] }));
}

function useRefresh() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { instance: say, members: common } = useWords('settings');
  const refresh = useRefresh();
  const options = useRoles();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<InstanceRole>('admin');
  return (
    <FormDialog
      title={say.addRunning}
      onClose={onClose}
      submitLabel={say.addRunning}
      isIncomplete={email.trim() === ''}
      onSubmit={async () => {
        const added = await addInstanceMember({ client, body: { email: email.trim(), role } });
        await refresh();
        toast({ text: common.roleChanged(added.name, say[role]) });
      }}
    >
      <p className="muted">{say.addRunningHelp}</p>
      <TextField label={common.email} type="email" value={email} onChange={setEmail} autoComplete="off" autoFocus />
      <RadioGroup label={common.role} options={options} value={role} onChange={setRole} />
    </FormDialog>
  );
}
