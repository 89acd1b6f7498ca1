import { lazy, Suspense, useEffect } from 'react';
import { withWords } from '../shell/with-words';
import { isTyping } from './is-typing';

const CommandPalette = lazy(
  withWords(['help', 'form'], () => import('./command-palette').then(({ CommandPalette: default_ }) => ({ default: default_ }))),
);
const Shortcuts = lazy(withWords(['help'], () => import('./shortcuts').then(({ Shortcuts: default_ }) => ({ default: default_ }))));

export type OpenedHelp = 'palette' | 'shortcuts' | undefined;

/** `Ctrl K` opens the palette, `?` the list of shortcuts. Both are loaded when somebody first asks for them. */
export function Help({ opened, onChange }: { opened: OpenedHelp; onChange: (opened: OpenedHelp) => void }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPalette = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
      if (!isPalette && (event.key !== '?' || isTyping(event))) return;
      event.preventDefault();
      event.stopPropagation();
      onChange(isPalette ? 'palette' : 'shortcuts');
    };
    // Before the control with the focus sees it: buttons, menus and lists keep the keys that they get for themselves.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [onChange]);
  const close = () => onChange(undefined);
  return (
    <Suspense>
      {opened === 'palette' && <CommandPalette onClose={close} onShortcuts={() => onChange('shortcuts')} />}
      {opened === 'shortcuts' && <Shortcuts onClose={close} />}
    </Suspense>
  );
}
