import type { InputHTMLAttributes } from 'react';
import { useReading } from '../reading';
import { describedBy, idOf, invalid, nameOf, type Control } from './control';
import { pickerFor } from './pickers';
import { Single } from './surroundings';

type Attributes = InputHTMLAttributes<HTMLInputElement>;

const code = { autoCapitalize: 'none', spellCheck: false, dir: 'ltr' } as const;

/**
 * The attributes of the input for a type. Addresses, numbers and phone numbers read from left to right in every language. Numbers are typed
 * as text: browsers refuse what they do not take for a number, and then the page would never see it.
 */
function attributesOf({ field, values }: Control): Attributes {
  const [value] = values;
  switch (field.type) {
    case 'email':
      return { type: 'email', ...code };
    case 'url':
      return { type: 'url', ...code };
    case 'phone':
      return { type: 'tel', dir: 'ltr' };
    case 'number':
      return { type: 'text', inputMode: keyboard(field.min, 'decimal'), dir: 'ltr', className: 'short' };
    case 'integer':
      return { type: 'text', inputMode: keyboard(field.min, 'numeric'), dir: 'ltr', className: 'short' };
    case 'date':
      return pickerAttributes(field.type, value, { min: field.min_date, max: field.max_date });
    case 'time':
      return pickerAttributes(field.type, value);
    case 'datetime':
      return pickerAttributes(field.type, value, {
        min: field.min_date && `${field.min_date}T00:00`,
        max: field.max_date && `${field.max_date}T23:59`,
      });
    case 'short_text':
    case 'long_text':
    case 'rating':
    case 'boolean':
    case 'select':
    case 'multi_select':
    case 'file':
    case 'hidden':
      return { type: 'text' };
  }
}

/** The keyboards for numbers have no minus on some phones. */
const keyboard = (min: number | undefined, inputMode: 'decimal' | 'numeric') => (min !== undefined && min < 0 ? undefined : inputMode);

function pickerAttributes(kind: 'date' | 'time' | 'datetime', value: string | undefined, bounds: Attributes = {}): Attributes {
  const { type, isText } = pickerFor(kind, value);
  return isText ? { type: 'text', dir: 'ltr', className: 'short' } : { type, className: 'short', ...bounds };
}

export function TextInput({ control }: { control: Control }) {
  const { field, texts, values } = control;
  return (
    <Single control={control}>
      <input
        {...attributesOf(control)}
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

/**
 * Longer text. There is no `maxlength`, which would cut off what is pasted without a word; the script counts instead, in the words that
 * the page gives it.
 */
export function TextArea({ control }: { control: Control }) {
  const { words } = useReading();
  const { field, texts, values } = control;
  const countId = `c-${field.key}`;
  const isCounted = field.max_length !== undefined;
  return (
    <Single control={control}>
      <textarea
        id={idOf(control)}
        name={nameOf(control)}
        rows={5}
        defaultValue={values[0]}
        placeholder={texts.placeholder?.text}
        autoComplete={field.autocomplete}
        aria-describedby={describedBy(control, ...(isCounted ? [countId] : []))}
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

export function SelectBox({
  control,
  options,
}: {
  control: Control;
  options: readonly { value: string; text: string; lang?: string | undefined }[];
}) {
  const { words } = useReading();
  return (
    <Single control={control}>
      <select
        id={idOf(control)}
        name={nameOf(control)}
        defaultValue={control.values[0]}
        autoComplete={control.field.autocomplete}
        aria-describedby={describedBy(control)}
        aria-invalid={invalid(control)}
      >
        <option value="">{words.choose}</option>
        {options.map(({ value, text, lang }) => (
          <option key={value} value={value} lang={lang}>
            {text}
          </option>
        ))}
      </select>
    </Single>
  );
}
