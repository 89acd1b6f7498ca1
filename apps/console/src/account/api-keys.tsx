import { createApiKey, listApiKeys, revokeApiKey, type ApiKey } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { ConfirmDialog, FormDialog } from '../parts/dialog';
import { ExpirySelect, expiryTime, type Expiry } from '../parts/expiry';
import { TextField } from '../parts/fields';
import { KeyTable } from '../parts/key-table';
import { Loaded } from '../parts/loaded';
import { Code, Section } from '../parts/page';
import { ShownOnce } from '../parts/shown-once';
import { Empty } from '../parts/states';
import { toast } from '../parts/toasts';
import { useWords } from '../words/use-words';
import style from './account.module.css';

const queryKey = ['api-keys'];

/** The person's own keys of the API. */
export function ApiKeys() {
  const say = useWords('account');
  const queryClient = useQueryClient();
  const keys = useQuery({ queryKey, queryFn: ({ signal }) => listApiKeys({ client, signal }) });
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const create = (
    <Button look="primary" icon={Plus} onPress={() => setIsCreating(true)}>
      {say.newKey}
    </Button>
  );
  return (
    <Section title={say.apiKeys} help={say.apiKeysHelp} actions={create}>
      <Loaded query={keys} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={KeyRound} title={say.apiKeysEmpty}>
              {say.apiKeysEmptyHelp}
            </Empty>
          ) : (
            <KeyTable label={say.apiKeys} keys={data} onRevoke={setRevoked} say={say} />
          )
        }
      </Loaded>
      {isCreating && <NewKeyDialog onCreated={refresh} onClose={() => setIsCreating(false)} />}
      {revoked && (
        <ConfirmDialog
          title={say.revokeTitle(revoked.name)}
          onClose={() => setRevoked(undefined)}
          submitLabel={say.revokeKey}
          onSubmit={async () => {
            await revokeApiKey({ client, path: { id: revoked.id } });
            await refresh();
            toast({ text: say.revoked });
          }}
        >
          <p>{say.revokeHelp}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function NewKeyDialog({ onCreated, onClose }: { onCreated: () => Promise<unknown>; onClose: () => void }) {
  const say = useWords('account');
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [key, setKey] = useState<string>();
  // The key is left out of the command: what is typed into a shell stays in its history.
  const command = `curl -H "Authorization: Bearer $SHEAF_KEY" ${location.origin}/api/v1/forms`;
  return (
    <FormDialog
      title={say.newKey}
      onClose={onClose}
      submitLabel={say.createKey}
      isIncomplete={name.trim() === ''}
      staysOpen
      result={
        key === undefined ? undefined : (
          <div className={style.shown}>
            <ShownOnce label={say.key} value={key}>
              <p>{say.keyOnceHelp}</p>
            </ShownOnce>
            <div>
              <h3>{say.tryIt}</h3>
              <Code label={say.tryIt}>{command}</Code>
              <CopyButton text={command} isIcon />
            </div>
          </div>
        )
      }
      onSubmit={async () => {
        setKey((await createApiKey({ client, body: { name, ...expiryTime(expiry) } })).key);
        await onCreated();
      }}
    >
      <TextField label={say.keyName} help={say.keyNameHelp} value={name} onChange={setName} maxLength={100} autoComplete="off" autoFocus />
      <ExpirySelect value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
