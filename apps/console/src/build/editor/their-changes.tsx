import { Users, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../parts/button';
import { FormDialog } from '../../parts/dialog';
import { RadioGroup } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { ItemSummary } from '../differences/item-summary';
import { paymentId, type Conflict, type Merge } from '../model/merge';
import { words } from '../words';
import { useEditing } from './editing';
import style from './editor.module.css';

const maxListed = 5;

/** What somebody else has saved while the page was open, and what of it clashes. */
export function TheirChanges() {
  const say = useWords(words);
  const { editor, state } = useEditing();
  const { theirs, conflict } = state;
  const kinds = { added: say.theirAdded, changed: say.theirChanged, removed: say.theirRemoved };
  return (
    <>
      {conflict && <ConflictDialog merge={conflict} />}
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

function ConflictDialog({ merge }: { merge: Merge }) {
  const say = useWords(words);
  const { editor } = useEditing();
  const [chosen, setChosen] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  const choose = () => {
    editor.choose(chosen);
    return Promise.resolve();
  };
  return (
    // It has to be answered: closing it keeps the own side of what is not chosen.
    <FormDialog
      title={say.conflictTitle}
      isOpen
      onClose={() => editor.choose(chosen)}
      isWide
      submitLabel={say.keepChosen}
      onSubmit={choose}
    >
      <p>{say.conflictHelp}</p>
      {merge.conflicts.map((conflict) => (
        <ConflictChoice
          key={conflict.id}
          conflict={conflict}
          value={chosen[conflict.id] ?? 'mine'}
          onChange={(side) => setChosen({ ...chosen, [conflict.id]: side })}
        />
      ))}
    </FormDialog>
  );
}

function ConflictChoice({
  conflict,
  value,
  onChange,
}: {
  conflict: Conflict;
  value: 'mine' | 'theirs';
  onChange: (side: 'mine' | 'theirs') => void;
}) {
  const say = useWords(words);
  const { id, base, mine, theirs, parts } = conflict;
  const label = id === paymentId ? say.payment : labelOf(base ?? mine ?? theirs);
  return (
    <div className={style.conflict}>
      <RadioGroup
        label={say.conflictSide(label)}
        value={value}
        onChange={onChange}
        options={[
          { value: 'mine', label: say.mine },
          { value: 'theirs', label: say.theirs },
        ]}
      />
      <div className={style.sides}>
        {[mine, theirs].map((side, index) => (
          <div key={index}>
            <h3>{index === 0 ? say.mine : say.theirs}</h3>
            {side ? <ItemSummary item={side} parts={parts} /> : <p>{say.removedHere}</p>}
          </div>
        ))}
      </div>
    </div>
  );
}

const labelOf = (item: Conflict['mine']): string => (item && 'label' in item ? item.label : '');
