import { renewInvitationLink, revokeInvitation, type Invitation, type RenewedInvitation } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { Link2, Mail, X } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { ConfirmDialog, FormDialog } from '../../parts/dialog';
import { Section, Table } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { ShownOnce } from '../../parts/shown-once';
import { Badge, Empty, Since, Skeleton } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useSession, useWorkspaceRole } from '../../session/session';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import style from '../settings.module.css';
import { invitationsQuery, useRefreshPeople } from './queries';
import { useRoleName } from './roles';

/** The people who were added and have not accepted. Their link can be made anew, never read again: Sheaf keeps no copy of it. */
export function Invitations() {
  const say = useWords('settings').workspace;
  const id = useSession().workspace?.id ?? '';
  const { data, error, isPending, refetch } = useQuery(invitationsQuery(id));
  const [opened, setOpened] = useState<{ what: 'renew' | 'revoke'; invitation: Invitation }>();
  const close = () => setOpened(undefined);
  return (
    <Section title={say.invitations} help={say.invitationsHelp}>
      {isPending && <Skeleton lines={3} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && (
        <Empty icon={Mail} title={say.invitationsEmpty}>
          {say.invitationsEmptyHelp}
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <InvitationTable invitations={data.data} onOpen={(what, invitation) => setOpened({ what, invitation })} />
      )}
      {opened?.what === 'renew' && <RenewDialog workspaceId={id} invitation={opened.invitation} onClose={close} />}
      {opened?.what === 'revoke' && <RevokeDialog workspaceId={id} invitation={opened.invitation} onClose={close} />}
    </Section>
  );
}

function InvitationTable({
  invitations,
  onOpen,
}: {
  invitations: readonly Invitation[];
  onOpen: (what: 'renew' | 'revoke', invitation: Invitation) => void;
}) {
  const say = useWords('settings').workspace;
  const formats = useFormats();
  const nameOf = useRoleName();
  const isOwner = useWorkspaceRole() === 'owner';
  return (
    <Table label={say.invitations}>
      <thead>
        <tr>
          <th scope="col">{say.person}</th>
          <th scope="col">{say.role}</th>
          <th scope="col">{say.invitedBy}</th>
          <th scope="col">{say.expires}</th>
          <th scope="col">
            <span className="visually-hidden">{say.actionsOf('')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invitations.map((invitation) => (
          <tr key={invitation.id}>
            <td>
              <span className={style.who}>
                <span className={style.strong} dir="auto">
                  {invitation.email}
                </span>
                {invitation.name !== invitation.email && (
                  <span className="muted" dir="auto">
                    {invitation.name}
                  </span>
                )}
                {!invitation.valid && (
                  <span>
                    <Badge tone="bad">{say.invalid}</Badge> <span className="muted">{say.invalidHelp}</span>
                  </span>
                )}
              </span>
            </td>
            <td>{nameOf(invitation.role)}</td>
            <td>
              <span dir="auto">{invitation.invited_by?.name ?? say.operator}</span>, <Since time={invitation.created_at} />
            </td>
            <td>{formats.dateTime(invitation.expires_at)}</td>
            <td className={style.actions}>
              {invitation.role === 'owner' && !isOwner ? (
                <span className="muted">{say.ownersOnly}</span>
              ) : (
                <>
                  <Button
                    isSmall
                    look="quiet"
                    icon={Link2}
                    aria-label={`${say.renew}: ${invitation.email}`}
                    onPress={() => onOpen('renew', invitation)}
                  >
                    {say.renew}
                  </Button>
                  <Button
                    isSmall
                    look="quiet"
                    icon={X}
                    aria-label={`${say.revoke}: ${invitation.email}`}
                    onPress={() => onOpen('revoke', invitation)}
                  >
                    {say.revoke}
                  </Button>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

interface AskProps {
  workspaceId: string;
  invitation: Invitation;
  onClose: () => void;
}

function RenewDialog({ workspaceId, invitation, onClose }: AskProps) {
  const say = useWords('settings').workspace;
  const formats = useFormats();
  const refresh = useRefreshPeople(workspaceId);
  const [renewed, setRenewed] = useState<RenewedInvitation>();
  return (
    <FormDialog
      title={say.renewTitle(invitation.email)}
      isOpen
      onClose={onClose}
      submitLabel={say.makeLink}
      staysOpen
      result={
        renewed && (
          <ShownOnce label={say.linkTitle} value={renewed.invitation_url}>
            <p>{say.renewedHelp(formats.dateTime(renewed.expires_at))}</p>
          </ShownOnce>
        )
      }
      onSubmit={async () => {
        setRenewed(await renewInvitationLink({ client, path: { id: workspaceId, invitationId: invitation.id } }));
        void refresh();
      }}
    >
      <p>{say.renewHelp}</p>
    </FormDialog>
  );
}

function RevokeDialog({ workspaceId, invitation, onClose }: AskProps) {
  const say = useWords('settings').workspace;
  const refresh = useRefreshPeople(workspaceId);
  return (
    <ConfirmDialog
      title={say.revokeTitle(invitation.email)}
      isOpen
      onClose={onClose}
      submitLabel={say.revokeAction}
      onSubmit={async () => {
        await revokeInvitation({ client, path: { id: workspaceId, invitationId: invitation.id } });
        await refresh();
        toast({ text: say.revoked });
      }}
    >
      <p>{say.revokeHelp}</p>
    </ConfirmDialog>
  );
}
