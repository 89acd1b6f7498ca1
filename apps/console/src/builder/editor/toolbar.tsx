import { Redo2, Undo2 } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { IconButton } from '../../parts/button';
import { Badge } from '../../parts/states';
import { useWords } from '../../words/use-words';
import { PublishButton } from '../publish/publish-button';
import { useEditing } from './editing';
import style from './editor.module.css';
import { Parts } from './parts';
import { SaveState } from './save-state';

/** The bar of the editor: the parts of the page, undoing, whether it is saved, and publishing. */
export function Toolbar() {
  const say = useWords('builder').page;
  const { form, selected } = useEditing();
  return (
    <div className={style.toolbar}>
      <Parts formId={form.id} selected={selected} />
      <UndoAndRedo />
      <SaveState />
      <span className={style.grows} />
      {form.publish_mode === 'auto' ? (
        <span title={say.publishesItselfHelp}>
          <Badge tone="active">{say.publishesItself}</Badge>
        </span>
      ) : (
        <PublishButton />
      )}
    </div>
  );
}

function UndoAndRedo() {
  const say = useWords('builder').page;
  const { editor, state } = useEditing();
  const { past, future } = state.history;
  const [said, setSaid] = useState('');
  const undo = () => {
    editor.undo();
    setSaid(say.undone);
  };
  const redo = () => {
    editor.redo();
    setSaid(say.redone);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isOurs =
      (event.ctrlKey || event.metaKey) && !event.altKey && !(event.target as Element).closest('[role=dialog], [role=alertdialog]');
    const key = event.key.toLowerCase();
    const action = !isOurs ? undefined : key === 'z' ? (event.shiftKey ? redo : undo) : key === 'y' ? redo : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return (
    <span className={style.actions}>
      <IconButton isSmall icon={Undo2} label={say.undo} isDisabled={past.length === 0} onPress={undo} />
      <IconButton isSmall icon={Redo2} label={say.redo} isDisabled={future.length === 0} onPress={redo} />
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </span>
  );
}
