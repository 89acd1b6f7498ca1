import { answerKindOf, traitsOf, type AnswerKind, type Condition, type Field } from '@sheaf/contracts';
import { Fragment, type InputHTMLAttributes } from 'react';
import { useReading } from '../reading';
import { describedBy, idOf, invalid, nameOf, type Control } from './control';
import { pickerFor, type PickerKind } from './pickers';
import { Single } from './surroundings';

type Attributes = InputHTMLAttributes<HTMLInputElement>;

const code = { autoCapitalize: 'none', spellCheck: false, dir: 'ltr' } as const;

/**
 * The attributes of the input for an answer. Addresses, numbers and phone numbers read from left to right in every language. Numbers are typed
 * as text: browsers refuse what they do not take for a number, and then the page would never see it.
 */
const attributes: Readonly<Partial<Record<AnswerKind, (field: Field, value: string | undefined) => Attributes>>> = {
  email: () => ({ type: 'email', ...code }),
  url: () => ({ type: 'url', ...code }),
  phone: () => ({ type: 'tel', dir: 'ltr' }),
  number: ({ min }) => ({ type: 'text', inputMode: keyboard(min, 'decimal'), dir: 'ltr', className: 'short' }),
  whole: ({ min }) => ({ type: 'text', inputMode: keyboard(min, 'numeric'), dir: 'ltr', className: 'short' }),
  date: ({ min_date: min, max_date: max }, value) => picker('date', value, { min, max }),
  time: (_, value) => picker('time', value),
  datetime: ({ min_date: min, max_date: max }, value) =>
    picker('datetime', value, { min: min && `${min}T00:00`, max: max && `${max}T23:59` }),
};

/** The keyboards for numbers have no minus on some phones. */
const keyboard = (min: number | undefined, inputMode: 'decimal' | 'numeric') => (min !== undefined && min < 0 ? undefined : inputMode);

function picker(kind: PickerKind, value: string | undefined, bounds: Attributes = {}): Attributes {
  const { type, isText } = pickerFor(kind, value);
  return isText ? { type: 'text', dir: 'ltr', className: 'short' } : { type, className: 'short', ...bounds };
}

/** The attributes of the input for an answer of the kind, or for a part of one. */
export const inputOf = (kind: AnswerKind, field: Field, value: string | undefined): Attributes =>
  attributes[kind]?.(field, value) ?? { type: 'text' };

export function TextInput({ control }: { control: Control }) {
  const { field, texts, values } = control;
  return (
    <Single control={control}>
      <input
        {...inputOf(answerKindOf(field), field, values[0])}
        id={idOf(control)}
        name={nameOf(control)}
        defaultValue={values[0]}
        placeholder={texts.placeholder?.text}
        autoComplete={field.autocomplete}
        aria-describedby={describedBy(control)}
        aria-invalid={invalid(control)}
      />
    </Single>
  );
}

/** Whether the script counts the characters. */
export const isCounted = (field: Field): boolean => traitsOf(field).isLong === true && field.max_length !== undefined;

/**
 * Longer text. There is no `maxlength`, which would cut off what is pasted without a word; the script counts instead, in the words that
 * the page gives it.
 */
export function TextArea({ control }: { control: Control }) {
  const { words } = useReading();
  const { field, texts, values } = control;
  const countId = `c-${field.key}`;

  return (
    <Single control={control}>
      <textarea
        id={idOf(control)}
        name={nameOf(control)}
        rows={5}
        defaultValue={values[0]}
        placeholder={texts.placeholder?.text}
        autoComplete={field.autocomplete}
        aria-describedby={describedBy(control, ...(isCounted(field) ? [countId] : []))}
        aria-invalid={invalid(control)}
        data-max={field.max_length}
      />
      {field.max_length !== undefined && (
        <p className="count" id={countId}>
          {words.maxCharacters(field.max_length)}
        </p>
      )}
    </Single>
  );
}

interface ListedOption {
  value: string;
  text: string;
  lang?: string | undefined;
  visible_if?: Condition | undefined;
  isFull?: boolean;
  /** Whether a search leaves it in sight. */
  stays?: boolean;
}

interface SelectBoxProps {
  control: Control;
  options: readonly ListedOption[];
  /** Whether the script puts a field in its place that searches the options. */
  isSearched?: boolean;
  /** How many of the options are a group of their own, before all others. */
  first?: number | undefined;
}

export function SelectBox({ control, options, isSearched = false, first = 0 }: SelectBoxProps) {
  const { words } = useReading();
  const box = (
    <select
      id={idOf(control)}
      name={nameOf(control)}
      defaultValue={control.values[0]}
      autoComplete={control.field.autocomplete}
      aria-describedby={describedBy(control)}
      aria-invalid={invalid(control)}
    >
      <option value="">{words.choose}</option>
      {options.map(({ value, text, lang, visible_if, isFull = false, stays = false }, index) => (
        <Fragment key={value}>
          <option
            value={value}
            lang={lang}
            data-if={visible_if && JSON.stringify(visible_if)}
            data-full={isFull ? '' : undefined}
            data-stays={stays ? '' : undefined}
            disabled={isFull}
          >
            {isFull ? `${text} – ${words.optionFull}` : text}
          </option>
          {index + 1 === first && first < options.length && <hr />}
        </Fragment>
      ))}
    </select>
  );
  return (
    <Single control={control}>
      {isSearched ? (
        <div className="combo">
          {box}
          <p className="hint" role="status" />
        </div>
      ) : (
        box
      )}
    </Single>
  );
}
