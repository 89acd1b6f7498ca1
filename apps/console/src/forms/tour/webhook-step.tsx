import { createFormWebhook, testFormWebhook, type FormSettingsDetail, type WebhookTestResult } from '@sheaf/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { client } from '../../api/client';
import { Button } from '../../parts/button';
import { Code } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { TextField } from '../../parts/text-field';
import { useWords } from '../../words/use-words';
import style from './tour.module.css';

/** A webhook at an address of the person, and the sample that was sent there at once. */
export function WebhookStep({ form, onDone }: { form: FormSettingsDetail; onDone: () => void }) {
  const say = useWords('tour');
  const [address, setAddress] = useState('');
  const [hasSent, setHasSent] = useState(false);
  const { send, isPending, error, result } = useSample(form.id);
  const isAddress = /^https?:\/\/\S+$/.test(address.trim());
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setHasSent(true);
    if (isAddress && !isPending) send(address.trim());
  };
  return (
    <>
      <p className="muted">{say.stepWebhookHelp}</p>
      <form className={style.form} onSubmit={onSubmit} noValidate>
        <TextField
          label={say.address}
          type="url"
          value={address}
          onChange={setAddress}
          placeholder="https://"
          autoComplete="off"
          fault={hasSent && !isAddress ? say.addressFault : undefined}
        />
        {error !== null && <Problem error={error} />}
        {result && <Outcome result={result} />}
        <div className={style.buttons}>
          {result?.delivered === true ? (
            <Button look="primary" onPress={onDone}>
              {say.done}
            </Button>
          ) : (
            <>
              <Button type="submit" look="primary" isPending={isPending}>
                {result ? say.again : say.add}
              </Button>
              <Button look="quiet" onPress={onDone}>
                {say.withoutWebhook}
              </Button>
            </>
          )}
        </div>
      </form>
    </>
  );
}

/** Another address is another webhook; the same one is tried again. */
function useSample(form: string) {
  const queryClient = useQueryClient();
  const [made, setMade] = useState<{ id: string; address: string }>();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async (address: string): Promise<WebhookTestResult> => {
      let id = made?.address === address ? made.id : undefined;
      if (id === undefined) {
        ({ id } = await createFormWebhook({ client, path: { id: form }, body: { target_url: address, event: 'submission.created' } }));
        setMade({ id, address });
      }
      return testFormWebhook({ client, path: { id: form, webhookId: id } });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['form', form, 'webhooks'] }),
  });
  return { send: mutate, isPending, error, result: data };
}

function Outcome({ result: { delivered, status, duration_ms: ms, request } }: { result: WebhookTestResult }) {
  const say = useWords('tour');
  const sentence = status === null ? say.unanswered : delivered ? say.arrived(status, Math.round(ms)) : say.refused(status);
  const head = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className={style.outcome}>
      <p role="status" className={delivered ? style.good : 'fault'}>
        {sentence}
      </p>
      <details>
        <summary>{say.request}</summary>
        <Code label={say.request}>{`${head.join('\n')}\n\n${request.body}`}</Code>
      </details>
    </div>
  );
}
