import { useParams } from '@tanstack/react-router';
import { KeyRound, Lock, MonitorSmartphone, Palette, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Sections, type SectionLink } from '../parts/sections';
import { useSession } from '../session/session';
import { NotFoundPage } from '../shell/failure-pages';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { ApiKeys } from './api-keys';
import { AppearanceSection } from './appearance';
import { PasswordSection } from './password';
import { ProfileSection } from './profile';
import { Sessions } from './sessions';

/** The settings of the person who is signed in, a section each. */
export function AccountPage() {
  const say = useWords('account');
  const { user } = useSession();
  const { section = 'profile' } = useParams({ from: '/shell/console/account/{-$section}' });
  const places: (SectionLink & { show: () => ReactNode })[] = [
    { section: 'profile', label: say.profile, icon: UserRound, show: () => <ProfileSection /> },
    { section: 'password', label: say.password, icon: Lock, show: () => <PasswordSection /> },
    { section: 'sessions', label: say.sessions, icon: MonitorSmartphone, show: () => <Sessions /> },
    { section: 'api-keys', label: say.apiKeys, icon: KeyRound, show: () => <ApiKeys /> },
    { section: 'appearance', label: say.appearance, icon: Palette, show: () => <AppearanceSection /> },
  ];
  const place = places.find((each) => each.section === section);
  useTitle(place?.label, say.title);
  if (!place) return <NotFoundPage />;
  return (
    <Sections title={say.title} base="/console/account" current={section} groups={[{ title: user.email, links: places }]}>
      {place.show()}
    </Sections>
  );
}
