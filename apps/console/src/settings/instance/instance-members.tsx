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
import { RadioGroup, Select, TextField, type Option } from '../../parts/fields';
import { Loaded } from '../../parts/loaded';
import { Section } from '../../parts/page';
import { Person, Rows } from '../../parts/rows';
import { Badge, Since } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useAttempt } from '../../parts/use-attempt';
import { useSession } from '../../session/session';
import { useWords } from '../../words/use-words';
import style from '../settings.module.css';

const membersQuery = queryOptions({
  queryKey: ['instance', 'members'],
  queryFn: ({ signal }) => listInstanceMembers({ client, signal }),
});

/** Who runs the instance. */
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
  const say = useWords('settings').instance;
  const { user, instance } = useSession();
  const owners = members.filter(({ role }) => role === 'owner');
  const fixedBecause = ({ role }: InstanceMember) => {
    if (role !== 'owner') return undefined;
    if (owners.length === 1) return say.lastOwner;
    return instance.role === 'owner' ? undefined : say.ownersOnly;
  };
  return (
    <Rows
      label={say.whoRuns}
      rows={members}
      keyOf={({ user_id: id }) => id}
      columns={[
        {
          head: say.personColumn,
          cell: ({ name, email, user_id: id }) => (
            <Person name={name} email={email} badges={id === user.id && <Badge tone="active">{say.you}</Badge>} />
          ),
        },
        { head: say.role, cell: (member) => <Role member={member} fixed={fixedBecause(member)} /> },
        { head: say.since, cell: (member) => <Since time={member.created_at} /> },
        {
          head: say.actionsOf(''),
          kind: 'actions',
          cell: (member) => fixedBecause(member) === undefined && <RemoveButton member={member} />,
        },
      ]}
    />
  );
}

/** The role, to be chosen anew where the person may; else it says why not. One's own is asked about, because *Undo* may be out of reach. */
function Role({ member, fixed }: { member: InstanceMember; fixed: string | undefined }) {
  const say = useWords('settings').instance;
  const { user } = useSession();
  const options = useRoles();
  const [asked, setAsked] = useState<InstanceRole>();
  const attempt = useAttempt();
  const change = useChange(member);
  if (fixed !== undefined)
    return (
      <span className={style.role}>
        {say[member.role]}
        <span className="muted"> – {fixed}</span>
      </span>
    );
  const choose = (role: InstanceRole) => {
    if (role === member.role) return;
    if (member.user_id === user.id) setAsked(role);
    else attempt(() => change.set(role));
  };
  return (
    <>
      <Select label={say.roleOf(member.name)} isLabelHidden options={options} value={member.role} onChange={choose} />
      {asked !== undefined && (
        <ConfirmDialog
          title={say.ownRoleTitle}
          onClose={() => setAsked(undefined)}
          submitLabel={say.changeRole}
          onSubmit={() => change.set(asked)}
        >
          <p>{say.ownRoleHelp}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function RemoveButton({ member }: { member: InstanceMember }) {
  const say = useWords('settings').instance;
  const [isAsking, setIsAsking] = useState(false);
  const { remove } = useChange(member);
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

function useChange(member: InstanceMember) {
  const say = useWords('settings').instance;
  const { user } = useSession();
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const refresh = () => queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
  const put = async (role: InstanceRole) => {
    await updateInstanceMember({ client, path: { userId: member.user_id }, body: { role } });
    await refresh();
  };
  return {
    set: async (role: InstanceRole) => {
      await put(role);
      // What the page offers depends on one's own role.
      if (member.user_id === user.id) return location.reload();
      toast({ text: say.roleChanged(member.name, say[role]), onUndo: () => attempt(() => put(member.role)) });
    },
    remove: async () => {
      await removeInstanceMember({ client, path: { userId: member.user_id } });
      if (member.user_id === user.id) return location.assign('/console/settings');
      await refresh();
      toast({ text: say.runningRemoved(member.name) });
    },
  };
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const say = useWords('settings').instance;
  const queryClient = useQueryClient();
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
        await queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
        toast({ text: say.roleChanged(added.name, say[role]) });
      }}
    >
      <p className="muted">{say.addRunningHelp}</p>
      <TextField label={say.email} type="email" value={email} onChange={setEmail} autoComplete="off" autoFocus />
      <RadioGroup label={say.role} options={options} value={role} onChange={setRole} />
    </FormDialog>
  );
}
