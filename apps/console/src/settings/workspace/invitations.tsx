import { renewInvitationLink, revokeInvitation, type Invitation, type RenewedInvitation } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { Link2, Mail, X } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { ConfirmDialog, FormDialog } from '../../parts/dialog';
import { Loaded } from '../../parts/loaded';
import { Section } from '../../parts/page';
import { Name, Rows } from '../../parts/rows';
import { ShownOnce } from '../../parts/shown-once';
import { Badge, Empty, Since } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useSession, useWorkspaceRole } from '../../session/session';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import { invitationsQuery, useRefreshPeople } from './queries';
import { useRoleName } from './roles';

/** The people who were added and have not accepted. Their link can be made anew, never read again: Sheaf keeps no copy of it. */
export function Invitations() {
  const say = useWords('settings').workspace;
  const id = useSession().workspace?.id ?? '';
  const invitations = useQuery(invitationsQuery(id));
  const [opened, setOpened] = useState<{ what: 'renew' | 'revoke'; invitation: Invitation }>();
  const close = () => setOpened(undefined);
  return (
    <Section title={say.invitations} help={say.invitationsHelp}>
      <Loaded query={invitations} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={Mail} title={say.invitationsEmpty}>
              {say.invitationsEmptyHelp}
            </Empty>
          ) : (
            <InvitationTable invitations={data} onOpen={(what, invitation) => setOpened({ what, invitation })} />
          )
        }
      </Loaded>
      {opened?.what === 'renew' && <RenewDialog workspaceId={id} invitation={opened.invitation} onClose={close} />}
      {opened?.what === 'revoke' && <RevokeDialog workspaceId={id} invitation={opened.invitation} onClose={close} />}
    </Section>
  );
}

const icons = { renew: Link2, revoke: X };

function InvitationTable({
  invitations,
  onOpen,
}: {
  invitations: readonly Invitation[];
  onOpen: (what: 'renew' | 'revoke', invitation: Invitation) => void;
}) {
  const { workspace: say, members: common } = useWords('settings');
  const formats = useFormats();
  const nameOf = useRoleName();
  const isOwner = useWorkspaceRole() === 'owner';
  return (
    <Rows
      label={say.invitations}
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        {
          head: common.person,
          cell: ({ email, name, valid }) => (
            <Name name={email}>
              {name !== email && (
                <span className="muted" dir="auto">
                  {name}
                </span>
              )}
              {!valid && (
                <span>
                  <Badge tone="bad">{say.invalid}</Badge> <span className="muted">{say.invalidHelp}</span>
                </span>
              )}
            </Name>
          ),
        },
        { head: common.role, cell: ({ role }) => nameOf(role) },
        {
          head: say.invitedBy,
          cell: (invitation) => (
            <>
              <span dir="auto">{invitation.invited_by?.name ?? say.operator}</span>, <Since time={invitation.created_at} />
            </>
          ),
        },
        { head: say.expires, cell: (invitation) => formats.dateTime(invitation.expires_at) },
        {
          head: common.actionsOf(''),
          kind: 'actions',
          cell: (invitation) => {
            if (invitation.role === 'owner' && !isOwner) return <span className="muted">{common.ownersOnly}</span>;
            return (['renew', 'revoke'] as const).map((what) => (
              <Button
                key={what}
                isSmall
                look="quiet"
                icon={icons[what]}
                aria-label={`${say[what]}: ${invitation.email}`}
                onPress={() => onOpen(what, invitation)}
              >
                {say[what]}
              </Button>
            ));
          },
        },
      ]}
    />
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
