import { endCurrentSession } from '@sheaf/client';
import { CircleUser, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Menu, MenuItem, MenuSection, MenuSeparator } from '../parts/menu';
import { toast } from '../parts/toasts';
import { useSession } from '../session/session';
import { problemSentence } from '../api/problem-sentence';
import { useLanguage, useWords } from '../words/use-words';
import { setAppearance, useAppearance } from './appearance';
import style from './shell.module.css';
import type { Theme } from './theme';
import { words } from './words';

/** Who is signed in: their account, the theme, and signing out. */
export function AccountMenu() {
  const say = useWords(words);
  const language = useLanguage();
  const { user } = useSession();
  const { theme } = useAppearance();
  const signOut = () => {
    // Loaded anew, so that nothing of this person stays in memory.
    endCurrentSession({ client }).then(
      () => location.assign('/console/sign-in'),
      (error: unknown) => toast({ text: problemSentence(error, language).title }),
    );
  };
  const themeItem = (value: Theme, label: string, icon: typeof Sun) => (
    <MenuItem key={value} icon={icon} onAction={() => setAppearance({ theme: value })} after={theme === value ? '✓' : undefined}>
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
