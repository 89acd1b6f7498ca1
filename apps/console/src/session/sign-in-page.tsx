import { createSession, type SignedIn } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { Problem } from '../parts/problem';
import { Mark } from '../shell/mark';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { sessionQuery } from './session';
import style from './session.module.css';
import { SignInForm } from './sign-in-form';
import { noteSignedIn } from './signed-out';
import { words } from './words';

/** Signs people in: with a password, or at once with the link that an operator printed (`#link=…`). */
export function SignInPage() {
  const say = useWords(words);
  useTitle(say.signIn);
  const enter = useEnter();
  const { isSigningIn, error } = useSignInLink(enter);
  return (
    <main className={style.page}>
      <div className={style.card}>
        <div className={style.head}>
          <Mark size={36} />
          <h1>{say.signInTitle}</h1>
        </div>
        {isSigningIn ? (
          <p role="status">{say.linkWorks}</p>
        ) : (
          <>
            {hasStatus(error, 401) ? (
              <p role="alert" className={style.refusal}>
                {say.linkUsed}
              </p>
            ) : (
              error !== undefined && <Problem error={error} />
            )}
            <SignInForm onSignedIn={enter} />
            <p className="muted">{say.forgotten}</p>
          </>
        )}
      </div>
    </main>
  );
}

/** Goes to the page that the person wanted, as whoever signed in. */
function useEnter() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { to } = useSearch({ from: '/console/sign-in' });
  return (_session: SignedIn) => {
    noteSignedIn();
    queryClient.clear();
    void queryClient.query(sessionQuery).then(() => navigate({ href: to ?? '/console/forms', replace: true }));
  };
}

/** The token is in the fragment, which no server sees; it leaves the address at once, so that it stays in no history. */
function useSignInLink(enter: (session: SignedIn) => void) {
  const [link] = useState(() => new URLSearchParams(location.hash.slice(1)).get('link'));
  const [error, setError] = useState<unknown>();
  const hasSent = useRef(false);
  useEffect(() => {
    if (link === null || hasSent.current) return;
    hasSent.current = true;
    history.replaceState(history.state, '', location.pathname + location.search);
    createSession({ client, body: { link, cookie: true } as never }).then(enter, setError);
  }, [link, enter]);
  return { isSigningIn: link !== null && error === undefined, error };
}
