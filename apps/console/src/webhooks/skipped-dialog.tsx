import { redeliverDeliveries, type Webhook } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client';
import { Button } from '../parts/button';
import { Dialog, FormDialog } from '../parts/dialog';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';

/** The most that the server counts. */
const mostCounted = 1_000;

/** Offers to send what happened while a webhook was off, which has just been switched on. */
export function SkippedDialog({
  webhook,
  skipped,
  onClose,
}: {
  webhook: Webhook;
  skipped: { count: number; from: string };
  onClose: () => void;
}) {
  const say = useWords('webhooks');
  const formats = useFormats();
  const queryClient = useQueryClient();
  const { form_id: formId } = webhook;
  const count = formats.number(skipped.count);
  const help = skipped.count < mostCounted ? say.skippedHelp(skipped.count, count) : say.skippedMost(count);
  if (formId === null) {
    return (
      <Dialog title={say.skippedTitle} onClose={onClose} footer={<Button onPress={onClose}>{say.close}</Button>}>
        <p>{help}</p>
        <p className="muted">{say.skippedElsewhere}</p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={say.skippedTitle}
      onClose={onClose}
      submitLabel={say.sendSkipped}
      onSubmit={async () => {
        const body = {
          from: skipped.from,
          to: new Date(Date.now() + 60_000).toISOString(),
          state: 'skipped' as const,
          subscription_id: webhook.id,
        };
        const { redelivered } = await redeliverDeliveries({ client, path: { id: formId }, body });
        await queryClient.invalidateQueries({ queryKey: ['form', formId] });
        toast({ text: say.redeliveredMany(redelivered, formats.number(redelivered)) });
      }}
    >
      <p>{help}</p>
      <p className="muted">{say.skippedLater}</p>
    </FormDialog>
  );
}
