import { acceptInvitation, getInvitation, type SeenInvitation } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';
import { Button, ButtonLink } from '../parts/button';
import { Problem } from '../parts/problem';
import { Skeleton } from '../parts/states';
import { TextField } from '../parts/text-field';
import { Mark } from '../shell/mark';
import { useTitle } from '../shell/use-title';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { nameIn } from '../words/words';
import { passwordFault } from './password';
import { sessionQuery } from './session';
import style from './session.module.css';
import { noteSignedIn } from './signed-out';

/** The invitation in words; with a name and a password, the invited person is a member. */
export function InvitationPage() {
  const say = useWords('invitation');
  const { token } = useParams({ from: '/invitations/$token' });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => getInvitation({ client, path: { token }, signal }),
    staleTime: Infinity,
  });
  useTitle(say.title);
  if (isPending) return <Card title={say.title}>{<Skeleton lines={4} />}</Card>;
  if (hasStatus(error, 404) || hasStatus(error, 400)) return <Ended />;
  if (error) {
    return (
      <Card title={say.title}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  return <Acceptance token={token} invitation={data} />;
}

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className={style.page}>
    <div className={style.card}>
      <div className={style.head}>
        <Mark size={36} />
        <h1>{title}</h1>
      </div>
      {children}
    </div>
  </main>
);

/** A link that was used looks like one that never existed: the server says no more. */
function Ended() {
  const say = useWords('invitation');
  return (
    <Card title={say.endedTitle}>
      <p>{say.endedHelp}</p>
      <ButtonLink look="primary" href="/console/sign-in">
        {say.toSignIn}
      </ButtonLink>
    </Card>
  );
}

function Acceptance({ token, invitation }: { token: string; invitation: SeenInvitation }) {
  const say = useWords('invitation');
  const formats = useFormats();
  const { data: session } = useQuery(sessionQuery);
  const { workspace, invited_by_name: sender, role } = invitation;
  const help: Partial<Record<string, string>> = say.roleHelp;
  return (
    <Card title={say.join(workspace.name)}>
      <div className={style.facts}>
        <p>
          {sender === undefined ? say.invited(nameIn(say.roles, role)) : say.invitedBy(sender, nameIn(say.roles, role))} {help[role]}
        </p>
        <p className="muted">{say.until(formats.dateTime(invitation.expires_at))}</p>
      </div>
      {session && session.user.email !== invitation.email && <p className={style.note}>{say.otherSession(session.user.name)}</p>}
      <AcceptForm token={token} invitation={invitation} />
    </Card>
  );
}

function AcceptForm({ token, invitation: { email, name: written = '' } }: { token: string; invitation: SeenInvitation }) {
  const say = useWords('invitation');
  const [name, setName] = useState(written);
  const [password, setPassword] = useState('');
  const [hasSent, setHasSent] = useState(false);
  const { accept, isPending, error } = useAcceptance(token);
  const fault = passwordFault(password, say);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setHasSent(true);
    if (!isPending && name.trim() !== '' && fault === undefined) void accept(name.trim(), password);
  };
  if (hasStatus(error, 404)) {
    return (
      <p role="alert" className={style.refusal}>
        {say.endedHelp}
      </p>
    );
  }
  return (
    <form className={style.form} onSubmit={onSubmit} noValidate>
      {/* Read-only, and there for password managers, which keep the two together. */}
      <TextField label={say.email} type="email" autoComplete="username" value={email} isReadOnly />
      <TextField
        label={say.name}
        autoComplete="name"
        value={name}
        onChange={setName}
        maxLength={100}
        autoFocus={written === ''}
        fault={hasSent && name.trim() === '' ? say.needsName : undefined}
      />
      <TextField
        label={say.password}
        type="password"
        autoFocus={written !== ''}
        autoComplete="new-password"
        help={say.passwordHelp}
        value={password}
        onChange={setPassword}
        fault={hasSent ? fault : undefined}
      />
      {error !== undefined && <Problem error={error} />}
      <Button type="submit" look="primary" isPending={isPending}>
        {say.accept}
      </Button>
    </form>
  );
}

/** Goes on to the forms of the workspace, as the person who was invited. */
function useAcceptance(token: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const accept = async (name: string, password: string) => {
    setIsPending(true);
    setError(undefined);
    try {
      await acceptInvitation({ client, path: { token }, body: { name, password, cookie: true } });
      noteSignedIn();
      queryClient.clear();
      await queryClient.query(sessionQuery);
      await navigate({ to: '/console/forms', replace: true });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsPending(false);
    }
  };
  return { accept, isPending, error };
}
