import { isHidden, type Condition, type FormCheck, type FormEnding } from '@sheaf/contracts';
import { Select } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { begun, nearestOf } from '../model/conditions';
import { answeredIn, earlierFor, type Entry } from '../model/contents';
import { nameOf } from './comparison';
import { ConditionEditor } from './condition-editor';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** The condition of a check or an ending, which cannot be without one. */
export function RuleCondition({ title, entry, rule }: { title: string; entry: Entry; rule: FormCheck | FormEnding }) {
  const { state, edit } = useEditing();
  const { entries } = state.history.present;
  const { id } = entry;
  const earlier = earlierFor(entry, entries);
  const last = nearestOf(earlier);
  const set = (next: Condition | undefined) => {
    const condition = next ?? (last && begun(last));
    if (condition) edit({ do: 'change', id, to: { if: condition } });
  };
  return (
    <Settings title={title}>
      <ConditionEditor condition={rule.if} fields={answeredIn(entries)} earlier={earlier} fault={useFaultText(id, 'if')} onChange={set} />
    </Settings>
  );
}

/** Under which condition a check refuses answers, and where it says so. */
export function CheckCondition({ entry, check }: { entry: Entry; check: FormCheck }) {
  const say = useWords('builder').settings;
  const { state, edit } = useEditing();
  const { entries } = state.history.present;
  const { id } = entry;
  const all = answeredIn(entries);
  const earlier = earlierFor(entry, entries);
  const places = earlier.filter((field) => !isHidden(field));
  const isLost = places.every(({ key }) => key !== check.at);
  const lost = all.find(({ key }) => key === check.at);
  const options = [
    ...(isLost ? [{ value: check.at, label: lost ? nameOf(lost) : check.at }] : []),
    ...places.map((field) => ({ value: field.key, label: nameOf(field) })),
  ];
  const fault = useFaultText(id, 'at');
  return (
    <>
      <RuleCondition title={say.refuseWhen} entry={entry} rule={check} />
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
