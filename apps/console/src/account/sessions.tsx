import { endOtherSessions, endSession, listSessions, type OwnSession } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Section, Table } from '../parts/page';
import { Problem } from '../parts/problem';
import { Badge, Since, Skeleton } from '../parts/states';
import { toast } from '../parts/toasts';
import { useAttempt } from '../parts/use-attempt';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './account.module.css';
import { deviceOf } from './device';

const queryKey = ['sessions'];

/** Where the person is signed in, and how they end it. */
export function Sessions() {
  const say = useWords('account');
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const { data, error, isPending, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => listSessions({ client, signal }) });
  const [isAsking, setIsAsking] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const end = (session: OwnSession) =>
    attempt(async () => {
      await endSession({ client, path: { id: session.id } });
      await refresh();
      toast({ text: say.ended });
    });
  const hasOthers = data?.data.some(({ current }) => !current) ?? false;
  return (
    <Section
      title={say.sessions}
      help={say.sessionsHelp}
      actions={hasOthers && <Button onPress={() => setIsAsking(true)}>{say.endOthers}</Button>}
    >
      {isPending && <Skeleton lines={3} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && <SessionTable sessions={data.data} onEnd={end} />}
      {isAsking && (
        <ConfirmDialog
          title={say.endOthersTitle}
          isOpen
          onClose={() => setIsAsking(false)}
          submitLabel={say.endOthers}
          onSubmit={async () => {
            await endOtherSessions({ client });
            await refresh();
            toast({ text: say.othersEnded });
          }}
        >
          <p>{say.endOthersHelp}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function useDevice(): (session: OwnSession) => string {
  const say = useWords('account');
  return ({ user_agent: userAgent = '' }) => {
    const { browser, system } = deviceOf(userAgent);
    if (browser !== undefined && system !== undefined) return say.browserOn(browser, system);
    return browser ?? system ?? (userAgent === '' ? say.unknownDevice : userAgent);
  };
}

function SessionTable({ sessions, onEnd }: { sessions: readonly OwnSession[]; onEnd: (session: OwnSession) => void }) {
  const say = useWords('account');
  const deviceName = useDevice();
  const formats = useFormats();
  return (
    <Table label={say.sessions}>
      <thead>
        <tr>
          <th scope="col">{say.device}</th>
          <th scope="col">{say.signedIn}</th>
          <th scope="col">{say.lastUsed}</th>
          <th scope="col">{say.address}</th>
          <th scope="col">
            <span className="visually-hidden">{say.end}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map((session) => (
          <tr key={session.id}>
            <td>
              <span className={style.device}>
                <span className={style.strong} dir="auto">
                  {deviceName(session)}
                </span>
                {session.current && <Badge tone="active">{say.thisDevice}</Badge>}
              </span>
            </td>
            <td>
              <Since time={session.created_at} />
            </td>
            <td>
              <Since time={session.last_used_at} />
              <div className="muted">{say.endsUnused(formats.date(session.ends_unused_at))}</div>
            </td>
            <td>{session.address ?? <span className="muted">{say.unknown}</span>}</td>
            <td className={style.actions}>
              {!session.current && (
                <Button isSmall look="quiet" onPress={() => onEnd(session)} aria-label={say.endSession(deviceName(session))}>
                  {say.end}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
