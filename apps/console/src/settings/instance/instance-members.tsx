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
import { Section, Table } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Badge, Since, Skeleton } from '../../parts/states';
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
  const { data, error, isPending, refetch } = useQuery(membersQuery);
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
      {isPending && <Skeleton lines={3} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && <MemberTable members={data.data} />}
      {isAdding && <AddDialog onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

function MemberTable({ members }: { members: readonly InstanceMember[] }) {
  const say = useWords('settings').instance;
  const { user } = useSession();
  const owners = members.filter(({ role }) => role === 'owner');
  return (
    <Table label={say.whoRuns}>
      <thead>
        <tr>
          <th scope="col">{say.personColumn}</th>
          <th scope="col">{say.role}</th>
          <th scope="col">{say.since}</th>
          <th scope="col">
            <span className="visually-hidden">{say.actionsOf('')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.user_id}>
            <td>
              <span className={style.who}>
                <span className={style.badges}>
                  <span className={style.strong} dir="auto">
                    {member.name}
                  </span>
                  {member.user_id === user.id && <Badge tone="active">{say.you}</Badge>}
                </span>
                {member.email !== member.name && (
                  <span className="muted" dir="auto">
                    {member.email}
                  </span>
                )}
              </span>
            </td>
            <RoleAndActions member={member} isLastOwner={owners.length === 1 && owners[0]?.user_id === member.user_id} />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The role, to be chosen anew where the person may; else it says why not. One's own is asked about, because *Undo* may be out of reach. */
function RoleAndActions({ member, isLastOwner }: { member: InstanceMember; isLastOwner: boolean }) {
  const say = useWords('settings').instance;
  const { user, instance } = useSession();
  const options = useRoles();
  const [asked, setAsked] = useState<InstanceRole | 'remove'>();
  const attempt = useAttempt();
  const change = useChange(member);
  const isSelf = member.user_id === user.id;
  const reason = isLastOwner ? say.lastOwner : member.role === 'owner' && instance.role !== 'owner' ? say.ownersOnly : undefined;
  const choose = (role: InstanceRole) => {
    if (role === member.role) return;
    if (isSelf) setAsked(role);
    else attempt(() => change.set(role));
  };
  return (
    <>
      <td>
        {reason === undefined ? (
          <Select label={say.roleOf(member.name)} isLabelHidden options={options} value={member.role} onChange={choose} />
        ) : (
          <span className={style.role}>
            {say[member.role]}
            <span className="muted"> – {reason}</span>
          </span>
        )}
      </td>
      <td>
        <Since time={member.created_at} />
      </td>
      <td className={style.actions}>
        {reason === undefined && (
          <IconButton isSmall icon={UserMinus} label={say.removeRunningTitle(member.name)} onPress={() => setAsked('remove')} />
        )}
        {asked === 'remove' && (
          <ConfirmDialog
            title={say.removeRunningTitle(member.name)}
            isOpen
            onClose={() => setAsked(undefined)}
            submitLabel={say.removeRunning}
            onSubmit={change.remove}
          >
            <p>{say.removeRunningHelp}</p>
          </ConfirmDialog>
        )}
        {asked !== undefined && asked !== 'remove' && (
          <ConfirmDialog
            title={say.ownRoleTitle}
            isOpen
            onClose={() => setAsked(undefined)}
            submitLabel={say.changeRole}
            onSubmit={() => change.set(asked)}
          >
            <p>{say.ownRoleHelp}</p>
          </ConfirmDialog>
        )}
      </td>
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
      isOpen
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
