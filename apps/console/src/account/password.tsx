import { updateProfile, type Profile } from '@sheaf/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { TextField } from '../parts/fields';
import { Section } from '../parts/page';
import { Problem } from '../parts/problem';
import { Skeleton } from '../parts/states';
import { toast } from '../parts/toasts';
import { useWords } from '../words/use-words';
import style from '../parts/page.module.css';
import { profileQuery } from './profile-query';

/** A new password, with the present one to confirm it. */
export function PasswordSection() {
  const say = useWords('account');
  const { data, error, isPending, refetch } = useQuery(profileQuery);
  return (
    <Section title={say.password} help={data?.has_password === false ? say.noPassword : say.passwordHelp}>
      {isPending && <Skeleton lines={3} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && <PasswordForm profile={data} />}
    </Section>
  );
}

function PasswordForm({ profile }: { profile: Profile }) {
  const say = useWords('account');
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [hasSent, setHasSent] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => updateProfile({ client, body: { password: next, ...(profile.has_password ? { current_password: current } : {}) } }),
    onSuccess: async (saved) => {
      setCurrent('');
      setNext('');
      setHasSent(false);
      queryClient.setQueryData(profileQuery.queryKey, saved);
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
      toast({ text: say.passwordSaved });
    },
  });
  const needsCurrent = profile.has_password && current === '';
  const isShort = next.length < 12;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    setHasSent(true);
    if (!needsCurrent && !isShort && !isPending) mutate();
  };
  return (
    <form className={style.narrowForm} onSubmit={send} noValidate>
      {/* Password managers look for whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={profile.email} readOnly hidden />
      {profile.has_password && (
        <TextField
          label={say.currentPassword}
          type="password"
          value={current}
          onChange={setCurrent}
          maxLength={200}
          autoComplete="current-password"
          fault={hasSent && needsCurrent ? say.needsCurrent : undefined}
        />
      )}
      <TextField
        label={say.newPassword}
        help={say.newPasswordHelp}
        type="password"
        value={next}
        onChange={setNext}
        maxLength={200}
        autoComplete="new-password"
        fault={hasSent && isShort ? say.tooShort : undefined}
      />
      {error && <Problem error={error} />}
      <Button type="submit" look="primary" isPending={isPending}>
        {profile.has_password ? say.changePassword : say.setPassword}
      </Button>
    </form>
  );
}
