import { searchForms, type WebhookEvent, type Webhook, type WebhookTestResult } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Select } from '../parts/fields';
import { Code } from '../parts/page';
import { Problem } from '../parts/problem';
import { Badge } from '../parts/states';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { eventName } from './event-names';
import { headerLines } from './header-lines';
import type { WebhookPlace } from './webhook-place';
import style from './webhooks.module.css';
import { Why } from './why';

/** Sends a sample to a webhook, and shows the request and what came back. */
export function TestDialog({ webhook, place, onClose }: { webhook: Webhook; place: WebhookPlace; onClose: () => void }) {
  const say = useWords('webhooks');
  const [event, setEvent] = useState((webhook.events[0] ?? webhook.event) as WebhookEvent);
  const [formId, setFormId] = useState<string | null>(null);
  const [result, setResult] = useState<WebhookTestResult>();
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const needsForm = place.kind !== 'form';

  const send = async () => {
    setIsPending(true);
    setError(undefined);
    try {
      setResult(await place.test(webhook.id, { event, ...(needsForm && formId !== null ? { form_id: formId } : {}) }));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <Dialog
      title={say.test}
      onClose={onClose}
      isWide
      footer={
        <Button look="primary" onPress={() => void send()} isPending={isPending} isDisabled={needsForm && formId === null}>
          {isPending ? say.sending : say.sendTest}
        </Button>
      }
    >
      <p className="muted">{say.testHelp}</p>
      {webhook.events.length > 1 && (
        <Select
          label={say.event}
          value={event}
          onChange={setEvent}
          options={webhook.events.map((each) => ({ value: each as WebhookEvent, label: eventName(each, say) }))}
        />
      )}
      {needsForm && <FormChoice value={formId} onChange={setFormId} />}
      {error !== undefined && <Problem error={error} />}
      {result && <Result result={result} />}
    </Dialog>
  );
}

function FormChoice({ value, onChange }: { value: string | null; onChange: (formId: string) => void }) {
  const say = useWords('webhooks');
  const { data } = useQuery({
    queryKey: ['forms', 'to test with'],
    queryFn: ({ signal }) => searchForms({ client, query: { limit: 100 }, signal }),
  });
  return (
    <Select
      label={say.testForm}
      value={value}
      onChange={onChange}
      options={(data?.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
    />
  );
}

function Result({ result: { delivered, status, error, code, duration_ms: ms, request, response } }: { result: WebhookTestResult }) {
  const say = useWords('webhooks');
  const formats = useFormats();
  return (
    <div className={style.result} role="status">
      <p className={style.answer}>
        <Badge tone={delivered ? 'good' : 'bad'}>{delivered ? say.delivered : say.notDelivered}</Badge>
        <span>
          {say.answer}: {status ?? say.noAnswer}
        </span>
        <span className="muted">{say.duration(formats.number(ms))}</span>
      </p>
      <Why failed={{ status, error, code }} response={response} />
      <h3>{say.request}</h3>
      <Code label={say.headers}>{headerLines(request.headers)}</Code>
      <Code label={say.body}>{request.body}</Code>
    </div>
  );
}
