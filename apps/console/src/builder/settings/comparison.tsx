import {
  answerKindOf,
  answerTraitsOf,
  areComparable,
  countriesOf,
  countryOptions,
  isNumeric,
  isRepeat,
  offeredOptionsOf,
  isTemporal,
  type AnswerKind,
  type AnswerTraits,
  type Comparison as Compared,
  type Condition,
  type Field,
  type Operand,
} from '@sheaf/contracts';
import { useState, type ReactNode } from 'react';
import { CountriesField } from '../../parts/countries-field';
import { Checkbox, NumberField, Select, Switch, TextField } from '../../parts/fields';
import type { Words } from '../../words/words';
import { useLanguage, useWords } from '../../words/use-words';
import { countsOf, ordersOf } from '../differences/value-text';
import style from '../editor/editor.module.css';
import {
  counting,
  firstAnswerTo,
  isAmong,
  operatorOf,
  operators,
  searching,
  valued,
  type Operator,
  type SimpleCondition,
  type Value,
} from '../model/conditions';
import { isSame } from '../model/contents';

/** Whether a filter of webhooks can have the condition. */
export function isSimple(condition: Condition): condition is SimpleCondition {
  const { key, equals, not_equals, in: _, answered: __, ...others } = condition;
  const isMore = Object.values<unknown>(others).some((part) => part !== undefined);
  return key !== undefined && !isMore && typeof equals !== 'object' && typeof not_equals !== 'object';
}

interface Kind {
  /** The value of a condition before one is given. */
  empty: Value;
  OneValue: (props: ValueProps) => ReactNode;
}

const aText: Kind = { empty: '', OneValue: TextValue };
const aNumber: Kind = { empty: 0, OneValue: NumberValue };
const anOption: Kind = { empty: '', OneValue: OptionValue };

/** How answers are given as values of conditions. */
const controls: Readonly<Record<AnswerTraits['control'], Kind>> = {
  text: aText,
  number: aNumber,
  truth: { empty: true, OneValue: TruthValue },
  moment: { empty: '', OneValue: MomentValue },
  country: { empty: '', OneValue: CountryValue },
  option: anOption,
  options: anOption,
  // These are answered, or not.
  parts: aText,
  matrix: aText,
  signature: aText,
  items: aText,
  file: aText,
};

/** Two ways to say the same are one too many: of *yes or no* one is enough, and a choice that *contains* an option *is* that option. */
const said: Partial<Record<AnswerKind, readonly Operator[]>> = {
  boolean: ['not_equals', 'in'],
  options: ['contains', 'not_contains'],
  file: ['equals', 'not_equals', 'in'],
};

const ofFilters = ['equals', 'not_equals', 'in', 'answered'] as const;

/** The operators to choose from, with the one that the condition has. */
function offered(source: Field, operator: Operator, isFilter: boolean): Operator[] {
  const kind = answerKindOf(source);
  const possible = answerTraitsOf(source).operators;
  const known: readonly string[] = isFilter ? possible.filter((each) => isAmong(ofFilters, each)) : possible;
  const isOffered = (each: Operator) =>
    each === operator || (known.includes(each === 'unanswered' ? 'answered' : each) && said[kind]?.includes(each) !== true);
  return operators.filter(isOffered);
}

function labelsOf(source: Field, say: Words['builder']['settings']): Readonly<Record<Operator, string>> {
  return {
    equals: say.equals,
    not_equals: say.notEquals,
    in: say.in,
    ...ordersOf(say, isTemporal(source)),
    contains: say.contains,
    not_contains: say.notContains,
    starts_with: say.startsWith,
    ...countsOf(say, isRepeat(source)),
    answered: say.answered,
    unanswered: say.unanswered,
  };
}

/** The value, or the first of the values, of a comparison. */
function valueIn(comparison: Compared): Operand | undefined {
  const names = [...valued, ...searching, ...counting];
  const name = names.find((each) => comparison[each] !== undefined);
  return name === undefined ? comparison.in?.[0] : comparison[name];
}

