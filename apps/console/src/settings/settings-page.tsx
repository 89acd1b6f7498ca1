import { useParams } from '@tanstack/react-router';
import { Building2, Eraser, Hourglass, KeyRound, Lock, Mail, Network, Settings, UserCog, UserSearch, Users, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { Sections, type SectionGroup, type SectionLink } from '../parts/sections';
import { Empty } from '../parts/states';
import { useSession, useWorkspaceRole } from '../session/session';
import { NotFoundPage } from '../shell/failure-pages';
import { useTitle } from '../shell/use-title';
import { ofInstance, ofWorkspace } from '../webhooks/webhook-place';
import { WebhooksOf } from '../webhooks/webhooks-of';
import { useWords } from '../words/use-words';
import { Erasures } from './instance/erasures';
import { FindPerson } from './instance/find-person';
import { InstanceMembers } from './instance/instance-members';
import { Retention } from './instance/retention';
import { ServiceAccounts } from './instance/service-accounts';
import { WebhookKeys } from './instance/webhook-keys';
import { General } from './workspace/general';
import { Invitations } from './workspace/invitations';
import { Members } from './workspace/members';

interface Place extends SectionLink {
  group: 'workspace' | 'instance';
  /** Whether the person may use it. Others are told why not, if a link leads them there. */
  isAllowed: boolean;
  show: () => ReactNode;
}

/** The settings of the active workspace and of the instance, a section each. */
export function SettingsPage() {
  const say = useWords('settings').page;
  const { workspace, instance } = useSession();
  const { section = 'general' } = useParams({ from: '/shell/console/settings/{-$section}' });
  const places = usePlaces();
  const place = places.find((each) => each.section === section);
  useTitle(place?.label, say.title);
  if (!place) return <NotFoundPage />;
  const linksOf = (group: Place['group']) => places.filter((each) => each.group === group && each.isAllowed);
  const groups: SectionGroup[] = [
    { title: workspace === undefined ? say.title : say.workspaceGroup(workspace.name), links: linksOf('workspace') },
    { title: instance.manages ? say.instanceGroup : instance.name, links: linksOf('instance') },
  ];
  return (
    <Sections title={say.title} base="/console/settings" current={section} groups={groups.filter(({ links }) => links.length > 0)}>
      {place.isAllowed ? (
        place.show()
      ) : (
        <Empty icon={Lock} title={workspace === undefined && place.group === 'workspace' ? say.noWorkspaceTitle : say.notAllowedTitle}>
          {place.group === 'instance' ? say.notRunningHelp : workspace === undefined ? say.noWorkspaceHelp : say.notAllowedHelp}
        </Empty>
      )}
    </Sections>
  );
}

function usePlaces(): Place[] {
  const say = useWords('settings').page;
  const { workspace, instance } = useSession();
  const role = useWorkspaceRole();
  const id = workspace?.id ?? '';
  const isMember = workspace !== undefined;
  const manages = role === 'owner' || role === 'admin';
  const ofThis = (section: string, label: string, icon: Place['icon'], isAllowed: boolean, show: Place['show']): Place => ({
    group: 'workspace',
    section,
    label,
    icon,
    isAllowed,
    show,
  });
  const ofAll = (section: string, label: string, icon: Place['icon'], isAllowed: boolean, show: Place['show']): Place => ({
    ...ofThis(section, label, icon, isAllowed, show),
    group: 'instance',
  });
  return [
    ofThis('general', say.general, Settings, isMember, () => <General key={id} />),
    ofThis('members', say.members, Users, isMember, () => <Members />),
    ofThis('invitations', say.invitations, Mail, manages, () => <Invitations />),
    ofThis('webhooks', say.webhooks, Webhook, manages, () => <WebhooksOf key={id} place={ofWorkspace(id)} isReadOnly={false} />),
    ofAll('instance-members', say.running, UserCog, instance.manages, () => <InstanceMembers />),
    ofAll('service-accounts', say.serviceAccounts, KeyRound, instance.manages, () => <ServiceAccounts />),
    ofAll('webhook-keys', say.webhookKeys, Building2, instance.manages, () => <WebhookKeys />),
    ofAll('instance-webhooks', say.instanceWebhooks, Network, instance.manages, () => <WebhooksOf place={ofInstance} isReadOnly={false} />),
    ofAll('people', say.people, UserSearch, true, () => <FindPerson />),
    ofAll('erasures', say.erasures, Eraser, instance.manages || manages, () => <Erasures />),
    ofAll('retention', say.retention, Hourglass, true, () => <Retention />),
  ];
}
