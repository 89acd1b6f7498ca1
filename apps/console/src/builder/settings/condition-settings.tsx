import type { Condition, conditionParts, Field } from '@sheaf/contracts';
import { Switch } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { begun, nearestOf } from '../model/conditions';
import { answeredIn, earlierFor, type Entry } from '../model/contents';
import { ConditionEditor } from './condition-editor';
import { useFaultText } from './part-field';
import { Settings } from './settings';

interface Props {
  entry: Entry;
  part: Exclude<(typeof conditionParts)[number], 'if'>;
}

/** Whether an item is shown always, or only under a condition on earlier answers. */
export function ConditionSettings({ entry }: { entry: Entry }) {
  const say = useWords('builder').settings;
  const { entries } = useEditing().state.history.present;
  const isFirst = earlierFor(entry, entries).length === 0;
  return (
    <Settings title={say.condition}>
      {isFirst && !(entry.item as Partial<Field>).visible_if ? (
        <p className="muted">{say.noEarlier}</p>
      ) : (
        <ConditionSwitch entry={entry} part="visible_if" />
      )}
    </Settings>
  );
}

/** Switches a condition of an item on, which can be edited then. Nothing where no field stands before the item. */
export function ConditionSwitch({ entry, part }: Props) {
  const say = useWords('builder').settings;
  const { state, edit } = useEditing();
  const { entries } = state.history.present;
  const { id, item } = entry;
  const all = answeredIn(entries);
  const earlier = earlierFor(entry, entries);
  const condition = (item as Partial<Field>)[part];
  const fault = useFaultText(id, part);
  const set = (next: Condition | undefined) => edit({ do: 'change', id, to: { [part]: next } });
  const last = nearestOf(earlier);
  if (!last && !condition) return null;
  return (
    <>
      <Switch isSelected={condition !== undefined} onChange={(isOn) => set(isOn && last ? begun(last) : undefined)}>
        {part === 'visible_if' ? say.hasCondition : say.onlyRequiredIf}
      </Switch>
      {condition && <ConditionEditor condition={condition} fields={all} earlier={earlier} fault={fault} onChange={set} />}
    </>
  );
}
