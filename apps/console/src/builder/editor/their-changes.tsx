import { Users, X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { IconButton } from '../../parts/button';
import { useWords } from '../../words/use-words';
import { useEditing } from './editing';
import style from './editor.module.css';

const ConflictDialog = lazy(() => import('./conflict-dialog').then((module) => ({ default: module.ConflictDialog })));

const maxListed = 5;

/** The changes that somebody else has saved while the page was open, and those that clash. */
export function TheirChanges() {
  const say = useWords('builder').page;
  const { editor, state } = useEditing();
  const { theirs, conflict } = state;
  const kinds = { added: say.theirAdded, changed: say.theirChanged, removed: say.theirRemoved };
  return (
    <>
      {conflict && (
        <Suspense>
          <ConflictDialog merge={conflict} />
        </Suspense>
      )}
      {theirs.length > 0 && (
        <div role="status" className={style.theirs}>
          <Users size={16} aria-hidden />
          <span className={style.theirText}>
            {say.theirChanges(theirs.length)}{' '}
            {theirs.slice(0, maxListed).map(({ id, kind, label }, index) => (
              <span key={id}>
                {index > 0 && ', '}
                <bdi>{label}</bdi> ({kinds[kind]})
              </span>
            ))}
            {theirs.length > maxListed && ' …'}
          </span>
          <IconButton isSmall icon={X} label={say.dismiss} onPress={editor.dismissTheirs} />
        </div>
      )}
    </>
  );
}
