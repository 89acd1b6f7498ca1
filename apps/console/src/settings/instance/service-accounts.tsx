import { deleteServiceAccount, listServiceAccounts, updateServiceAccount, type ServiceAccount } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { Button, IconButton } from '../../parts/button';
import { ConfirmDialog } from '../../parts/dialog';
import { Menu, MenuItem, MenuSeparator } from '../../parts/menu';
import { PageHead, Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Empty, Skeleton } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useWords } from '../../words/use-words';
import style from '../settings.module.css';
import { AccountDialog } from './account-dialog';
import { AccountKeys } from './account-keys';
import { useScopeName } from './scopes';

const queryKey = ['instance', 'service-accounts'];

/** Accounts of programs: what they may do, and their keys. */
export function ServiceAccounts() {
  const say = useWords('settings').instance;
  const queryClient = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => listServiceAccounts({ client, signal }) });
  const [isCreating, setIsCreating] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const create = (
    <Button look="primary" icon={Plus} onPress={() => setIsCreating(true)}>
      {say.newAccount}
    </Button>
  );
  const accounts = data?.data ?? [];
  return (
    <Section title={say.serviceAccounts} help={say.serviceAccountsHelp} actions={create}>
      {isPending && <Skeleton lines={3} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data && accounts.length === 0 && (
        <Empty icon={KeyRound} title={say.serviceAccountsEmpty}>
          {say.serviceAccountsEmptyHelp}
        </Empty>
      )}
      <ul className={style.cards}>
        {accounts.map((account) => (
          <li key={account.id}>
            <Account account={account} onChanged={refresh} />
          </li>
        ))}
      </ul>
      {isCreating && <AccountDialog onClose={() => setIsCreating(false)} onChanged={refresh} />}
    </Section>
  );
}

function Account({ account, onChanged }: { account: ServiceAccount; onChanged: () => Promise<unknown> }) {
  const { instance: say, members: common } = useWords('settings');
  const scopeName = useScopeName();
  const [opened, setOpened] = useState<'edit' | 'delete'>();
  const close = () => setOpened(undefined);
  return (
    <article className={style.card} aria-label={account.name}>
      <PageHead
        level={3}
        title={account.name}
        help={account.scopes.map(scopeName).join(' · ')}
        actions={
          <Menu
            label={common.actionsOf(account.name)}
            trigger={<IconButton isSmall icon={MoreHorizontal} label={common.actionsOf(account.name)} />}
          >
            <MenuItem icon={Pencil} onAction={() => setOpened('edit')}>
              {say.editAccount}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={Trash2} isDanger onAction={() => setOpened('delete')}>
              {say.deleteAccount}
            </MenuItem>
          </Menu>
        }
      />
      <AccountKeys account={account} onChanged={onChanged} />
      {opened === 'edit' && (
        <AccountDialog
          account={account}
          onClose={close}
          onChanged={onChanged}
          onChange={(body) => updateServiceAccount({ client, path: { id: account.id }, body })}
        />
      )}
      {opened === 'delete' && (
        <ConfirmDialog
          title={say.deleteAccountTitle(account.name)}
          onClose={close}
          submitLabel={say.deleteAccount}
          onSubmit={async () => {
            await deleteServiceAccount({ client, path: { id: account.id } });
            await onChanged();
            toast({ text: say.deleted });
          }}
        >
          <p>{say.deleteAccountHelp}</p>
        </ConfirmDialog>
      )}
    </article>
  );
}
