import { createServiceAccountKey, revokeServiceAccountKey, type ServiceAccount, type ServiceAccountKey } from '@sheaf/client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { ConfirmDialog, FormDialog } from '../../parts/dialog';
import { ExpirySelect, expiryTime, type Expiry } from '../../parts/expiry';
import { Table } from '../../parts/page';
import { ShownOnce } from '../../parts/shown-once';
import { Since } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import style from '../settings.module.css';

interface Props {
  account: ServiceAccount;
  onChanged: () => Promise<unknown>;
}

/** The valid keys of a service account, at most two at a time. */
export function AccountKeys({ account, onChanged }: Props) {
  const say = useWords('settings').instance;
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<ServiceAccountKey>();
  return (
    <>
      {account.keys.length === 0 ? <p>{say.noKeys}</p> : <KeyTable account={account} onRevoke={setRevoked} />}
      {account.keys.length < 2 ? (
        <div>
          <Button isSmall icon={Plus} onPress={() => setIsCreating(true)} aria-label={say.rotateTitle(account.name)}>
            {account.keys.length === 0 ? say.createKey : say.rotate}
          </Button>
        </div>
      ) : (
        <p className="muted">{say.twoKeys}</p>
      )}
      {isCreating && <NewKeyDialog account={account} onChanged={onChanged} onClose={() => setIsCreating(false)} />}
      {revoked && (
        <ConfirmDialog
          title={say.revokeKeyTitle(revoked.prefix)}
          isOpen
          onClose={() => setRevoked(undefined)}
          submitLabel={say.revokeKey}
          onSubmit={async () => {
            await revokeServiceAccountKey({ client, path: { id: account.id, keyId: revoked.id } });
            await onChanged();
            toast({ text: say.keyRevoked });
          }}
        >
          <p>{say.revokeKeyHelp}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function KeyTable({ account, onRevoke }: { account: ServiceAccount; onRevoke: (key: ServiceAccountKey) => void }) {
  const say = useWords('settings').instance;
  const formats = useFormats();
  return (
    <Table label={say.keys(account.name)}>
      <thead>
        <tr>
          <th scope="col">{say.key}</th>
          <th scope="col">{say.created}</th>
          <th scope="col">{say.lastUsed}</th>
          <th scope="col">{say.expires}</th>
          <th scope="col">
            <span className="visually-hidden">{say.revoke}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {account.keys.map((key) => (
          <tr key={key.id}>
            <td>
              <code>{key.prefix}…</code>
            </td>
            <td>
              <Since time={key.created_at} />
            </td>
            <td>{key.last_used_at === undefined ? <span className="muted">{say.never}</span> : <Since time={key.last_used_at} />}</td>
            <td>{key.expires_at === undefined ? <span className="muted">{say.never}</span> : formats.date(key.expires_at)}</td>
            <td className={style.actions}>
              <Button isSmall look="quiet" onPress={() => onRevoke(key)} aria-label={`${say.revoke}: ${key.prefix}`}>
                {say.revoke}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function NewKeyDialog({ account, onChanged, onClose }: Props & { onClose: () => void }) {
  const say = useWords('settings').instance;
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [key, setKey] = useState<string>();
  return (
    <FormDialog
      title={say.rotateTitle(account.name)}
      isOpen
      onClose={onClose}
      submitLabel={say.createKey}
      staysOpen
      result={
        key === undefined ? undefined : (
          <ShownOnce label={say.key} value={key}>
            <p>{say.keyOnceHelp}</p>
          </ShownOnce>
        )
      }
      onSubmit={async () => {
        setKey((await createServiceAccountKey({ client, path: { id: account.id }, body: expiryTime(expiry) })).key);
        await onChanged();
      }}
    >
      <p>{say.rotateHelp}</p>
      <ExpirySelect value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
