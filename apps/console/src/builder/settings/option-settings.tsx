import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { isRanked, maxPlaces, type Field } from '@sheaf/contracts';
import { useEffectEvent, useLayoutEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { Button, IconButton } from '../../parts/button';
import { Checkbox, NumberField, TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import style from '../editor/editor.module.css';
import { isField, isSame, type Entry } from '../model/contents';
import type { ChoicePart, Options } from '../model/edits';
import { faultOf } from '../model/faults';
import {
  collides,
  followed,
  isTaken,
  linkedValues,
  optionsFromText,
  textFromOptions,
  withImage,
  withLimit,
  withoutBlank,
} from '../model/options';
import { placeOf } from '../model/same-option';
import { OptionConditions } from './option-conditions';
import { OptionPicture } from './option-picture';
import { Settings } from './settings';
import { TypedField } from './typed-field';

/** Longer lists are quicker to edit as a text. */
const maxRows = 60;

/** The options of a choice, or the rows or columns of a matrix: one by one, or as lines of a text. */
export function OptionSettings({ entry, field, part }: { entry: Entry; field: Field; part: ChoicePart }) {
  const say = useWords('builder').settings;
  const { edit, state } = useEditing();
  const options = field[part] ?? [];
  const [isText, setIsText] = useState(options.length > maxRows);
  const fault = faultOf(state.faults.get(entry.id), part);
  const set = (next: Options) => edit({ do: 'options', id: entry.id, part, options: next });
  return (
    <>
      <Settings title={say[part]}>
        {isText ? (
          <OptionText label={say[part]} options={options} fault={faultTextOf(fault, say)} onChange={set} />
        ) : (
          <OptionRows
            entry={entry}
            field={field}
            part={part}
            options={options}
            onChange={set}
            onEnd={(next) => edit({ do: 'options', id: entry.id, part, options: next, endsTyping: true })}
          />
        )}
        {options.length <= maxRows && (
          <Checkbox isSelected={isText} onChange={setIsText}>
            {say.asText}
          </Checkbox>
        )}
      </Settings>
      {part === 'options' && <OptionConditions entry={entry} field={field} onChange={set} />}
    </>
  );
}

interface TextProps {
  label: string;
  options: Options;
  fault: string | undefined;
  onChange: (options: Options) => void;
}

function OptionText({ label, options, fault, onChange }: TextProps) {
  const say = useWords('builder').settings;
  /** The typed text and the options at that time. Text that would turn two options into one is held back. */
  const [typed, setTyped] = useState<{ text: string; options: Options; isHeld: boolean }>();
  // Not once the options have changed otherwise, as by *Undo*: the next letter would write the earlier ones again. Conditions are not in the text.
  const current = typed && textFromOptions(typed.options) === textFromOptions(options) ? typed : undefined;
  // Nothing that was typed is lost: the fault is then shown at the options.
  const onGone = useEffectEvent(() => current?.isHeld === true && onChange(optionsFromText(current.text, options)));
  useLayoutEffect(() => () => void onGone(), []);
  return (
    <TextField
      label={label}
      isLabelHidden
      isLong
      rows={Math.min(16, Math.max(4, options.length + 1))}
      help={say.asTextHelp}
      value={current?.text ?? textFromOptions(options)}
      fault={current?.isHeld === true ? say.option_taken : fault}
      onChange={(text) => {
        const next = optionsFromText(text, options);
        const isHeld = collides(options, next);
        setTyped({ text, options: isHeld ? options : next, isHeld });
        if (!isHeld) onChange(next);
      }}
    />
  );
}

interface RowsProps {
  entry: Entry;
  field: Field;
  part: ChoicePart;
  options: Options;
  onChange: (options: Options) => void;
  /** At the end of what was typed. */
  onEnd: (options: Options) => void;
}

function OptionRows({ entry, field, part: list, options, onChange, onEnd }: RowsProps) {
  const say = useWords('builder').settings;
  const names = {
    options: { add: say.addOption, nameOf: say.option },
    rows: { add: say.addRow, nameOf: say.row },
    columns: { add: say.addColumn, nameOf: say.column },
  }[list];
  const { editor, state, published } = useEditing();
  // While somebody types the text of an option, its value stays, because the text may be that of another option for a moment.
  const [typing, setTyping] = useState<{ linked: ReadonlySet<string>; options: Options | undefined }>();
  const linked =
    typing?.options === options
      ? typing.linked
      : new Set([...(typing?.linked ?? []), ...linkedValues(options, published.get(field.key)?.[list])]);
  /** Whether the value waits for a text that no other option has. */
  const isWaiting = (option: Options[number]) => linked.has(option.value) && option.value !== option.label && isTaken(options, option);
  const relabelled = (option: Options[number], label: string) => {
    // Nothing refers to the value of a new option yet, also where it begins like another one: a 1 that becomes 10.
    const isDouble = options.some((other) => other !== option && other.value === option.value);
    const isNew = option.value === option.label && (isDouble || (!linked.has(option.value) && !isPublished(option)));
    return { ...option, label, value: isNew ? label : option.value };
  };
  const isPublished = ({ value }: Options[number]) => published.get(field.key)?.[list]?.some((each) => each.value === value) ?? false;
  const onLabel = (index: number, label: string) => {
    const next = options.map((each, at) => (at === index ? relabelled(each, label) : each));
    setTyping({ linked, options: next });
    onChange(next);
  };
  const end = () => {
    if (!typing) return;
    const next = followed(options, linked);
    const waiting = next.flatMap(({ value, label }) => (linked.has(value) && value !== label ? [value] : []));
    setTyping(waiting.length > 0 ? { linked: new Set(waiting), options: undefined } : undefined);
    if (!isSame(next, options)) onEnd(next);
  };
  /** Changes an option as it is now: a value may be applied when its row is no longer on the screen, and a picture arrives later. */
  const change = (option: Options[number], to: (now: Options[number]) => Options[number]) => {
    const item = editor.read().history.present.entries.find(({ id }) => id === entry.id)?.item;
    const now = item && isField(item) ? (item[list] ?? []) : [];
    const place = placeOf(now, option);
    if (place !== -1) onChange(now.map((each, at) => (at === place ? to(each) : each)));
  };
  const onGone = useEffectEvent(end);
  useLayoutEffect(() => () => onGone(), []);
  const rows = useRef<HTMLDivElement>(null);
  const [hasValues, setHasValues] = useState(() => options.some(({ value, label }) => value !== label));
  const [isLimiting, setIsLimiting] = useState(() => options.some(({ limit }) => limit !== undefined));
  // Limits also come back, with *Undo* or by somebody else.
  const hasLimits = isLimiting || options.some(({ limit }) => limit !== undefined);
  const [isPicturing, setIsPicturing] = useState(false);
  const hasPictures = isPicturing || options.some(({ image }) => image !== undefined);
  const faults = state.faults.get(entry.id);
  const none = faults?.find(({ part }) => part === list);
  const focusRow = (index: number) => requestAnimationFrame(() => rows.current?.children[index]?.querySelector('input')?.focus());
  const add = (at: number, labels: readonly string[] = ['']) => {
    const added = labels.map((label) => ({ value: label, label }));
    onChange([...options.slice(0, at), ...added, ...options.slice(at)]);
    focusRow(at + labels.length - 1);
  };
  const swap = (index: number, other: number) => {
    const next = [...options];
    const [one, two] = [next[index], next[other]];
    if (!one || !two) return;
    next[index] = two;
    next[other] = one;
    onChange(next);
  };
  const remove = (index: number) => {
    onChange(options.filter((_, at) => at !== index));
    focusRow(Math.max(0, index - 1));
  };
  return (
    <>
      <div ref={rows} className={style.options}>
        {options.map((option, index) => (
          <OptionRow
            key={index}
            option={option}
            number={index + 1}
            label={names.nameOf(index + 1)}
            hasValue={hasValues}
            hasLimit={hasLimits}
            hasPicture={hasPictures}
            fault={
              isWaiting(option)
                ? say.optionSame
                : faultTextOf(
                    faults?.find(({ part }) => part === `${list}.${index}` || part.startsWith(`${list}.${index}.`)),
                    say,
                  )
            }
            isValueTaken={(value) => options.some((other, at) => at !== index && other.value.trim() === value.trim())}
            isLast={index === options.length - 1}
            onLabel={(label) => onLabel(index, label)}
            onLabelEnd={end}
            onValue={(value) => change(option, (each) => ({ ...each, value }))}
            onImage={(to) => change(option, (each) => withImage(each, to(each.image)))}
            onLimit={(limit) => onChange(options.map((each, at) => (at === index ? withLimit(each, limit) : each)))}
            onEnter={() => add(index + 1)}
            onPaste={(labels) => {
              onChange(
                withoutBlank([
                  ...options.slice(0, index + 1),
                  ...labels.map((label) => ({ value: label, label })),
                  ...options.slice(index + 1),
                ]),
              );
              focusRow(index + labels.length);
            }}
            onMove={(by) => swap(index, index + by)}
            onRemove={() => remove(index)}
          />
        ))}
      </div>
      {none && <p className="fault">{faultTextOf(none, say)}</p>}
      <div className={style.actions}>
        <Button isSmall icon={Plus} onPress={() => add(options.length)}>
          {names.add}
        </Button>
        <Checkbox isSelected={hasValues} onChange={setHasValues}>
          {say.showValues}
        </Checkbox>
        {/* A limit of a former choice can be taken away. */}
        {((list === 'options' && !isRanked(field) && entry.in === undefined) || hasLimits) && (
          <Checkbox
            isSelected={hasLimits}
            onChange={(isOn) => {
              setIsLimiting(isOn);
              if (!isOn) onChange(options.map((each) => withLimit(each, undefined)));
            }}
          >
            {say.limitPlaces}
          </Checkbox>
        )}
        {((list === 'options' && !isRanked(field) && entry.in === undefined) || hasPictures) && (
          <Checkbox
            isSelected={hasPictures}
            onChange={(isOn) => {
              setIsPicturing(isOn);
              if (!isOn && options.some(({ image }) => image)) onChange(options.map((each) => withImage(each, undefined)));
            }}
          >
            {say.pictures}
          </Checkbox>
        )}
      </div>
      {hasLimits && <p className="muted">{say.placesHelp}</p>}
      {hasPictures && <p className="muted">{field.appearance === 'dropdown' ? say.picturesUnseen : say.picturesHelp}</p>}
    </>
  );
}

const faultTextOf = (fault: ReturnType<typeof faultOf>, say: Record<NonNullable<NonNullable<typeof fault>['code']>, string>) =>
  fault && (fault.code ? say[fault.code] : fault.message);

interface RowProps {
  option: Options[number];
  number: number;
  label: string;
  hasValue: boolean;
  hasLimit: boolean;
  hasPicture: boolean;
  isLast: boolean;
  fault: string | undefined;
  isValueTaken: (value: string) => boolean;
  onLabel: (label: string) => void;
  onLabelEnd: () => void;
  onValue: (value: string) => void;
  onLimit: (limit: number | undefined) => void;
  onImage: (to: (now: Options[number]['image']) => Options[number]['image']) => void;
  onEnter: () => void;
  onPaste: (labels: readonly string[]) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function OptionRow({ option, number, label, hasValue, hasLimit, hasPicture, isLast, fault, ...props }: RowProps) {
  const { isValueTaken, onLabel, onLabelEnd, onValue, onLimit, onImage, onEnter, onPaste, onMove, onRemove } = props;
  const say = useWords('builder').settings;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onEnter();
    else if (event.key === 'Backspace' && option.label === '') onRemove();
    else return;
    event.preventDefault();
  };
  const onLines = (event: ClipboardEvent) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (lines.length < 2) return;
    event.preventDefault();
    onPaste(lines);
  };
  return (
    <div className={style.option} onKeyDown={onKeyDown} onPaste={onLines}>
      <TextField label={label} isLabelHidden value={option.label} fault={fault} onChange={onLabel} onBlur={onLabelEnd} />
      {hasValue && (
        <TypedField
          label={say.optionValue(number)}
          isLabelHidden
          value={option.value}
          check={(value) => ({ fault: isValueTaken(value) ? say.option_taken : undefined, isRefused: isValueTaken(value) })}
          onApply={onValue}
        />
      )}
      {hasLimit && (
        // Keys have their meaning here, as in every field for numbers.
        <div className={style.places} onKeyDown={(event) => event.stopPropagation()}>
          <NumberField
            label={say.places(number)}
            isLabelHidden
            value={option.limit ?? NaN}
            minValue={0}
            maxValue={maxPlaces}
            formatOptions={{ maximumFractionDigits: 0 }}
            onChange={(limit) => onLimit(Number.isNaN(limit) ? undefined : limit)}
          />
        </div>
      )}
      <IconButton isSmall icon={ArrowUp} label={say.optionUp(number)} isDisabled={number === 1} onPress={() => onMove(-1)} />
      <IconButton isSmall icon={ArrowDown} label={say.optionDown(number)} isDisabled={isLast} onPress={() => onMove(1)} />
      <IconButton isSmall icon={X} label={say.removeOption(number)} onPress={onRemove} />
      {hasPicture && (
        // Keys have their meaning here too.
        <div className={style.wide} onKeyDown={(event) => event.stopPropagation()}>
          <OptionPicture image={option.image} number={number} onChange={onImage} />
        </div>
      )}
    </div>
  );
}
