import { listReferencedSubmissions, searchForms } from '@sheaf/client';
import { readReference } from '@sheaf/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  BookOpen,
  CircleUser,
  FileText,
  Inbox,
  Keyboard,
  KeyRound,
  Moon,
  ScrollText,
  Settings,
  Star,
  Sun,
  SunMoon,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Menu } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { client } from '../api/client';
import { FormStatus } from '../form/form-status';
import { SearchField } from '../parts/fields';
import { MenuItem, MenuSection } from '../parts/menu-list';
import overlay from '../parts/overlay.module.css';
import { useAttempt } from '../parts/use-attempt';
import { chooseAppearance } from '../shell/appearance';
import type { Theme } from '../shell/theme';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './help.module.css';

interface Command {
  id: string;
  label: string;
  icon: LucideIcon;
  run: () => void;
  after?: ReactNode;
}

/** Finds forms by their title, and whatever can be gone to or done from everywhere. */
export function CommandPalette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const say = useWords('help');
  const [query, setQuery] = useState('');
  const named = useNamedSubmissions(query);
  const forms = useFoundForms(query);
  const places = usePlaces();
  const actions = useActions(onShortcuts);
  const matches = ({ label }: Command) => label.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase());
  const groups: [string, Command[]][] = [
    [say.submissions, named],
    [say.forms, forms],
    [say.goTo, places.filter(matches)],
    [say.actions, actions.filter(matches)],
  ];
  const run = (command: Command) => {
    onClose();
    command.run();
  };
  return (
    <ModalOverlay isOpen onOpenChange={onClose} isDismissable className={overlay.scrim ?? ''}>
      <Modal className={style.palette ?? ''}>
        <Dialog aria-label={say.search} className={style.paletteBody ?? ''}>
          {/* The lists are filtered above: forms by the server, the rest here. */}
          <Autocomplete filter={() => true} inputValue={query} onInputChange={setQuery}>
            <div className={style.search}>
              <SearchField label={say.search} placeholder={say.palettePlaceholder} autoFocus />
            </div>
            <Menu
              aria-label={say.search}
              className={style.results ?? ''}
              renderEmptyState={() => <p className={style.none}>{say.nothingFound}</p>}
            >
              {groups
                .filter(([, commands]) => commands.length > 0)
                .map(([title, commands]) => (
                  <MenuSection key={title} title={title}>
                    {commands.map((command) => (
                      <MenuItem key={command.id} id={command.id} icon={command.icon} after={command.after} onAction={() => run(command)}>
                        {command.label}
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function useFoundForms(query: string): Command[] {
  const navigate = useNavigate();
  const q = query.trim();
  const { data } = useQuery({
    queryKey: ['forms', 'palette', q],
    queryFn: ({ signal }) => searchForms({ client, query: { limit: 5, ...(q === '' ? {} : { q }) }, signal }),
    placeholderData: keepPreviousData,
  });
  return (data?.data ?? []).map((form) => ({
    id: form.id,
    label: form.title,
    icon: FileText,
    after: <FormStatus form={form} />,
    run: () => void navigate({ to: '/console/forms/$form', params: { form: form.id } }),
  }));
}

/** The submission whose reference or id was typed. */
function useNamedSubmissions(query: string): Command[] {
  const navigate = useNavigate();
  const formats = useFormats();
  const reference = readReference(query);
  const { data } = useQuery({
    queryKey: ['submissions', 'palette', reference],
    queryFn: ({ signal }) => listReferencedSubmissions({ client, query: { reference: reference ?? '' }, signal }),
    enabled: reference !== undefined,
  });
  return (reference === undefined ? [] : (data?.data ?? [])).map((submission) => ({
    id: submission.id,
    label: `${submission.reference} · ${formats.dateTime(submission.created_at)}`,
    icon: Inbox,
    run: () =>
      void navigate({
        to: '/console/forms/$form/submissions',
        params: { form: submission.form_id },
        search: { open: submission.id },
      }),
  }));
}

function usePlaces(): Command[] {
  const say = useWords('help');
  const navigate = useNavigate();
  const go = (href: string) => () => void navigate({ href });
  return [
    { id: 'forms', label: say.allForms, icon: FileText, run: go('/console/forms') },
    { id: 'favorites', label: say.favorites, icon: Star, run: go('/console/forms?view=favorites') },
    { id: 'settings', label: say.settings, icon: Settings, run: go('/console/settings') },
    { id: 'members', label: say.members, icon: Users, run: go('/console/settings/members') },
    { id: 'audit-log', label: say.auditLog, icon: ScrollText, run: go('/console/audit-log') },
    { id: 'account', label: say.account, icon: CircleUser, run: go('/console/account') },
    { id: 'api-keys', label: say.apiKeys, icon: KeyRound, run: go('/console/account/api-keys') },
    { id: 'docs', label: say.documentation, icon: BookOpen, run: () => window.open('/docs', '_blank', 'noreferrer') },
  ];
}

function useActions(onShortcuts: () => void): Command[] {
  const say = useWords('help');
  const attempt = useAttempt();
  const choose = (theme: Theme) => () => attempt(() => chooseAppearance({ theme }));
  return [
    { id: 'shortcuts', label: say.shortcuts, icon: Keyboard, run: onShortcuts },
    { id: 'light', label: say.themeLight, icon: Sun, run: choose('light') },
    { id: 'dark', label: say.themeDark, icon: Moon, run: choose('dark') },
    { id: 'system', label: say.themeSystem, icon: SunMoon, run: choose('system') },
  ];
}
