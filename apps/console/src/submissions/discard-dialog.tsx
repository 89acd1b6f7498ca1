import { ConfirmDialog } from '../parts/dialog';
import { useWords } from '../words/use-words';

/** Asks before answers that were typed are lost. */
export function DiscardDialog({ onClose, onDiscard }: { onClose: () => void; onDiscard: () => void }) {
  const say = useWords('submissions').discardAnswers;
  const discard = () => {
    onDiscard();
    return Promise.resolve();
  };
  return (
    <ConfirmDialog title={say.title} onClose={onClose} submitLabel={say.discard} onSubmit={discard}>
      <p>{say.help}</p>
    </ConfirmDialog>
  );
}
