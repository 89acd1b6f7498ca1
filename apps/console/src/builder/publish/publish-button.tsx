import { Send } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../parts/button';
import { toast } from '../../parts/toasts';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';

const PublishDialog = lazy(() => import('./publish-dialog').then((module) => ({ default: module.PublishDialog })));

/** *Publish*, after a look at what it changes. */
export function PublishButton() {
  const say = useWords('builder').publish;
  const { editor, state, select } = useEditing();
  const [isOpen, setIsOpen] = useState(false);
  const open = async () => {
    await editor.flush();
    const { phase, faults } = editor.read();
    if (phase === 'saved') return setIsOpen(true);
    toast({ text: faults.size > 0 ? say.correctFirst : say.notSavedYet });
    const [faulty] = faults.keys();
    if (faulty !== undefined && faulty !== '') select(faulty);
  };
  return (
    <>
      <Button look="primary" icon={Send} isDisabled={state.phase === 'conflict'} onPress={() => void open()}>
        {say.publish}
      </Button>
      {isOpen && (
        <Suspense>
          <PublishDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
