import { addWorkspaceMember, type AddedMember, type WorkspaceRole } from '@sheaf/client';
import { useState } from 'react';
import { client } from '../../api/client';
import { FormDialog } from '../../parts/dialog';
import { RadioGroup, TextField } from '../../parts/fields';
import { ShownOnce } from '../../parts/shown-once';
import { useWords } from '../../words/use-words';
import { useWorkspaceRole } from '../../session/session';
import { useRefreshPeople } from './queries';
import { useRoleOptions } from './roles';

/** Adds somebody by their address; if they have no password yet, it then shows the link for them. */
export function AddMemberDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const { workspace: say, members: common } = useWords('settings');
  const options = useRoleOptions(useWorkspaceRole());
  const refresh = useRefreshPeople(workspaceId);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<WorkspaceRole>('editor');
  const [added, setAdded] = useState<AddedMember>();
  return (
    <FormDialog
      title={say.add}
      onClose={onClose}
      submitLabel={say.add}
      isIncomplete={email.trim() === ''}
      staysOpen
      result={added && <Outcome added={added} />}
      onSubmit={async () => {
        const body = { email: email.trim(), role, ...(name.trim() === '' ? {} : { name }) };
        setAdded(await addWorkspaceMember({ client, path: { id: workspaceId }, body }));
        void refresh();
      }}
    >
      <p className="muted">{say.addHelp}</p>
      <TextField label={common.email} type="email" value={email} onChange={setEmail} autoComplete="off" autoFocus />
      <TextField
        label={`${say.memberName} (${say.optional})`}
        help={say.memberNameHelp}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="off"
      />
      <RadioGroup label={common.role} options={options} value={role} onChange={setRole} />
    </FormDialog>
  );
}

function Outcome({ added }: { added: AddedMember }) {
  const say = useWords('settings').workspace;
  if (added.invitation_url !== undefined)
    return (
      <ShownOnce label={say.linkTitle} value={added.invitation_url}>
        <p>{say.linkHelp}</p>
      </ShownOnce>
    );
  const sentence = { made: say.linkHelp, pending: say.pendingHelp, needed: say.neededHelp };
  return <p dir="auto">{added.invitation === undefined ? say.added(added.name) : sentence[added.invitation]}</p>;
}
