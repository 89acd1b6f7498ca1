import type { Webhook } from '@sheaf/client';
import { useState } from 'react';
import { FormDialog } from '../parts/dialog';
import { ShownOnce } from '../parts/shown-once';
import { useWords } from '../words/use-words';
import style from './webhooks.module.css';

/** The secret of a webhook, which nobody can read again. */
export function NewSecret({ secret }: { secret: string }) {
  const say = useWords('webhooks');
  return (
    <ShownOnce label={say.secret} value={secret}>
      <p>{say.secretOnce}</p>
    </ShownOnce>
  );
}

/** Asks for a new secret, and shows it. The previous one stays valid for a day. */
export function NewSecretDialog({
  webhook,
  onClose,
  onSubmit,
}: {
  webhook: Webhook;
  onClose: () => void;
  onSubmit: () => Promise<Webhook>;
}) {
  const say = useWords('webhooks');
  const [secret, setSecret] = useState<string>();
  return (
    <FormDialog
      title={say.newSecretTitle}
      onClose={onClose}
      submitLabel={say.newSecret}
      staysOpen
      onSubmit={async () => setSecret((await onSubmit()).secret)}
      result={secret === undefined ? undefined : <NewSecret secret={secret} />}
    >
      <p className={style.url}>{webhook.url}</p>
      <p>{say.newSecretHelp}</p>
    </FormDialog>
  );
}
