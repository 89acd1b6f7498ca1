import type { Condition, Field } from '@sheaf/contracts';
import { ChevronsDown } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../parts/button';
import { Select, Switch } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { begun, nearestOf } from '../model/conditions';
import { answeredIn, earlierFor, isSame, type Entry } from '../model/contents';
import type { Options } from '../model/edits';
import { faultOf } from '../model/faults';
import { ConditionEditor } from './condition-editor';
import { Settings } from './settings';

/** The conditions of options, one option at a time: most have none. Nothing where no field stands before theirs. */
export function OptionConditions({ entry, field, onChange }: { entry: Entry; field: Field; onChange: (options: Options) => void }) {
  const { settings: say, page } = useWords('builder');
  const { state } = useEditing();
  const options = field.options ?? [];
  const faults = state.faults.get(entry.id);
  const faultTexts = options.map((_, at) => {
    const fault = faultOf(faults, `options.${at}.visible_if`);
    return fault && (fault.code ? say[fault.code] : fault.message);
  });
  // The place of the chosen option, whose value may change meanwhile.
  const [chosen, setChosen] = useState<number>();
  const firstFault = faultTexts.findIndex((text) => text !== undefined);
  const first = firstFault === -1 ? options.findIndex(({ visible_if }) => visible_if !== undefined) : firstFault;
  const at = Math.max(0, Math.min(chosen ?? first, options.length - 1));
  const option = options[at];
  const choice = useRef<HTMLDivElement>(null);
  const { entries } = state.history.present;
  const earlier = earlierFor(entry, entries);
  const last = nearestOf(earlier);
  if (!option || (!last && options.every(({ visible_if }) => visible_if === undefined))) return null;

  const { visible_if: condition } = option;
  const set = (place: number, next: Condition | undefined) => {
    setChosen(place);
    onChange(
      options.map((each, number) => {
        if (number !== place) return each;
        const { visible_if: _, ...plain } = each;
        return next ? { ...plain, visible_if: next } : plain;
      }),
    );
  };
  const nameOf = (place: number) => {
    const label = options[place]?.label ?? '';
    return label.trim() === '' ? say.option(place + 1) : label;
  };
  /** Whether no other condition would be lost. */
  const mayHaveSame = (place: number) => {
    const next = options[place];
    return next !== undefined && (next.visible_if === undefined || isSame(next.visible_if, condition));
  };
  const copyToNext = () => {
    set(at + 1, condition);
    // The button goes where it can be pressed no more.
    if (!mayHaveSame(at + 2)) choice.current?.querySelector<HTMLElement>('[aria-haspopup=listbox]')?.focus();
  };
  return (
    <Settings title={say.optionConditions}>
      <div ref={choice}>
        <Select
          label={say.conditionOf}
          value={String(at)}
          options={options.map(({ visible_if }, place) => {
            const help = faultTexts[place] ?? (visible_if && page.conditional);
            return { value: String(place), label: nameOf(place), ...(help === undefined ? {} : { help }) };
          })}
          onChange={(place) => setChosen(Number(place))}
        />
      </div>
      <Switch isSelected={condition !== undefined} onChange={(isOn) => set(at, isOn && last ? begun(last) : undefined)}>
        {say.optionHasCondition}
      </Switch>
      {condition && (
        <ConditionEditor
          key={at}
          condition={condition}
          fields={answeredIn(entries)}
          earlier={earlier}
          fault={faultTexts[at]}
          onChange={(next) => set(at, next)}
        />
      )}
      {condition && mayHaveSame(at + 1) && (
        <Button isSmall icon={ChevronsDown} onPress={copyToNext}>
          {say.sameForNext(nameOf(at + 1))}
        </Button>
      )}
    </Settings>
  );
}
