import { redeliverDeliveries, type FinishedDeliveryState, type Redelivered, type RedeliverRequest } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Select, TextField } from '../parts/fields';
import { Problem } from '../parts/problem';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './webhooks.module.css';

/** Sends the deliveries of a time again. It counts them first, so that nobody sends a million by mistake. */
export function RedeliverDialog({ formId, webhookId, onClose }: { formId: string; webhookId: string | undefined; onClose: () => void }) {
  const say = useWords('webhooks');
  const stateNames = useWords('deliveries').states;
  const formats = useFormats();
  const queryClient = useQueryClient();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [state, setState] = useState<FinishedDeliveryState>('failed');
  const [counted, setCounted] = useState<Redelivered>();
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const isComplete = from !== '' && to !== '';

  const ask = async (isDryRun: boolean) => {
    setIsPending(true);
    setError(undefined);
    const body: RedeliverRequest = {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      state,
      ...(webhookId === undefined ? {} : { subscription_id: webhookId }),
      ...(isDryRun ? { dry_run: true } : {}),
    };
    try {
      const answer = await redeliverDeliveries({ client, path: { id: formId }, body });
      if (isDryRun) return setCounted(answer);
      await queryClient.invalidateQueries({ queryKey: ['form', formId, 'deliveries'] });
      toast({ text: say.redeliveredMany(answer.redelivered, formats.number(answer.redelivered)) });
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsPending(false);
    }
  };
  // A changed choice needs another count.
  const choose =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setCounted(undefined);
    };
  const matching = counted && (counted.matching ?? counted.matching_at_least ?? 0);
  return (
    <Dialog
      title={say.redeliverRange}
      onClose={onClose}
      footer={
        matching !== undefined && matching > 0 ? (
          <Button look="primary" isPending={isPending} onPress={() => void ask(false)}>
            {say.sendAgain(formats.number(matching))}
          </Button>
        ) : (
          <Button look="primary" isPending={isPending} isDisabled={!isComplete} onPress={() => void ask(true)}>
            {say.count}
          </Button>
        )
      }
    >
      <p className="muted">{say.redeliverHelp}</p>
      <div className={style.filters}>
        <TextField label={say.from} type="datetime-local" value={from} onChange={choose(setFrom)} />
        <TextField label={say.to} type="datetime-local" value={to} onChange={choose(setTo)} />
        <Select
          label={say.state}
          value={state}
          onChange={choose(setState)}
          options={[
            { value: 'failed', label: stateNames.failed },
            { value: 'cancelled', label: stateNames.cancelled },
            { value: 'skipped', label: stateNames.skipped },
            { value: 'succeeded', label: stateNames.succeeded },
          ]}
        />
      </div>
      {!isComplete && <p className="muted">{say.needsTimes}</p>}
      {matching !== undefined && (
        <p role="status">
          {counted?.matching === undefined
            ? say.matchingAtLeast(formats.number(matching))
            : say.matching(matching, formats.number(matching))}
        </p>
      )}
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}
