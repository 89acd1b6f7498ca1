import type { Webhook, WebhookRequest } from '@sheaf/client';
import { Switch } from '../parts/fields';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './webhooks.module.css';

/** How many events a batch has at most, and for how many seconds its first event waits: unless the webhook has other limits already. */
const standard = { max_events: 20, max_seconds: 5 };

/** The change of a webhook's batches; empty if they stay as they are, so that nothing is asked of a server that does not know them. */
export const wantedBatch = (isBatched: boolean, webhook: Webhook | undefined): Pick<WebhookRequest, 'batch'> =>
  isBatched === hasBatches(webhook) ? {} : { batch: isBatched ? standard : null };

export const hasBatches = (webhook: Webhook | undefined): boolean => (webhook?.batch ?? null) !== null;

/** Whether events are sent together. Other limits, which a program has chosen, are shown and kept. */
export function BatchField({
  webhook,
  isBatched,
  onChange,
}: {
  webhook: Webhook | undefined;
  isBatched: boolean;
  onChange: (isBatched: boolean) => void;
}) {
  const say = useWords('webhooks');
  const formats = useFormats();
  const { max_events: events, max_seconds: seconds } = { ...standard, ...webhook?.batch };
  return (
    <fieldset className={style.events}>
      <legend className={style.legend}>{say.batches}</legend>
      <p className="muted">{say.batchesHelp(formats.number(events), formats.number(seconds))}</p>
      <Switch isSelected={isBatched} onChange={onChange}>
        {say.batchesOn}
      </Switch>
    </fieldset>
  );
}
