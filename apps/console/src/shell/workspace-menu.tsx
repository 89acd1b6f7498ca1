import { listWorkspaces, switchWorkspace } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Menu, MenuItem, MenuSection, MenuSeparator } from '../parts/menu';
import { Problem } from '../parts/problem';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import { Mark } from './mark';
import style from './shell.module.css';

const NewWorkspaceDialog = lazy(() =>
  import('./new-workspace-dialog').then(({ NewWorkspaceDialog: component }) => ({ default: component })),
);

/** Shows the active workspace, and switches to another one. */
export function WorkspaceMenu() {
  const say = useWords('everywhere').shell;
  const { workspace, instance } = useSession();
  const { data: workspaces } = useQuery({ queryKey: ['workspaces'], queryFn: ({ signal }) => listWorkspaces({ client, signal }) });
  const { enter, error } = useEnterWorkspace();
  const [isCreating, setIsCreating] = useState(false);
  const name = workspace?.name ?? 'Sheaf';
  return (
    <>
      <Menu
        label={say.workspace}
        onAction={(key) => (key === 'new' ? setIsCreating(true) : void enter(String(key)))}
        trigger={
          <Button look="quiet" aria-label={say.switchWorkspace(name)}>
            <Mark size={20} />
            <span className={style.workspaceName}>{name}</span>
            <ChevronsUpDown size={14} aria-hidden />
          </Button>
        }
      >
        <MenuSection title={say.workspace}>
          {(workspaces?.data ?? []).map((each) => (
            <MenuItem key={each.id} id={each.id} textValue={each.name} after={each.id === workspace?.id && <Check size={14} aria-hidden />}>
              {each.name}
            </MenuItem>
          ))}
        </MenuSection>
        {instance.manages && (
          <>
            <MenuSeparator />
            <MenuItem id="new" icon={Plus}>
              {say.newWorkspace}
            </MenuItem>
          </>
        )}
      </Menu>
      {error !== undefined && <Problem error={error} />}
      {isCreating && (
        <Suspense>
          <NewWorkspaceDialog onClose={() => setIsCreating(false)} enter={enter} />
        </Suspense>
      )}
    </>
  );
}

/** The lists of forms, folders and members belong to the active workspace, so all that was loaded is forgotten. */
function useEnterWorkspace() {
  const queryClient = useQueryClient();
  const { navigate, history } = useRouter();
  const [error, setError] = useState<unknown>();
  const enter = async (id: string) => {
    setError(undefined);
    try {
      // A page with unsaved changes asks first, and may stay. Then this is answered by the next navigation, which leads elsewhere.
      const entering = Math.random();
      const path = '/console/forms';
      await navigate({ to: path, state: { entering }, replace: history.location.href === path });
      if (history.location.state.entering !== entering) return;
      await switchWorkspace({ client, body: { workspace_id: id } });
      await queryClient.invalidateQueries();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return { enter, error };
}
