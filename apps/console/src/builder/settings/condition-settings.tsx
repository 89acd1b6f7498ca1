import type { Condition } from '@sheaf/contracts';
import { Switch } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { isField, type Entry } from '../model/contents';
import { begun } from './comparison';
import { ConditionEditor } from './condition-editor';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** Whether an item is shown always, or only under a condition on earlier answers. */
export function ConditionSettings({ entry: { id, item } }: { entry: Entry }) {
  const say = useWords('builder').settings;
  const { state, edit } = useEditing();
  const { entries } = state.history.present;
  const all = entries.flatMap((each) => (isField(each.item) ? [each.item] : []));
  const earlier = entries
    .slice(
      0,
      entries.findIndex((each) => each.id === id),
    )
    .flatMap((each) => (isField(each.item) ? [each.item] : []));
  const condition = item.visible_if;
  const fault = useFaultText(id, 'visible_if');
  const set = (visible_if: Condition | undefined) => edit({ do: 'change', id, to: { visible_if } });
  const last = earlier.at(-1);
  return (
    <Settings title={say.condition}>
      {earlier.length === 0 && !condition ? (
        <p className="muted">{say.noEarlier}</p>
      ) : (
        <Switch isSelected={condition !== undefined} onChange={(isOn) => set(isOn && last ? begun(last) : undefined)}>
          {say.hasCondition}
        </Switch>
      )}
      {condition && <ConditionEditor condition={condition} fields={all} earlier={earlier} fault={fault} onChange={set} />}
    </Settings>
  );
}
