import { answerKindOf, isNumeric, type AnswerKind, type Condition, type Field } from '@sheaf/contracts';
import { useState, type ReactNode } from 'react';
import { Checkbox, NumberField, Select, TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import style from '../editor/editor.module.css';
import { isSame } from '../model/contents';

type Operator = 'equals' | 'not_equals' | 'in' | 'answered' | 'unanswered';
type Value = string | number | boolean;

/** A comparison with values, which people make here; there are conditions that are made elsewhere alone. */
export interface SimpleCondition {
  key: string;
  equals?: Value | undefined;
  not_equals?: Value | undefined;
  in?: Value[] | undefined;
  answered?: boolean | undefined;
}

/** Whether a condition can be edited here without losing any of it. */
export function isSimple(condition: Condition): condition is SimpleCondition {
  const { key, equals, not_equals, in: _, answered: __, ...others } = condition;
  const isMore = Object.values<unknown>(others).some((part) => part !== undefined);
  return key !== undefined && !isMore && typeof equals !== 'object' && typeof not_equals !== 'object';
}

/** A condition that holds for the first answer that one can think of. */
export const begun = (field: Field): SimpleCondition => {
  const value = compared[answerKindOf(field)].first?.(field);
  return value === undefined ? { key: field.key, answered: true } : { key: field.key, equals: value };
};

const operatorOf = ({ equals, not_equals, in: among, answered }: SimpleCondition): Operator =>
  equals !== undefined ? 'equals' : not_equals !== undefined ? 'not_equals' : among ? 'in' : answered === false ? 'unanswered' : 'answered';

const all: readonly Operator[] = ['equals', 'not_equals', 'in', 'answered', 'unanswered'];

interface Compared {
  /** An answer with which a condition begins; if there is none, it asks whether there is an answer. */
  first?: (field: Field) => Value | undefined;
  operators: readonly Operator[];
  /** The value of a condition before one is given. */
  empty: Value;
  OneValue: (props: ValueProps) => ReactNode;
}

const aText: Compared = { operators: all, empty: '', OneValue: TextValue };
const aNumber: Compared = { operators: all, empty: 0, OneValue: NumberValue };
const anOption: Compared = { first: ({ options }) => options?.[0]?.value, operators: all, empty: '', OneValue: OptionValue };

/** How conditions compare the answers of a kind. */
const compared: Readonly<Record<AnswerKind, Compared>> = {
  text: aText,
  email: aText,
  url: aText,
  phone: aText,
  number: aNumber,
  whole: aNumber,
  boolean: { first: () => true, operators: ['equals', 'answered', 'unanswered'], empty: true, OneValue: TruthValue },
  date: aText,
  time: aText,
  datetime: aText,
  option: anOption,
  options: anOption,
  file: { ...aText, operators: ['answered', 'unanswered'] },
};

/** How an answer is compared, and with what. */
export function Comparison({
  condition,
  source,
  onChange,
}: {
  condition: SimpleCondition;
  source: Field;
  onChange: (condition: SimpleCondition) => void;
}) {
  const say = useWords('builder').settings;
  const operator = operatorOf(condition);
  const { first, operators, empty, OneValue } = compared[answerKindOf(source)];
  const labels = { equals: say.equals, not_equals: say.notEquals, in: say.in, answered: say.answered, unanswered: say.unanswered };
  const { key } = condition;
  const value = condition.equals ?? condition.not_equals ?? condition.in?.[0] ?? first?.(source) ?? empty;
  const withOperator = (next: Operator): SimpleCondition => {
    switch (next) {
      case 'equals':
        return { key, equals: value };
      case 'not_equals':
        return { key, not_equals: value };
      case 'in':
        return { key, in: [value] };
      case 'answered':
      case 'unanswered':
        return { key, answered: next === 'answered' };
    }
  };
  return (
    <div className={style.pair}>
      <Select
        label={say.operator}
        value={operator}
        options={operators.map((each) => ({ value: each, label: labels[each] }))}
        onChange={(next) => next !== operator && onChange(withOperator(next))}
      />
      {(operator === 'equals' || operator === 'not_equals') && (
        <OneValue source={source} value={value} onChange={(next) => onChange({ key, [operator]: next })} />
      )}
      {operator === 'in' && (
        <SeveralValues source={source} values={condition.in ?? []} onChange={(values) => onChange({ key, in: values })} />
      )}
    </div>
  );
}

interface ValueProps {
  source: Field;
  value: Value;
  onChange: (value: Value) => void;
}

function NumberValue({ value, onChange }: ValueProps) {
  const say = useWords('builder').settings;
  return <NumberField label={say.value} value={Number(value)} onChange={(number) => !Number.isNaN(number) && onChange(number)} />;
}

function TruthValue({ value, onChange }: ValueProps) {
  const say = useWords('builder').settings;
  return (
    <Select
      label={say.value}
      value={String(value)}
      options={[
        { value: 'true', label: say.yes },
        { value: 'false', label: say.no },
      ]}
      onChange={(next) => onChange(next === 'true')}
    />
  );
}

function OptionValue({ source: { options = [] }, value, onChange }: ValueProps) {
  const say = useWords('builder').settings;
  return <Select label={say.value} value={String(value)} options={options} onChange={onChange} />;
}

function TextValue({ value, onChange }: ValueProps) {
  const say = useWords('builder').settings;
  return <TextField label={say.value} value={String(value)} onChange={onChange} />;
}

const maxCheckboxes = 60;

function SeveralValues({ source, values, onChange }: { source: Field; values: readonly Value[]; onChange: (values: Value[]) => void }) {
  const say = useWords('builder').settings;
  const { options } = source;
  if (options && options.length <= maxCheckboxes)
    return (
      <fieldset>
        <legend>{say.value}</legend>
        {options.map(({ value, label }, index) => (
          <Checkbox
            key={index}
            isSelected={values.includes(value)}
            onChange={(isChosen) => {
              const next = options.flatMap((each) => ((each.value === value ? isChosen : values.includes(each.value)) ? [each.value] : []));
              // A condition without a value could never hold.
              if (next.length > 0) onChange(next);
            }}
          >
            <bdi>{label}</bdi>
          </Checkbox>
        ))}
      </fieldset>
    );
  if (isNumeric(source)) return <Numbers values={values} onChange={onChange} />;
  return <TextField label={say.values} isLong value={values.join('\n')} onChange={(text) => onChange(text.split('\n'))} />;
}

/** Numbers, one per line. The text stays as it is typed, because what will be `-1.5` is no number at first, or another one. */
function Numbers({ values, onChange }: { values: readonly Value[]; onChange: (values: Value[]) => void }) {
  const say = useWords('builder').settings;
  const [typed, setTyped] = useState<{ text: string; values: readonly Value[] }>();
  // Not once the numbers have changed otherwise, as by *Undo*.
  const text = typed && isSame(typed.values, values) ? typed.text : values.join('\n');
  const isWrong = numbersIn(text).length === 0 || numbersIn(text).some(Number.isNaN);
  return (
    <TextField
      label={say.values}
      isLong
      value={text}
      fault={isWrong ? say.numbersOnly : undefined}
      onChange={(next) => {
        const numbers = numbersIn(next).filter((number) => !Number.isNaN(number));
        // A condition without a value could never hold.
        const sent = numbers.length > 0 ? numbers : values;
        setTyped({ text: next, values: sent });
        if (!isSame(sent, values)) onChange([...sent]);
      }}
      onBlur={() => !isWrong && setTyped(undefined)}
    />
  );
}

/** The number in each line that is not empty, or NaN. */
const numbersIn = (text: string): number[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => (Number.isFinite(Number(line)) ? Number(line) : NaN));
