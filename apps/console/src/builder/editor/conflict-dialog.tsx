import { mainTextOf } from '@sheaf/contracts';
import { useState } from 'react';
import { FormDialog } from '../../parts/dialog';
import { RadioGroup } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { ItemSummary } from '../differences/item-summary';
import { paymentId, type Conflict, type Merge } from '../model/merge';
import { useEditing } from './editing';
import style from './editor.module.css';

/** Lets the person choose where two people have changed the same. */
export function ConflictDialog({ merge }: { merge: Merge }) {
  const say = useWords('builder').page;
  const { editor } = useEditing();
  const [chosen, setChosen] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  const choose = () => {
    editor.choose(chosen);
    return Promise.resolve();
  };
  return (
    // It has to be answered: closing it keeps the own side of what is not chosen.
    <FormDialog title={say.conflictTitle} onClose={() => editor.choose(chosen)} isWide submitLabel={say.keepChosen} onSubmit={choose}>
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
  const say = useWords('builder').page;
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

const labelOf = (item: Conflict['mine']): string => (item && 'type' in item ? mainTextOf(item) : '');
