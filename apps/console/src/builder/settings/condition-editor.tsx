import { isComparison, keysIn, type Comparison as Compared, type Condition, type Field } from '@sheaf/contracts';
import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../parts/button';
import { Select } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { conditionText } from '../differences/value-text';
import style from '../editor/editor.module.css';
import { begun, groupOf, isWithinBounds, joined, joints, nearestOf, operatorOf, whole, type Group } from '../model/conditions';
import { Comparison, nameOf } from './comparison';

interface ConditionEditorProps {
  condition: Condition;
  /** All fields of the form, to name those that stand too late. */
  fields: readonly Field[];
  earlier: readonly Field[];
  fault: string | undefined;
  onChange: (condition: Condition | undefined) => void;
}

/** A condition on answers to earlier fields: one comparison, or several that are joined. */
export function ConditionEditor({ condition, fields, earlier, fault, onChange }: ConditionEditorProps) {
  const say = useWords('builder').settings;
  const group = groupOf(condition) ?? { joint: 'all', parts: [condition] };
  const isJoined = group.parts[0] !== condition;
  const fieldOf = (key: string) => fields.find((each) => each.key === key);
  return (
    <>
      {isJoined && (
        <p className="muted">
          <bdi>{conditionText(condition, say, fieldOf)}</bdi>
        </p>
      )}
      <Parts
        group={group}
        place=""
        scope={{ fields, earlier, fault: isJoined ? undefined : fault, fits: (next) => isWithinBounds(whole(next) ?? condition) }}
        onChange={(next) => onChange(whole(next))}
      />
      {isJoined && fault !== undefined && <p className="fault">{fault}</p>}
    </>
  );
}

interface Scope extends Pick<ConditionEditorProps, 'fields' | 'earlier' | 'fault'> {
  /** Whether the whole condition may have this group in place of the one that it has. */
  fits: (group: Group) => boolean;
}

/** @param place its numbers within the whole condition, such as `2.1`; empty for the whole */
function Parts({ group, place, scope, onChange }: { group: Group; place: string; scope: Scope; onChange: (group: Group) => void }) {
  const say = useWords('builder').settings;
  const adding = useRef<HTMLButtonElement>(null);
  const newest = useRef<HTMLDivElement>(null);
  const [isAdded, setIsAdded] = useState(false);
  const { joint, parts } = group;
  const last = nearestOf(scope.earlier);
  const extended = (part: Condition): Group => ({ joint, parts: [...parts, part] });
  const replaced = (at: number, part: Condition): Group => ({ joint, parts: parts.map((each, index) => (index === at ? part : each)) });
  const add = (part: Condition) => {
    setIsAdded(true);
    onChange(extended(part));
  };
  // One goes on with the field that the new part asks for.
  useEffect(() => {
    if (isAdded) newest.current?.querySelector<HTMLElement>('[aria-haspopup=listbox]')?.focus();
    setIsAdded(false);
  }, [isAdded]);
  const remove = (at: number) => {
    // First here, as the group may go with its last part.
    adding.current?.focus();
    onChange({ joint, parts: parts.filter((_, index) => index !== at) });
  };
  const inner = last && joined({ joint: joint === 'all' ? 'any' : 'all', parts: [begun(last)] });
  // A negation is a level of its own, for which there may be no room.
  const fitting = joints.filter((each) => each === joint || scope.fits({ joint: each, parts }));
  const isGroup = place !== '' || parts.length > 1 || joint === 'not_all' || joint === 'none';
  return (
    <>
      {isGroup && (
        <Select
          label={say.joint}
          value={joint}
          options={fitting.map((each) => ({ value: each, label: say.joints[each] }))}
          onChange={(next) => onChange({ joint: next, parts })}
        />
      )}
      {parts.map((part, at) => {
        const number = `${place}${at + 1}`;
        const nested = groupOf(part);
        const name = nested ? say.groupAt(number) : say.conditionAt(number);
        const set = (next: Condition) => onChange(replaced(at, next));
        return (
          <div
            key={at}
            ref={at === parts.length - 1 ? newest : undefined}
            className={isGroup ? style.term : style.terms}
            {...(isGroup ? { role: 'group', 'aria-label': name } : {})}
          >
            {isGroup && (
              <div className={style.termHead}>
                <span className="muted">{at === 0 ? name : joint === 'all' || joint === 'not_all' ? say.and : say.or}</span>
                <IconButton isSmall icon={Trash2} label={say.removePart(name)} onPress={() => remove(at)} />
              </div>
            )}
            {nested ? (
              <Parts
                group={nested}
                place={`${number}.`}
                scope={{ ...scope, fits: (next) => scope.fits(replaced(at, joined(next))) }}
                onChange={(next) => (next.parts.length === 0 ? remove(at) : set(joined(next)))}
              />
            ) : isComparison(part) && operatorOf(part) !== undefined ? (
              <Term comparison={part} scope={scope} onChange={set} />
            ) : (
              <Unknown condition={part} />
            )}
          </div>
        );
      })}
      {last && inner && (
        <div className={style.actions}>
          <Button isSmall icon={Plus} ref={adding} isDisabled={!scope.fits(extended(begun(last)))} onPress={() => add(begun(last))}>
            {say.addCondition}
          </Button>
          <Button isSmall icon={Plus} isDisabled={!scope.fits(extended(inner))} onPress={() => add(inner)}>
            {say.addGroup}
          </Button>
        </div>
      )}
    </>
  );
}

/** A comparison of one answer. The field that it asks for may have been removed, or moved behind: it is shown, to be repaired. */
function Term({ comparison, scope, onChange }: { comparison: Compared; scope: Scope; onChange: (condition: Condition) => void }) {
  const say = useWords('builder').settings;
  const { fields, earlier, fault } = scope;
  const { key } = comparison;
  const source = earlier.find((field) => field.key === key);
  const late = fields.find((field) => field.key === key);
  const isLate = [...keysIn(comparison)].some((each) => !earlier.some((field) => field.key === each));
  return (
    <>
      <Select
        label={say.conditionField}
        fault={fault ?? (isLate ? say.condition_later : undefined)}
        value={key}
        options={[
          ...(source ? [] : [{ value: key, label: late ? nameOf(late) : key }]),
          ...earlier.map((field) => ({ value: field.key, label: nameOf(field) })),
        ]}
        onChange={(next) => {
          const field = earlier.find((each) => each.key === next);
          if (field && next !== key) onChange(begun(field));
        }}
      />
      {source && <Comparison condition={comparison} source={source} others={earlier} onChange={onChange} />}
    </>
  );
}

/** A later release has made it. It is kept as it is until somebody takes it away. */
function Unknown({ condition }: { condition: Condition }) {
  const say = useWords('builder').settings;
  return (
    <>
      <p>
        <bdi>{conditionText(condition, say)}</bdi>
      </p>
      <p className="muted">{say.conditionUnknown}</p>
    </>
  );
}
