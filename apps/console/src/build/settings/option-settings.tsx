import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import type { Field } from '@sheaf/contracts';
import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { Button, IconButton } from '../../parts/button';
import { Checkbox, TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import style from '../editor/editor.module.css';
import type { Entry } from '../model/contents';
import type { Options } from '../model/edits';
import { faultOf } from '../model/faults';
import { optionsFromText, textFromOptions, withoutBlank } from '../model/options';
import { settingsWords } from '../settings-words';
import { Settings } from './settings';

/** Longer lists are quicker to edit as a text. */
const maxRows = 60;

/** The options of a choice: one by one, or as lines of a text. */
export function OptionSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords(settingsWords);
  const { edit, state } = useEditing();
  const options = field.options ?? [];
  const [isText, setIsText] = useState(options.length > maxRows);
  const [text, setText] = useState(() => textFromOptions(options));
  const fault = faultOf(state.faults.get(entry.id), 'options');
  const set = (next: Options) => edit({ do: 'options', id: entry.id, options: next });
  return (
    <Settings title={say.options}>
      {isText ? (
        <TextField
          label={say.options}
          isLabelHidden
          isLong
          rows={Math.min(16, Math.max(4, options.length + 1))}
          help={say.asTextHelp}
          value={text}
          fault={fault && (fault.code ? say[fault.code] : fault.message)}
          onChange={(next) => {
            setText(next);
            set(optionsFromText(next, options));
          }}
        />
      ) : (
        <OptionRows entry={entry} field={field} options={options} onChange={set} />
      )}
      {options.length <= maxRows && (
        <Checkbox
          isSelected={isText}
          onChange={(next) => {
            setText(textFromOptions(options));
            setIsText(next);
          }}
        >
          {say.asText}
        </Checkbox>
      )}
    </Settings>
  );
}

interface RowsProps {
  entry: Entry;
  field: Field;
  options: Options;
  onChange: (options: Options) => void;
}

function OptionRows({ entry, field, options, onChange }: RowsProps) {
  const say = useWords(settingsWords);
  const { state } = useEditing();
  const rows = useRef<HTMLDivElement>(null);
  const [hasValues, setHasValues] = useState(() => options.some(({ value, label }) => value !== label));
  const faults = state.faults.get(entry.id);
  const none = faults?.find(({ part }) => part === 'options');
  const focusRow = (index: number) =>
    requestAnimationFrame(() => rows.current?.querySelectorAll('input')[index * (hasValues ? 2 : 1)]?.focus());
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
            field={field}
            option={option}
            number={index + 1}
            hasValue={hasValues}
            fault={faultTextOf(
              faults?.find(({ part }) => part === `options.${index}` || part.startsWith(`options.${index}.`)),
              say,
            )}
            isLast={index === options.length - 1}
            onChange={(next) => onChange(options.map((each, at) => (at === index ? next : each)))}
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
      {none && <p className={style.fault}>{faultTextOf(none, say)}</p>}
      <div className={style.actions}>
        <Button isSmall icon={Plus} onPress={() => add(options.length)}>
          {say.addOption}
        </Button>
        <Checkbox isSelected={hasValues} onChange={setHasValues}>
          {say.showValues}
        </Checkbox>
      </div>
    </>
  );
}

const faultTextOf = (fault: ReturnType<typeof faultOf>, say: Record<NonNullable<NonNullable<typeof fault>['code']>, string>) =>
  fault && (fault.code ? say[fault.code] : fault.message);

interface RowProps {
  field: Field;
  option: Options[number];
  number: number;
  hasValue: boolean;
  isLast: boolean;
  fault: string | undefined;
  onChange: (option: Options[number]) => void;
  onEnter: () => void;
  onPaste: (labels: readonly string[]) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function OptionRow({ field, option, number, hasValue, isLast, fault, onChange, onEnter, onPaste, onMove, onRemove }: RowProps) {
  const say = useWords(settingsWords);
  const { published } = useEditing();
  // Answers have the value of an option that was published: it stays, whatever is written there.
  const isKept = published.get(field.key)?.options?.some(({ value }) => value === option.value) ?? false;
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
      <TextField
        label={say.option(number)}
        isLabelHidden
        value={option.label}
        fault={fault}
        onChange={(label) => onChange({ label, value: !isKept && option.value === option.label ? label : option.value })}
      />
      {hasValue && (
        <TextField
          label={say.optionValue(number)}
          isLabelHidden
          value={option.value}
          onChange={(value) => onChange({ ...option, value })}
        />
      )}
      <IconButton isSmall icon={ArrowUp} label={say.optionUp(number)} isDisabled={number === 1} onPress={() => onMove(-1)} />
      <IconButton isSmall icon={ArrowDown} label={say.optionDown(number)} isDisabled={isLast} onPress={() => onMove(1)} />
      <IconButton isSmall icon={X} label={say.removeOption(number)} onPress={onRemove} />
    </div>
  );
}
