import type { Condition } from '@sheaf/contracts';
import { Select, Switch } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { isField, type Entry } from '../model/contents';
import { begun, Comparison } from './comparison';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** Whether an item is shown always, or only after a certain answer to an earlier field. */
export function ConditionSettings({ entry: { id, item } }: { entry: Entry }) {
  const say = useWords('builder').settings;
  const { state, edit } = useEditing();
  const { entries } = state.history.present;
  const earlier = entries
    .slice(
      0,
      entries.findIndex((each) => each.id === id),
    )
    .flatMap((each) => (isField(each.item) ? [each.item] : []));
  const condition = item.visible_if;
  const fault = useFaultText(id, 'visible_if');
  const set = (visible_if: Condition | undefined) => edit({ do: 'change', id, to: { visible_if } });
  const source = earlier.find(({ key }) => key === condition?.key);
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
      {condition && (
        <>
          <Select
            label={say.conditionField}
            fault={fault}
            value={source ? condition.key : null}
            options={earlier.map(({ key, label }) => ({ value: key, label }))}
            onChange={(key) => {
              const field = earlier.find((each) => each.key === key);
              if (field && key !== condition.key) set(begun(field));
            }}
          />
          {source && <Comparison condition={condition} source={source} onChange={set} />}
        </>
      )}
    </Settings>
  );
}
