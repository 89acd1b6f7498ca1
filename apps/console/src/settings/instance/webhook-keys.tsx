import { listWebhookKeys, rotateWebhookKeys, type WebhookKey } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { CopyButton } from '../../parts/copy-button';
import { FormDialog } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Badge, Skeleton } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import style from '../settings.module.css';

const queryKey = ['instance', 'webhook-keys'];

/** The public keys that receivers check signatures with, and their replacement. */
export function WebhookKeys() {
  const say = useWords('settings').instance;
  const queryClient = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => listWebhookKeys({ client, signal }) });
  const [isAsking, setIsAsking] = useState(false);
  const keySet = `${location.origin}/.well-known/webhook-keys.json`;
  return (
    <Section
      title={say.webhookKeys}
      help={say.webhookKeysHelp}
      actions={
        <Button icon={RefreshCw} onPress={() => setIsAsking(true)}>
          {say.rotateKeys}
        </Button>
      }
    >
      {isPending && <Skeleton lines={3} />}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <ul className={style.cards}>
        {data?.data.map((key) => (
          <li key={key.kid}>
            <KeyCard webhookKey={key} />
          </li>
        ))}
      </ul>
      <p className={style.badges}>
        {say.keySet}:{' '}
        <a href={keySet} target="_blank" rel="noreferrer" className={style.wrap}>
          {keySet}
        </a>
        <CopyButton text={keySet} isIcon />
      </p>
      {isAsking && (
        <FormDialog
          title={say.rotateKeysTitle}
          onClose={() => setIsAsking(false)}
          submitLabel={say.rotateKeys}
          onSubmit={async () => {
            queryClient.setQueryData(queryKey, await rotateWebhookKeys({ client }));
            toast({ text: say.rotated });
          }}
        >
          <p>{say.rotateKeysHelp}</p>
          <ol className={style.steps}>
            <li>{say.rotateStepFetch}</li>
            <li>{say.rotateStepPaste}</li>
            <li>{say.rotateStepEnd}</li>
          </ol>
        </FormDialog>
      )}
    </Section>
  );
}

function KeyCard({ webhookKey: { kid, public_key: publicKey, retires_at: retires } }: { webhookKey: WebhookKey }) {
  const say = useWords('settings').instance;
  const formats = useFormats();
  return (
    <article className={style.card} aria-label={kid}>
      <div>
        {retires === undefined ? (
          <Badge tone="good">{say.signsNow}</Badge>
        ) : (
          <Badge tone="waiting">{say.retires(formats.dateTime(retires))}</Badge>
        )}
      </div>
      <Facts>
        <dt>{say.keyId}</dt>
        <dd>
          <code>{kid}</code>
        </dd>
        <dt>{say.publicKey}</dt>
        <dd>
          <code>{publicKey}</code> <CopyButton text={publicKey} isIcon />
        </dd>
      </Facts>
    </article>
  );
}
