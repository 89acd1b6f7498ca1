import { createServiceAccountKey, revokeServiceAccountKey, type ServiceAccount } from '@sheaf/client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { FormDialog } from '../../parts/dialog';
import { ExpirySelect, expiryTime, type Expiry } from '../../parts/expiry';
import { Keys } from '../../parts/keys';
import { ShownOnce } from '../../parts/shown-once';
import { useWords } from '../../words/use-words';

interface Props {
  account: ServiceAccount;
  onChanged: () => Promise<unknown>;
}

/** The valid keys of a service account, at most two at a time. */
export function AccountKeys({ account, onChanged }: Props) {
  const say = useWords('settings').instance;
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      {account.keys.length === 0 ? (
        <p>{say.noKeys}</p>
      ) : (
        <Keys
          label={say.keys(account.name)}
          keys={account.keys}
          revokeTitle={({ prefix }) => say.revokeKeyTitle(prefix)}
          onRevoke={async (keyId) => {
            await revokeServiceAccountKey({ client, path: { id: account.id, keyId } });
            await onChanged();
          }}
        />
      )}
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
    </>
  );
}

function NewKeyDialog({ account, onChanged, onClose }: Props & { onClose: () => void }) {
  const say = useWords('settings').instance;
  const common = useWords('keys');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [key, setKey] = useState<string>();
  return (
    <FormDialog
      title={say.rotateTitle(account.name)}
      onClose={onClose}
      submitLabel={say.createKey}
      staysOpen
      result={
        key === undefined ? undefined : (
          <ShownOnce label={common.key} value={key}>
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
