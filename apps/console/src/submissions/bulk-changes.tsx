import type { BulkChange } from '@sheaf/client';
import { X } from 'lucide-react';
import { Button, IconButton } from '../parts/button';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { nameIn } from '../words/words';
import type { BulkChangesHere } from './bulk-changes-data';
import style from './list.module.css';
import { isUnfinished } from './unfinished';

interface BulkChangesProps {
  changes: BulkChangesHere;
  /** Takes the focus of a button that goes away. */
  focusList: () => void;
}

/** The changes of all that was found: how far they are, an end to each, and the way back. */
export function BulkChanges({ changes: { shown, end, undo, dismiss }, focusList }: BulkChangesProps) {
  const act = (deed: (id: string) => void, id: string) => () => {
    focusList();
    deed(id);
  };
  return shown.map((each) => (
    <Change
      key={each.id}
      change={each}
      onEnd={act(end, each.id)}
      onUndo={each.undoes === undefined && each.changed > 0 ? act(undo, each.id) : undefined}
      onDismiss={act(dismiss, each.id)}
    />
  ));
}

interface ChangeProps {
  change: BulkChange;
  onEnd: () => void;
  onUndo: (() => void) | undefined;
  onDismiss: () => void;
}

function Change({ change, onEnd, onUndo, onDismiss }: ChangeProps) {
  const say = useWords('submissions');
  const { undo, close } = useWords('everywhere').parts;
  const formats = useFormats();
  const { state, reason = 'failed', done, total, changed, undoes } = change;
  const isRunning = isUnfinished(change);
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
  const quarter = isRunning ? Math.floor((share ?? 0) * 4) / 4 : 0;
  const count = formats.number(changed);
  const text = isRunning
    ? undoes === undefined
      ? state === 'waiting'
        ? say.bulkWaiting
        : say.bulkRunning
      : say.bulkUndoing
    : state === 'failed'
      ? `${nameIn(say.bulkFailures, Object.hasOwn(say.bulkFailures, reason) ? reason : 'failed')} ${say.bulkChanged(changed, count)}`
      : `${state === 'cancelled' ? `${say.bulkEnded} ` : ''}${undoes === undefined ? say.bulkChanged(changed, count) : say.bulkTakenBack(changed, count)}`;
  return (
    <div className={style.news}>
      {/* Read aloud when the state changes, and at each quarter. */}
      <span role="status">
        {text}
        {quarter > 0 && <span className="visually-hidden"> {formats.percent(quarter)}</span>}
      </span>{' '}
      {isRunning ? (
        <>
          <progress aria-label={say.working} {...(share === undefined ? {} : { value: share })} />{' '}
          {total !== undefined && <span>{say.bulkDoneOf(formats.number(done), formats.number(total))}</span>}{' '}
          <Button isSmall onPress={onEnd}>
            {say.stop}
          </Button>
        </>
      ) : (
        <>
          {onUndo && (
            <Button isSmall onPress={onUndo}>
              {undo}
            </Button>
          )}{' '}
          <IconButton isSmall icon={X} label={close} onPress={onDismiss} />
        </>
      )}
    </div>
  );
}
