import { isHidden, type Condition, type FormCheck } from '@sheaf/contracts';
import { Select } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { begun } from '../model/conditions';
import { fieldsIn, type Entry } from '../model/contents';
import { nameOf } from './comparison';
import { ConditionEditor } from './condition-editor';
import { placeOf } from './condition-settings';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** Under which condition a check refuses answers, and where it says so. */
export function CheckCondition({ entry, check }: { entry: Entry; check: FormCheck }) {
  const say = useWords('builder').settings;
  const { state, edit } = useEditing();
  const { entries } = state.history.present;
  const { id } = entry;
  const all = fieldsIn(entries);
  const earlier = fieldsIn(entries.slice(0, placeOf(entry, entries)));
  const places = earlier.filter((field) => !isHidden(field));
  const isLost = places.every(({ key }) => key !== check.at);
  const lost = all.find(({ key }) => key === check.at);
  const options = [
    ...(isLost ? [{ value: check.at, label: lost ? nameOf(lost) : check.at }] : []),
    ...places.map((field) => ({ value: field.key, label: nameOf(field) })),
  ];
  const fault = useFaultText(id, 'at');
  const last = earlier.at(-1);
  const set = (next: Condition | undefined) => {
    // A check without a condition would refuse nothing.
    const condition = next ?? (last && begun(last));
    if (condition) edit({ do: 'change', id, to: { if: condition } });
  };
  return (
    <>
      <Settings title={say.refuseWhen}>
        <ConditionEditor condition={check.if} fields={all} earlier={earlier} fault={useFaultText(id, 'if')} onChange={set} />
      </Settings>
      <Select
        label={say.messageAt}
        fault={fault ?? (isLost ? say.at_later : undefined)}
        value={check.at}
        options={options}
        onChange={(at) => at !== check.at && edit({ do: 'change', id, to: { at } })}
      />
    </>
  );
}
