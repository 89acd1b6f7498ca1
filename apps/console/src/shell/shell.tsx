import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { BookOpen, FileText, Menu as MenuIcon, ScrollText, Search, Settings, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Help, type OpenedHelp } from '../help/help';
import { Button, IconButton } from '../parts/button';
import { classes } from '../parts/classes';
import { Skeleton } from '../parts/states';
import { useSignedOut } from '../session/signed-out';
import { useWords } from '../words/use-words';
import { AccountMenu } from './account-menu';
import { useLiveChanges, useOnline } from './live-changes';
import { Mark } from './mark';
import style from './shell.module.css';
import { WorkspaceMenu } from './workspace-menu';

const SignInAgain = lazy(() => import('../session/sign-in-again').then(({ SignInAgain: component }) => ({ default: component })));

/** Around every page behind the sign-in: navigation at the side, on small screens behind a button. */
export function Shell() {
  const say = useWords('everywhere').shell;
  const { close } = useWords('everywhere').parts;
  const [isOpen, setIsOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isOnline = useOnline();
  const [help, setHelp] = useState<OpenedHelp>();
  const isSignedOut = useSignedOut();
  useLiveChanges();
  useEffect(() => setIsOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setIsOpen(false);
    // Before the control with the focus sees it: one that shows a tooltip would keep the first Escape for that.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen]);
  return (
    <div className={style.frame}>
      <a href="#content" className={style.skip}>
        {say.skip}
      </a>
      <header className={style.top}>
        <IconButton icon={MenuIcon} label={say.openNavigation} aria-expanded={isOpen} onPress={() => setIsOpen(true)} />
        <Mark />
      </header>
      <aside aria-label={say.workspace} className={classes(style.side, isOpen && style.isOpen)}>
        {isOpen && <IconButton icon={X} label={close} onPress={() => setIsOpen(false)} autoFocus />}
        <WorkspaceMenu />
        <Button look="secondary" icon={Search} onPress={() => setHelp('palette')} aria-keyshortcuts="Control+K">
          <span className={style.workspaceName}>{say.search}</span>
          <kbd aria-hidden>Ctrl K</kbd>
        </Button>
        <Navigation />
        <div className={style.grows} />
        <a className={style.link} href="/docs" target="_blank" rel="noreferrer">
          <BookOpen size={16} aria-hidden />
          {say.documentation}
        </a>
        <AccountMenu />
      </aside>
      <main id="content" tabIndex={-1} className={style.content}>
        {!isOnline && (
          <p role="status" className={style.offline}>
            {say.offline}
          </p>
        )}
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <Help opened={help} onChange={setHelp} />
      {isSignedOut && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </div>
  );
}

function Navigation() {
  const say = useWords('everywhere').shell;
  return (
    <nav aria-label={say.main} className={style.links}>
      <Link to="/console/forms" className={style.link}>
        <FileText size={16} aria-hidden />
        {say.forms}
      </Link>
      <Link to="/console/settings/{-$section}" params={{}} className={style.link}>
        <Settings size={16} aria-hidden />
        {say.settings}
      </Link>
      <Link to="/console/audit-log" className={style.link}>
        <ScrollText size={16} aria-hidden />
        {say.auditLog}
      </Link>
    </nav>
  );
}
