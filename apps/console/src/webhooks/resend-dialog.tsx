import { redeliverDeliveries } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { RadioGroup } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { Problem } from '../parts/problem';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { sendSteps, stepOf, type Resend } from './resend';

const pauseMs = 3_000;

/**
 * Sends everything of a webhook again from one delivery on, in steps: it is counted first, can be stopped, and its place is in the address, so that it goes
 * on after an error or when the page is loaded again.
 */
export function ResendDialog({
  formId,
  resend,
  onChange,
  onClose,
}: {
  formId: string;
  resend: Resend;
  onChange: (resend: Resend) => void;
  onClose: () => void;
}) {
  const say = useWords('webhooks');
  const formats = useFormats();
  const queryClient = useQueryClient();
  const [begunWith, setBegunWith] = useState<number>();
  const [sent, setSent] = useState(0);
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const isStopped = useRef(false);
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);
  const { webhook, from, to, state } = resend;
  const left = useQuery({
    queryKey: ['form', formId, 'resend', { webhook, from, to, state }],
    queryFn: () => redeliverDeliveries({ client, path: { id: formId }, body: { ...stepOf(resend), dry_run: true } }),
    // Counted anew whenever the dialog opens: what is left changes with each step.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

  const count = left.data?.matching ?? left.data?.matching_at_least ?? 0;

  const run = async (count: number) => {
    isStopped.current = false;
    setError(undefined);
    setBegunWith((before) => before ?? count);
    setIsRunning(true);
    let total = sent;
    try {
      const isOver = await sendSteps(resend, {
        send: (step) => redeliverDeliveries({ client, path: { id: formId }, body: stepOf(step) }),
        onStep: (step, redelivered) => {
          total += redelivered;
          setSent(total);
          // The step that was under way when somebody closed the dialog must not open it again.
          if (!isClosed.current) onChange(step);
        },
        pause: () => new Promise((resolve) => setTimeout(resolve, pauseMs)),
        isStopped: () => isStopped.current || isClosed.current,
      });
      if (isOver && !isClosed.current) {
        toast({ text: say.redeliveredMany(total, formats.number(total)) });
        onClose();
      }
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsRunning(false);
      await queryClient.invalidateQueries({ queryKey: ['form', formId, 'deliveries'] });
    }
  };
  return (
    <Dialog
      title={say.sendFromHere}
      onClose={onClose}
      footer={
        isRunning ? (
          <Button onPress={() => (isStopped.current = true)}>{say.stop}</Button>
        ) : (
          count > 0 && (
            <Button look="primary" onPress={() => void run(count)}>
              {resend.cursor === undefined ? say.sendAgain(formats.number(count)) : say.goOn}
            </Button>
          )
        )
      }
    >
      <p className="muted">{say.sendFromHelp(formats.exact(from))}</p>
      {resend.cursor === undefined && !isRunning && (
        <RadioGroup
          label={say.sendWhat}
          value={state ?? 'all'}
          onChange={(value) => onChange({ ...resend, state: value === 'failed' ? 'failed' : undefined })}
          options={[
            { value: 'failed', label: say.onlyFailed },
            { value: 'all', label: say.everythingSent },
          ]}
        />
      )}
      {begunWith === undefined ? (
        <Loaded query={left} lines={1}>
          {({ matching, matching_at_least: atLeast = 0 }) => (
            <p role="status">
              {matching === undefined ? say.matchingAtLeast(formats.number(atLeast)) : say.matching(matching, formats.number(matching))}
            </p>
          )}
        </Loaded>
      ) : (
        <p>
          <progress value={sent} max={Math.max(begunWith, sent)} aria-label={say.sendFromHere} />{' '}
          {say.sentOf(formats.number(sent), formats.number(Math.max(begunWith, sent)))}
        </p>
      )}
      <p className="muted">{say.sendFromKeep}</p>
      {error !== undefined && <Problem error={error} />}
    </Dialog>
  );
}
