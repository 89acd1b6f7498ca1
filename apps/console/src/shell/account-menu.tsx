import { endCurrentSession } from '@sheaf/client';
import { CircleUser, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Menu, MenuItem, MenuSection, MenuSeparator } from '../parts/menu';
import { useAttempt } from '../parts/use-attempt';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import { chooseAppearance, useAppearance } from './appearance';
import style from './shell.module.css';
import type { Theme } from './theme';

/** The menu of the person who is signed in: their account, the theme, and signing out. */
export function AccountMenu() {
  const say = useWords('everywhere').shell;
  const attempt = useAttempt();
  const { user } = useSession();
  const { theme } = useAppearance();
  const signOut = () =>
    attempt(async () => {
      await endCurrentSession({ client });
      // Loaded anew, so that nothing of this person stays in memory.
      location.assign('/console/sign-in');
    });
  const themeItem = (value: Theme, label: string, icon: typeof Sun) => (
    <MenuItem
      key={value}
      icon={icon}
      onAction={() => attempt(() => chooseAppearance({ theme: value }))}
      after={theme === value ? '✓' : undefined}
    >
      {label}
    </MenuItem>
  );
  return (
    <Menu
      label={say.account}
      trigger={
        <Button look="quiet" icon={CircleUser} aria-label={`${say.account}: ${user.name}`}>
          <span className={style.workspaceName}>{user.name}</span>
        </Button>
      }
    >
      <MenuItem icon={CircleUser} href="/console/account">
        {say.account}
      </MenuItem>
      <MenuSection title={say.theme}>
        {themeItem('system', say.themeSystem, Monitor)}
        {themeItem('light', say.themeLight, Sun)}
        {themeItem('dark', say.themeDark, Moon)}
      </MenuSection>
      <MenuSeparator />
      <MenuItem icon={LogOut} onAction={signOut}>
        {say.signOut}
      </MenuItem>
    </Menu>
  );
}
