import {
  addFormGrant,
  listFormGrants,
  revokeFormGrant,
  setFormGrant,
  type FormGrant,
  type FormRole,
  type FormSettingsDetail,
} from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { faultsOf } from '../form/settings-draft';
import { Button, IconButton } from '../parts/button';
import { FormDialog } from '../parts/dialog';
import { Select, TextField } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { Section } from '../parts/page';
import { Rows } from '../parts/rows';
import { toast } from '../parts/toasts';
import { useLanguage, useWords } from '../words/use-words';

const roles = ['viewer', 'editor', 'owner'] as const satisfies readonly FormRole[];
const isRole = (role: string): role is FormRole => roles.includes(role as FormRole);

/** The people with a role on this form of their own, beside the members of the workspace. Owners change it; editors see it. */
export function PeopleSection({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords('share');
  const [isAdding, setIsAdding] = useState(false);
  const grants = useQuery({
    queryKey: ['form', form.id, 'grants'],
    queryFn: ({ signal }) => listFormGrants({ client, path: { id: form.id }, signal }),
  });
  return (
    <Section
      title={say.people}
      help={say.peopleHelp}
      actions={
        mayEdit && (
          <Button icon={UserPlus} onPress={() => setIsAdding(true)}>
            {say.addPerson}
          </Button>
        )
      }
    >
      <Loaded query={grants} lines={2}>
        {({ data }) => (data.length === 0 ? <p className="muted">{say.nobody}</p> : <People form={form} grants={data} mayEdit={mayEdit} />)}
      </Loaded>
      {!mayEdit && <p className="muted">{say.ownersDecide}</p>}
      {isAdding && <AddDialog form={form} onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

function People({ form, grants, mayEdit }: { form: FormSettingsDetail; grants: readonly FormGrant[]; mayEdit: boolean }) {
  const say = useWords('share');
  const { change, revoke } = useGrants(form);
  return (
    <Rows
      label={say.people}
      rows={grants}
      keyOf={({ user_id: id }) => id}
      columns={[
        {
          head: say.person,
          cell: (grant) => (
            <>
              <span dir="auto">{nameOf(grant)}</span>
              <br />
              <span className="muted">{grant.email ?? say.leftInstance}</span>
            </>
          ),
        },
        {
          head: say.role,
          cell: (grant) => {
            const { role } = grant;
            if (!isRole(role)) return role;
            if (!mayEdit) return say[role];
            return (
              <Select
                label={say.roleOf(nameOf(grant))}
                isLabelHidden
                value={role}
                onChange={(chosen) => change(grant, chosen)}
                options={roles.map((each) => ({ value: each, label: say[each] }))}
              />
            );
          },
        },
        mayEdit && {
          head: say.actions,
          kind: 'actions',
          cell: (grant) => <IconButton icon={UserMinus} label={say.revoke(nameOf(grant))} onPress={() => revoke(grant)} />,
        },
      ]}
    />
  );
}

const nameOf = ({ name, email, user_id: id }: FormGrant): string => name ?? email ?? id;

function useGrants(form: FormSettingsDetail) {
  const say = useWords('share');
  const language = useLanguage();
  const queryClient = useQueryClient();
  const run = (act: Promise<unknown>, text: string, onUndo: () => void) => {
    act
      .then(() => toast({ text, onUndo }))
      .catch((error: unknown) => toast({ text: problemSentence(error, language).title }))
      .finally(() => void queryClient.invalidateQueries({ queryKey: ['form', form.id, 'grants'] }));
  };
  const give = ({ user_id: userId }: FormGrant, role: FormRole) => setFormGrant({ client, path: { id: form.id, userId }, body: { role } });
  const change = (grant: FormGrant, role: FormRole) => {
    const { role: before } = grant;
    if (role === before || !isRole(before)) return;
    run(give(grant, role), say.roleChanged(nameOf(grant), say[role]), () => change({ ...grant, role }, before));
  };
  const revoke = (grant: FormGrant) => {
    const { role } = grant;
    const undo = () => {
      if (isRole(role)) run(give(grant, role), say.given(nameOf(grant)), () => revoke(grant));
    };
    run(revokeFormGrant({ client, path: { id: form.id, userId: grant.user_id } }), say.revoked(nameOf(grant)), undo);
  };
  return { change, revoke };
}

function AddDialog({ form, onClose }: { form: FormSettingsDetail; onClose: () => void }) {
  const say = useWords('share');
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<FormRole>('viewer');
  const [fault, setFault] = useState<string>();
  const add = async () => {
    setFault(undefined);
    try {
      const grant = await addFormGrant({ client, path: { id: form.id }, body: { email: email.trim(), role } });
      void queryClient.invalidateQueries({ queryKey: ['form', form.id, 'grants'] });
      toast({ text: say.given(nameOf(grant)) });
    } catch (error) {
      setFault(faultsOf(error).get('email'));
      throw error;
    }
  };
  return (
    <FormDialog title={say.addPerson} onClose={onClose} submitLabel={say.giveAccess} onSubmit={add} isIncomplete={email.trim() === ''}>
      <TextField
        label={say.email}
        help={say.emailHelp}
        type="email"
        value={email}
        onChange={setEmail}
        fault={fault}
        maxLength={254}
        autoFocus
      />
      <Select
        label={say.role}
        value={role}
        onChange={setRole}
        options={roles.map((each) => ({ value: each, label: say[each], help: say[`${each}Help`] }))}
      />
    </FormDialog>
  );
}
