import { useBlocker } from '@tanstack/react-router';
import { createContext, use, useCallback, useEffect, useId, useRef, type ReactNode } from 'react';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';

type Note = (id: string, title: string | undefined) => void;
const UnsavedContext = createContext<Note>(() => undefined);

/** Asks before a page is left on which a section has changes that are not saved. */
export function AsksBeforeLeaving({ children }: { children: ReactNode }) {
  const say = useWords('formSettings');
  const formats = useFormats();
  const unsaved = useRef(new Map<string, string>());
  const note = useCallback<Note>((id, title) => {
    if (title === undefined) unsaved.current.delete(id);
    else unsaved.current.set(id, title);
  }, []);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved.current.size > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved.current.size > 0,
    withResolver: true,
  });
  const stay = () => blocker.reset?.();
  return (
    <UnsavedContext value={note}>
      {children}
      {blocker.status === 'blocked' && (
        <Dialog
          role="alertdialog"
          title={say.leaveTitle}
          onClose={stay}
          footer={
            <>
              <Button look="danger" onPress={() => blocker.proceed()}>
                {say.leaveAnyway}
              </Button>
              <Button look="primary" onPress={stay} autoFocus>
                {say.stay}
              </Button>
            </>
          }
        >
          <p>{say.leaveHelp(formats.list([...unsaved.current.values()]))}</p>
        </Dialog>
      )}
    </UnsavedContext>
  );
}

/** Names a section as one whose changes would be lost. */
export function useUnsaved(title: string, isDirty: boolean): void {
  const id = useId();
  const note = use(UnsavedContext);
  useEffect(() => {
    note(id, isDirty ? title : undefined);
    return () => note(id, undefined);
  }, [note, id, title, isDirty]);
}
