import type { WebhookEvent, Webhook, WebhookRequest } from '@sheaf/client';
import type { Field } from '@sheaf/contracts';
import { lazy, Suspense, useState } from 'react';
import { FormDialog } from '../parts/dialog';
import { Checkbox, TextField } from '../parts/fields';
import { withWords } from '../shell/with-words';
import { useWords } from '../words/use-words';
import { BatchField, hasBatches, wantedBatch } from './batch-field';
import { choiceOf, wantedChoice } from './choice';
import { eventName, sentEvents } from './event-names';
import { HeaderFields, headerRows, wantedHeaders } from './header-fields';
import { NewSecret } from './new-secret';
import { OptionFields, optionsOf } from './option-fields';
import style from './webhooks.module.css';

const ChoiceFields = lazy(
  withWords(['webhooks', 'builder', 'submissions'], () =>
    import('./choice-fields').then(({ ChoiceFields: component }) => ({ default: component })),
  ),
);

/** Creates a webhook, or changes one. */
export function WebhookDialog({
  webhook,
  fields = [],
  onClose,
  onSubmit,
}: {
  webhook?: Webhook | undefined;
  /** The fields of its form, if it has one. */
  fields?: readonly Field[] | undefined;
  onClose: () => void;
  /** Resolves with the webhook, whose secret is shown once if it is new. */
  onSubmit: (request: WebhookRequest) => Promise<Webhook>;
}) {
  const say = useWords('webhooks');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>((webhook?.events as WebhookEvent[] | undefined) ?? ['submission.created']);
  const [options, setOptions] = useState(() => optionsOf(webhook));
  const [secret, setSecret] = useState<string>();
  const [headers, setHeaders] = useState(() => headerRows(webhook));
  const [choice, setChoice] = useState(() => choiceOf(webhook));
  const [isBatched, setIsBatched] = useState(() => hasBatches(webhook));
  const wanted = wantedHeaders(headers, webhook);
  const toggle = (event: WebhookEvent, isChosen: boolean) =>
    setEvents(sentEvents.filter((each) => (each === event ? isChosen : events.includes(each))));
  return (
    <FormDialog
      title={webhook ? say.editTitle : say.newWebhook}
      onClose={onClose}
      submitLabel={webhook ? say.save : say.create}
      isIncomplete={url.trim() === '' || events.length === 0}
      staysOpen
      onSubmit={async () => {
        const { signature, ...others } = options;
        const isSignatureNew = signature !== (webhook?.signature ?? 'v1a');
        const saved = await onSubmit({
          target_url: url.trim(),
          events: [...events],
          ...others,
          ...(isSignatureNew && { signature }),
          ...(wanted && { headers: wanted }),
          ...wantedChoice(choice, events, webhook),
          ...wantedBatch(isBatched, webhook),
        });
        if (saved.secret === undefined) onClose();
        else setSecret(saved.secret);
      }}
      result={secret === undefined ? undefined : <NewSecret secret={secret} />}
    >
      <TextField
        label={say.address}
        help={say.addressHelp}
        type="url"
        value={url}
        onChange={setUrl}
        placeholder="https://"
        autoComplete="off"
        autoFocus
      />
      <fieldset className={style.events}>
        <legend className={style.legend}>{say.events}</legend>
        {sentEvents.map((event) => (
          <Checkbox key={event} isSelected={events.includes(event)} onChange={(isChosen) => toggle(event, isChosen)}>
            {eventName(event, say)}
          </Checkbox>
        ))}
        {events.length === 0 && <p className="fault">{say.needsEvent}</p>}
      </fieldset>
      <Suspense>
        <ChoiceFields choice={choice} events={events} fields={fields} onChange={setChoice} />
      </Suspense>
      <OptionFields options={options} onChange={setOptions} />
      <BatchField webhook={webhook} isBatched={isBatched} onChange={setIsBatched} />
      <HeaderFields rows={headers} onChange={setHeaders} />
    </FormDialog>
  );
}
