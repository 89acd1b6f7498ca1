import { listWorkspaces, updateProfile, type Profile } from '@sheaf/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Select, TextField } from '../parts/fields';
import { Section } from '../parts/page';
import { Problem } from '../parts/problem';
import { Skeleton } from '../parts/states';
import { toast } from '../parts/toasts';
import { useWords } from '../words/use-words';
import style from '../parts/page.module.css';
import { EraseAccount } from './erase-account';
import { profileQuery } from './profile-query';

/** The name and picture of the person, where they begin, and how they leave. */
export function ProfileSection() {
  const say = useWords('account');
  const { data, error, isPending, refetch } = useQuery(profileQuery);
  return (
    <>
      <Section title={say.profile}>
        {isPending && <Skeleton lines={4} />}
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {data && <ProfileForm profile={data} />}
      </Section>
      {data && (
        <Section title={say.eraseTitle}>
          <EraseAccount profile={data} />
        </Section>
      )}
    </>
  );
}

function ProfileForm({ profile }: { profile: Profile }) {
  const say = useWords('account');
  const queryClient = useQueryClient();
  const { data: workspaces } = useQuery({ queryKey: ['workspaces'], queryFn: ({ signal }) => listWorkspaces({ client, signal }) });
  const [name, setName] = useState(profile.name);
  const [avatar, setAvatar] = useState(profile.avatar_url);
  const [workspace, setWorkspace] = useState(profile.default_workspace_id ?? null);
  const [hasSent, setHasSent] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      updateProfile({
        client,
        body: {
          name,
          avatar_url: avatar.trim() === '' ? null : avatar.trim(),
          ...(workspace === null ? {} : { default_workspace_id: workspace }),
        },
      }),
    onSuccess: async (saved) => {
      queryClient.setQueryData(profileQuery.queryKey, saved);
      await queryClient.invalidateQueries({ queryKey: ['session'] });
      toast({ text: say.saved });
    },
  });
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    setHasSent(true);
    if (name.trim() !== '' && !isPending) mutate();
  };
  return (
    <form className={style.narrowForm} onSubmit={send} noValidate>
      <TextField
        label={say.name}
        value={name}
        onChange={setName}
        maxLength={100}
        autoComplete="name"
        fault={hasSent && name.trim() === '' ? say.nameMissing : undefined}
      />
      <TextField label={say.email} help={say.emailHelp} value={profile.email} isReadOnly />
      <TextField
        label={say.avatar}
        help={say.avatarHelp}
        type="url"
        value={avatar}
        onChange={setAvatar}
        maxLength={2_048}
        placeholder="https://"
        autoComplete="off"
      />
      <Select
        label={say.defaultWorkspace}
        help={say.defaultWorkspaceHelp}
        options={(workspaces?.data ?? []).map((each) => ({ value: each.id, label: each.name }))}
        value={workspace}
        onChange={setWorkspace}
      />
      {error && <Problem error={error} />}
      <Button type="submit" look="primary" isPending={isPending}>
        {say.save}
      </Button>
    </form>
  );
}
