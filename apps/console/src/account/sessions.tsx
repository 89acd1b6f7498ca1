import { endOtherSessions, endSession, listSessions, type OwnSession } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Loaded } from '../parts/loaded';
import { Section } from '../parts/page';
import { Name, Rows } from '../parts/rows';
import { Badge, Since } from '../parts/states';
import { toast } from '../parts/toasts';
import { useAttempt } from '../parts/use-attempt';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { deviceOf } from './device';

const queryKey = ['sessions'];

/** The sessions of the person, and ending them. */
export function Sessions() {
  const say = useWords('account');
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const sessions = useQuery({ queryKey, queryFn: ({ signal }) => listSessions({ client, signal }) });
  const [isAsking, setIsAsking] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const end = (session: OwnSession) =>
    attempt(async () => {
      await endSession({ client, path: { id: session.id } });
      await refresh();
      toast({ text: say.ended });
    });
  const hasOthers = sessions.data?.data.some(({ current }) => !current) ?? false;
  return (
    <Section
      title={say.sessions}
      help={say.sessionsHelp}
      actions={hasOthers && <Button onPress={() => setIsAsking(true)}>{say.endOthers}</Button>}
    >
      <Loaded query={sessions} lines={3}>
        {({ data }) => <SessionTable sessions={data} onEnd={end} />}
      </Loaded>
      {isAsking && (
        <ConfirmDialog
          title={say.endOthersTitle}
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
    <Rows
      label={say.sessions}
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          head: say.device,
          cell: (session) => <Name name={deviceName(session)} badges={session.current && <Badge tone="active">{say.thisDevice}</Badge>} />,
        },
        { head: say.signedIn, cell: (session) => <Since time={session.created_at} /> },
        {
          head: say.lastUsed,
          cell: (session) => (
            <>
              <Since time={session.last_used_at} />
              <div className="muted">{say.endsUnused(formats.date(session.ends_unused_at))}</div>
            </>
          ),
        },
        { head: say.address, cell: ({ address }) => address ?? <span className="muted">{say.unknown}</span> },
        {
          head: say.end,
          kind: 'actions',
          cell: (session) =>
            !session.current && (
              <Button isSmall look="quiet" onPress={() => onEnd(session)} aria-label={say.endSession(deviceName(session))}>
                {say.end}
              </Button>
            ),
        },
      ]}
    />
  );
}
