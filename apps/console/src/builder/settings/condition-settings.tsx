import type { Condition, Field } from '@sheaf/contracts';
import { Select, Switch } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { conditionText } from '../differences/value-text';
import { useEditing } from '../editor/editing';
import { isField, type Entry } from '../model/contents';
import { begun, Comparison, isSimple, type SimpleCondition } from './comparison';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** Whether an item is shown always, or only after a certain answer to an earlier field. */
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
      {condition &&
        (isSimple(condition) ? (
          <OneComparison condition={condition} earlier={earlier} fault={fault} onChange={set} />
        ) : (
          <Sentence condition={condition} fields={all} fault={fault} />
        ))}
    </Settings>
  );
}

function OneComparison({
  condition,
  earlier,
  fault,
  onChange,
}: {
  condition: SimpleCondition;
  earlier: readonly Field[];
  fault: string | undefined;
  onChange: (condition: SimpleCondition) => void;
}) {
  const say = useWords('builder').settings;
  const source = earlier.find(({ key }) => key === condition.key);
  return (
    <>
      <Select
        label={say.conditionField}
        fault={fault}
        value={source ? condition.key : null}
        options={earlier.map(({ key, label }) => ({ value: key, label }))}
        onChange={(key) => {
          const field = earlier.find((each) => each.key === key);
          if (field && key !== condition.key) onChange(begun(field));
        }}
      />
      {source && <Comparison condition={condition} source={source} onChange={onChange} />}
    </>
  );
}

/** A condition that came from the API or a file, and says more than can be edited here. It stays as it is until somebody takes it away. */
function Sentence({ condition, fields, fault }: { condition: Condition; fields: readonly Field[]; fault: string | undefined }) {
  const say = useWords('builder').settings;
  const nameOf = (key: string) => {
    const label = fields.find((field) => field.key === key)?.label ?? '';
    return label.trim() === '' ? key : `“${label}”`;
  };
  return (
    <>
      <p>
        <bdi>{conditionText(condition, say, nameOf)}</bdi>
      </p>
      <p className="muted">{say.conditionKept}</p>
      {fault !== undefined && <p className="fault">{fault}</p>}
    </>
  );
}
