import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../parts/dialog';
import { useWords } from '../../words/use-words';
import type { DraftEditor } from '../saving/draft-editor';

/** Saves before the person goes to another page, and asks if that does not succeed. */
export function Leaving({ editor }: { editor: DraftEditor }) {
  const say = useWords('builder').page;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname || !editor.isUnsaved) return false;
      await editor.flush();
      return editor.isUnsaved;
    },
    enableBeforeUnload: () => editor.isUnsaved,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
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
