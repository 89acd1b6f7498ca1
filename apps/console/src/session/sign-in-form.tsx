import { createSession, SheafError, type SignedIn } from '@sheaf/client';
import { useState, type SubmitEvent } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { TextField } from '../parts/text-field';
import { Problem } from '../parts/problem';
import { useWords } from '../words/use-words';
import type { Words } from '../words/words';
import style from './session.module.css';

/** Email and password. A wrong pair keeps the email, and says no more than that one of the two is wrong. */
export function SignInForm({ email: initialEmail = '', onSignedIn }: { email?: string; onSignedIn: (session: SignedIn) => void }) {
  const say = useWords('everywhere').session;
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const [hasSent, setHasSent] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>();

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    setHasSent(true);
    if (isPending || email.trim() === '' || password === '') return;
    setIsPending(true);
    setError(undefined);
    try {
      onSignedIn(await createSession({ client, body: { email: email.trim(), password, cookie: true } }));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsPending(false);
    }
  };

  const sentence = refusal(error, say);
  return (
    <form className={style.form} onSubmit={(event) => void send(event)} noValidate>
      {sentence !== undefined ? (
        <p role="alert" className={style.refusal}>
          {sentence}
        </p>
      ) : (
        error !== undefined && <Problem error={error} />
      )}
      <TextField
        label={say.email}
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        autoFocus={initialEmail === ''}
        fault={hasSent && email.trim() === '' ? say.needsEmail : undefined}
      />
      <TextField
        label={say.password}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        autoFocus={initialEmail !== ''}
        fault={hasSent && password === '' ? say.needsPassword : undefined}
      />
      <Button type="submit" look="primary" isPending={isPending}>
        {say.signIn}
      </Button>
    </form>
  );
}

function refusal(error: unknown, say: Words['everywhere']['session']): string | undefined {
  if (!(error instanceof SheafError)) return undefined;
  if (error.status === 401) return say.wrong;
  return error.status === 429 ? say.throttled(Math.ceil((error.retryAfterMs ?? 60_000) / 1_000)) : undefined;
}
