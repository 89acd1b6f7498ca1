import type { Condition, Field } from '@sheaf/contracts';
import { ChevronsDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../parts/button';
import { Select, Switch } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { begun } from '../model/conditions';
import { fieldsIn, type Entry } from '../model/contents';
import type { Options } from '../model/edits';
import { ConditionEditor } from './condition-editor';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** The conditions of options, one option at a time: most have none. Nothing where no field stands before theirs. */
export function OptionConditions({ entry, field, onChange }: { entry: Entry; field: Field; onChange: (options: Options) => void }) {
  const say = useWords('builder').settings;
  const { entries } = useEditing().state.history.present;
  const options = field.options ?? [];
  const [chosen, setChosen] = useState<string>();
  const at = Math.max(
    0,
    options.findIndex(({ value, visible_if }) => (chosen === undefined ? visible_if !== undefined : value === chosen)),
  );
  const option = options[at];
  const fault = useFaultText(entry.id, `options.${at}.visible_if`);
  const fields = fieldsIn(entries);
  const earlier = fields.slice(0, fields.indexOf(field));
  const last = earlier.at(-1);
  if (!option || (!last && options.every(({ visible_if }) => visible_if === undefined))) return null;

  const { visible_if: condition } = option;
  const set = (place: number, next: Condition | undefined) =>
    onChange(
      options.map((each, number) => {
        if (number !== place) return each;
        const { visible_if: _, ...plain } = each;
        return next ? { ...plain, visible_if: next } : plain;
      }),
    );
  const following = options[at + 1];
  return (
    <Settings title={say.optionConditions}>
      <Select
        label={say.conditionOf}
        value={option.value}
        options={options.map(({ value, label, visible_if }) => ({ value, label: visible_if ? `${label} ◆` : label }))}
        onChange={setChosen}
      />
      <Switch
        isSelected={condition !== undefined}
        onChange={(isOn) => {
          setChosen(option.value);
          set(at, isOn && last ? begun(last) : undefined);
        }}
      >
        {say.optionHasCondition}
      </Switch>
      {condition && (
        <ConditionEditor
          key={option.value}
          condition={condition}
          fields={fields}
          earlier={earlier}
          fault={fault}
          onChange={(next) => {
            setChosen(option.value);
            set(at, next);
          }}
        />
      )}
      {condition && following && (
        <Button
          isSmall
          icon={ChevronsDown}
          onPress={() => {
            set(at + 1, condition);
            setChosen(following.value);
          }}
        >
          {say.sameForNext(following.label)}
        </Button>
      )}
    </Settings>
  );
}
