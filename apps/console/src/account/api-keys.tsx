import { createApiKey, listApiKeys, revokeApiKey } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { FormDialog } from '../parts/dialog';
import { ExpirySelect, expiryTime, type Expiry } from '../parts/expiry';
import { TextField } from '../parts/fields';
import { Keys } from '../parts/keys';
import { Loaded } from '../parts/loaded';
import { Code, Section } from '../parts/page';
import { ShownOnce } from '../parts/shown-once';
import { Empty } from '../parts/states';
import { useWords } from '../words/use-words';
import style from './account.module.css';

const queryKey = ['api-keys'];

/** The person's own keys of the API. */
export function ApiKeys() {
  const say = useWords('account');
  const queryClient = useQueryClient();
  const keys = useQuery({ queryKey, queryFn: ({ signal }) => listApiKeys({ client, signal }) });
  const [isCreating, setIsCreating] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const revoke = async (id: string) => {
    await revokeApiKey({ client, path: { id } });
    await refresh();
  };
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
            <Keys label={say.apiKeys} keys={data} hasNames revokeTitle={({ name }) => say.revokeTitle(name)} onRevoke={revoke} />
          )
        }
      </Loaded>
      {isCreating && <NewKeyDialog onCreated={refresh} onClose={() => setIsCreating(false)} />}
    </Section>
  );
}

function NewKeyDialog({ onCreated, onClose }: { onCreated: () => Promise<unknown>; onClose: () => void }) {
  const say = useWords('account');
  const common = useWords('keys');
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
            <ShownOnce label={common.key} value={key}>
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
      <TextField label={common.name} help={say.keyNameHelp} value={name} onChange={setName} maxLength={100} autoComplete="off" autoFocus />
      <ExpirySelect value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