/** How an answer is compared, and with what. @param others the fields whose answers it can be compared with; undefined for a filter */
export function Comparison({
  condition,
  source,
  others,
  onChange,
}: {
  condition: Compared;
  source: Field;
  others?: readonly Field[];
  onChange: (condition: Compared) => void;
}) {
  const say = useWords('builder').settings;
  const operator = operatorOf(condition) ?? 'answered';
  const { empty, OneValue } = controls[answerTraitsOf(source).control];
  const labels = labelsOf(source, say);
  const { key } = condition;
  const comparable = (others ?? []).filter((field) => field.key !== key && areComparable(field, source));
  const begins = firstAnswerTo(source) ?? empty;
  const given = valueIn(condition);
  const plain = typeof given === typeof begins ? (given as Value) : begins;
  const withOperator = (next: Operator): Compared => {
    if (next === 'answered' || next === 'unanswered') return { key, answered: next === 'answered' };
    if (next === 'in') return { key, in: [plain] };
    if (isAmong(valued, next)) return { key, [next]: typeof given === 'object' ? given : plain };
    return { key, [next]: isAmong(counting, next) ? (typeof given === 'number' ? given : 1) : plain };
  };
  const set = (value: Operand) => onChange({ key, [operator]: value });
  return (
    <>
      <div className={style.pair}>
        <Select
          label={say.operator}
          value={operator}
          options={offered(source, operator, others === undefined).map((each) => ({ value: each, label: labels[each] }))}
          onChange={(next) => next !== operator && onChange(withOperator(next))}
        />
        {isAmong(valued, operator) && typeof given !== 'object' && <OneValue source={source} value={plain} onChange={set} />}
        {isAmong(valued, operator) && typeof given === 'object' && (
          <Select
            label={say.otherAnswer}
            value={given.key}
            options={comparable.map((field) => ({ value: field.key, label: nameOf(field) }))}
            onChange={(other) => set({ key: other })}
          />
        )}
        {isAmong(searching, operator) &&
          (source.options ? <OptionValue source={source} value={plain} onChange={set} /> : <TextValue value={plain} onChange={set} />)}
        {isAmong(counting, operator) && <NumberValue value={Number(given)} minValue={0} onChange={set} />}
        {operator === 'in' && (
          <SeveralValues source={source} values={condition.in ?? []} onChange={(values) => onChange({ key, in: values })} />
        )}
      </div>
      {isAmong(valued, operator) && (comparable.length > 0 || typeof given === 'object') && (
        <Switch isSelected={typeof given === 'object'} onChange={(isOther) => set(isOther ? { key: comparable[0]?.key ?? key } : begins)}>
          {say.withAnswer}
        </Switch>
      )}
    </>
  );
}

/** How lists call a field that has no label yet. */
export const nameOf = ({ key, label }: Field): string => (label.trim() === '' ? key : label);

interface ValueProps {
  source?: Field;
  value: Value;
  onChange: (value: Value) => void;
}

function NumberValue({ value, onChange, minValue }: ValueProps & { minValue?: number }) {
  const say = useWords('builder').settings;
  return (
    <NumberField
      label={say.value}
      value={Number(value)}
      onChange={(number) => !Number.isNaN(number) && onChange(number)}
      {...(minValue === undefined ? {} : { minValue, formatOptions: { maximumFractionDigits: 0 } })}
    />
  );
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

function OptionValue({ source, value, onChange }: ValueProps) {
  const say = useWords('builder').settings;
  return <Select label={say.value} value={String(value)} options={(source && offeredOptionsOf(source)) ?? []} onChange={onChange} />;
}

function CountryValue({ source = {}, value, onChange }: Omit<ValueProps, 'source'> & { source?: Pick<Field, 'only' | 'preferred'> }) {
  const say = useWords('builder').settings;
  return <Select label={say.value} value={String(value)} options={countryOptions(source, useLanguage())} onChange={onChange} />;
}

/** A day or a time; both are typed. */
function MomentValue(props: ValueProps) {
  const { input } = props.source ? answerTraitsOf(props.source) : {};
  return <TextValue {...props} {...(input === undefined || input === 'datetime-local' ? {} : { type: input })} />;
}

function TextValue({ value, onChange, type }: ValueProps & { type?: 'date' | 'time' }) {
  const say = useWords('builder').settings;
  return <TextField label={say.value} value={String(value)} onChange={onChange} {...(type ? { type } : {})} />;
}

const maxCheckboxes = 60;

function SeveralValues({ source, values, onChange }: { source: Field; values: readonly Value[]; onChange: (values: Value[]) => void }) {
  const say = useWords('builder').settings;
  const options = offeredOptionsOf(source);
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
  if (answerKindOf(source) === 'country')
    return (
      <CountriesField
        label={say.value}
        codes={values.map(String)}
        offered={countriesOf(source)}
        // A condition without a value could never hold.
        onChange={(codes) => codes.length > 0 && onChange(codes)}
      />
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
