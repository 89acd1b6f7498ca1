import { ConfirmDialog } from '../parts/dialog';
import { defineWords } from '../words/words';
import { useWords } from '../words/use-words';

const words = defineWords(
  { title: 'Discard your answers?', help: 'What you have typed is not saved.', discard: 'Discard' },
  { title: 'Ihre Antworten verwerfen?', help: 'Was Sie eingegeben haben, ist nicht gespeichert.', discard: 'Verwerfen' },
);

/** Asks before answers that were typed are lost. */
export function DiscardDialog({ onClose, onDiscard }: { onClose: () => void; onDiscard: () => void }) {
  const say = useWords(words);
  const discard = () => {
    onDiscard();
    return Promise.resolve();
  };
  return (
    <ConfirmDialog title={say.title} isOpen onClose={onClose} submitLabel={say.discard} onSubmit={discard}>
      <p>{say.help}</p>
    </ConfirmDialog>
  );
}
