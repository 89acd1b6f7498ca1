import { createSession, getProfile, type SignedIn } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { Problem } from '../parts/problem';
import { recallAppearance } from '../shell/appearance';
import { withWords } from '../shell/with-words';
import { Mark } from '../shell/mark';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { sessionQuery } from './session';
import style from './session.module.css';
import { SignInForm } from './sign-in-form';
import { noteSignedIn } from './signed-out';

const SetPassword = lazy(
  withWords(['invitation'], () => import('./set-password').then(({ SetPassword: component }) => ({ default: component }))),
);

/** Signs people in: with a password, or at once with the link that an operator printed (`#link=…`). */
export function SignInPage() {
  const say = useWords('everywhere').session;
  useTitle(say.signIn);
  const enter = useEnter();
  const { isSigningIn, error, withoutPassword } = useSignInLink(enter);
  return (
    <main className={style.page}>
      <div className={style.card}>
        <div className={style.head}>
          <Mark size={36} />
          <h1>{withoutPassword ? say.setPasswordTitle : say.signInTitle}</h1>
        </div>
        {withoutPassword ? (
          <Suspense>
            <SetPassword email={withoutPassword.user.email} onDone={() => enter(withoutPassword)} />
          </Suspense>
        ) : isSigningIn ? (
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
    void recallAppearance();
    void queryClient.query(sessionQuery).then(() => navigate({ href: to ?? '/console/forms', replace: true }));
  };
}

/**
 * The token is in the fragment, which no server sees; it leaves the address at once, so that it stays in no history. A person without a
 * password is asked for one before they go on.
 */
function useSignInLink(enter: (session: SignedIn) => void) {
  const [link] = useState(() => new URLSearchParams(location.hash.slice(1)).get('link'));
  const [error, setError] = useState<unknown>();
  const [withoutPassword, setWithoutPassword] = useState<SignedIn>();
  const hasSent = useRef(false);
  useEffect(() => {
    if (link === null || hasSent.current) return;
    hasSent.current = true;
    history.replaceState(history.state, '', location.pathname + location.search);
    const signIn = async () => {
      const session = await createSession({ client, body: { link, cookie: true } });
      // Whether or not this is known, the person is signed in.
      const profile = await getProfile({ client }).catch(() => undefined);
      if (profile?.has_password !== false) enter(session);
      else setWithoutPassword(session);
    };
    signIn().catch(setError);
  }, [link, enter]);
  return { isSigningIn: link !== null && error === undefined, error, withoutPassword };
}
