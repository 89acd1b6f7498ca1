interface Picker {
  /** The type of the input. */
  type: string;
  /** The notation of its values. */
  shape: RegExp;
  example: string;
}

export type PickerKind = 'date' | 'time' | 'datetime';

const pickers: Readonly<Record<PickerKind, Picker>> = {
  date: { type: 'date', shape: /^\d{4}-\d{2}-\d{2}$/, example: '2026-05-31' },
  time: { type: 'time', shape: /^\d{2}:\d{2}(?::\d{2})?$/, example: '14:30' },
  datetime: { type: 'datetime-local', shape: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/, example: '2026-05-31T14:30' },
};

/**
 * How a date or time is entered. A browser empties a picker that holds another notation, so such a value is shown as text, with an example:
 * it is kept, and can be corrected.
 */
export function pickerFor(kind: PickerKind, value = ''): Picker & { isText: boolean } {
  const picker = pickers[kind];
  return { ...picker, isText: value !== '' && !picker.shape.test(value) };
}
