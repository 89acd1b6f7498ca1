import { updateProfile } from '@sheaf/client';
import { useState, type SubmitEvent } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Problem } from '../parts/problem';
import { TextField } from '../parts/text-field';
import { useWords } from '../words/use-words';
import { passwordFault } from './password';
import style from './session.module.css';

/** Asks a person who came by a link for a password, without which they need another link the next time. They may do it later. */
export function SetPassword({ email, onDone }: { email: string; onDone: () => void }) {
  const say = { ...useWords('invitation'), ...useWords('everywhere').session };
  const [password, setPassword] = useState('');
  const [hasSent, setHasSent] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const fault = passwordFault(password, say);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    setHasSent(true);
    if (isPending || fault !== undefined) return;
    setIsPending(true);
    setError(undefined);
    try {
      await updateProfile({ client, body: { password } });
      onDone();
    } catch (thrown) {
      setError(thrown);
      setIsPending(false);
    }
  };
  return (
    <form className={style.form} onSubmit={(event) => void send(event)} noValidate>
      <p>{say.setPasswordHelp}</p>
      <TextField label={say.email} type="email" autoComplete="username" value={email} isReadOnly />
      <TextField
        label={say.newPassword}
        type="password"
        autoComplete="new-password"
        help={say.passwordHelp}
        value={password}
        onChange={setPassword}
        autoFocus
        fault={hasSent ? fault : undefined}
      />
      {error !== undefined && <Problem error={error} />}
      <Button type="submit" look="primary" isPending={isPending}>
        {say.savePassword}
      </Button>
      <Button look="quiet" onPress={onDone}>
        {say.later}
      </Button>
    </form>
  );
}
