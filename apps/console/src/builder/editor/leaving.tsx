import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../parts/dialog';
import { useWords } from '../../words/use-words';
import type { DraftEditor } from '../saving/draft-editor';

/** Asks somebody who leaves, because what they did last could not be saved. */
export function AsksToLeave({ proceed, reset }: { proceed: () => void; reset: () => void }) {
  const say = useWords('builder').page;
  const leave = () => {
    proceed();
    return Promise.resolve();
  };
  return (
    <ConfirmDialog title={say.leaveTitle} onClose={reset} submitLabel={say.leave} onSubmit={leave}>
      {say.leaveHelp}
    </ConfirmDialog>
  );
}

/** Saves before the person goes to another page, and asks if that does not succeed. */
export function Leaving({ editor }: { editor: DraftEditor }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname || !editor.isUnsaved) return false;
      await editor.flush();
      return editor.isUnsaved;
    },
    enableBeforeUnload: () => editor.isUnsaved,
    withResolver: true,
  });
  return status === 'blocked' ? <AsksToLeave proceed={proceed} reset={reset} /> : null;
}
