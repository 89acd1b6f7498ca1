import type { Bundle, PlainInputField, PlainOutputField, ZObject } from 'zapier-platform-core';
import { call, path, type Connection } from './api.js';

export interface FormField {
  key: string;
  label: string;
  type: string;
  /** Regardless of other answers. */
  required: boolean;
  help?: string;
  multiple?: boolean;
  /** Of a calculated field. */
  format?: string;
  options?: { value: string; label: string }[];
  /** Of a rating. */
  min?: number;
  max?: number;
  low_label?: string;
  high_label?: string;
}

interface FormItem extends Partial<Omit<FormField, 'type' | 'required'>> {
  type: string;
  required?: boolean;
  required_if?: object;
  visible_if?: object;
  options?: { value: string; label: string; visible_if?: object }[];
}

/**
 * The fields of a form. Those that another answer may hide are not required, nor are those that it may make optional: the server decides about them. Pages,
 * sections and statements take no answer, and checks and endings neither; the condition of a page or section hides what follows it.
 */
function fieldsOf(items: readonly FormItem[]): FormField[] {
  let [page, section] = [false, false];
  return items.flatMap(({ required_if: requiredIf, visible_if: visibleIf, ...item }) => {
    const mayHide = visibleIf !== undefined;
    if (item.type === 'page') [page, section] = [mayHide, false];
    if (item.type === 'section') section = mayHide;
    const { key, label = '', required = false, options } = item;
    if (key === undefined) return [];
    const mayOfferNone = options?.every((option) => option.visible_if !== undefined) ?? false;
    const isSure = requiredIf === undefined && !mayHide && !page && !section && !mayOfferNone;
    return [{ ...item, key, label, required: required && isSure }];
  });
}

/** Picks the form from a list. Fields of the form follow it. */
export const formInput = {
  key: 'form_id',
  label: 'Form',
  type: 'string',
  required: true,
  dynamic: 'form.id.title',
  altersDynamicFields: true,
} satisfies PlainInputField;

/** The fields of a version of the form, or of the published one; none if it was never published. */
export async function readFields(z: ZObject, connection: Connection, formId: string, version?: number): Promise<FormField[]> {
  const wanted =
    version ?? (await call<{ current_version: number }>(z, connection, { path: path`/api/v1/forms/${formId}` })).current_version;
  if (wanted === 0) return [];
  const { fields } = await call<{ fields: FormItem[] }>(z, connection, {
    path: path`/app/v1/forms/${formId}/versions/${wanted}`,
  });
  return fieldsOf(fields);
}

/** The id of the picked form; empty before people have picked one. */
export const pickedForm = (bundle: Bundle): string => (bundle.inputData.form_id as string | undefined) ?? '';

/** The output fields of answers, with the labels that people know. */
export async function answerOutputs(z: ZObject, bundle: Bundle): Promise<PlainOutputField[]> {
  const formId = pickedForm(bundle);
  if (formId === '') return [];
  return (await readFields(z, bundle, formId)).map(outputField);
}

const outputTypes: Record<string, PlainOutputField['type']> = {
  number: 'number',
  integer: 'integer',
  rating: 'integer',
  boolean: 'boolean',
  datetime: 'datetime',
  file: 'file',
};

const resultType = ({ format = 'number' }: FormField): string => (['currency', 'percent'].includes(format) ? 'number' : format);

const outputField = (field: FormField): PlainOutputField => ({
  key: `answers__${field.key}`,
  label: field.label,
  type: outputTypes[field.type === 'calculated' ? resultType(field) : field.type] ?? 'string',
  ...(isList(field) ? { list: true } : {}),
});

/** The inputs of a new submission: one for each field of the form. */
export async function answerInputs(z: ZObject, bundle: Bundle): Promise<PlainInputField[]> {
  const formId = pickedForm(bundle);
  if (formId === '') return [];
  return (await readFields(z, bundle, formId)).filter(isGiven).map(inputField);
}

/** Sheaf computes the others. */
const isGiven = ({ type }: FormField): boolean => type !== 'calculated';

const inputTypes: Record<string, PlainInputField['type']> = {
  long_text: 'text',
  number: 'number',
  integer: 'integer',
  rating: 'integer',
  boolean: 'boolean',
  date: 'datetime',
  datetime: 'datetime',
  file: 'file',
};

/** A prefix keeps a field of the key `form_id` apart from the picked form. */
export const inputKey = (field: FormField): string => `answer_${field.key}`;

const inputField = (field: FormField): PlainInputField => ({
  key: inputKey(field),
  label: field.label,
  type: inputTypes[field.type] ?? 'string',
  required: field.required,
  ...helpText(field),
  ...(isList(field) ? { list: true } : {}),
  // Pairs of a name and a value.
  ...(['date_range', 'address', 'matrix'].includes(field.type) ? { dict: true } : {}),
  ...(field.options ? { choices: field.options.map(({ value, label }) => ({ value, sample: value, label })) } : {}),
});

/** The text form of an answer, where the kind of input does not say it. */
const forms: Readonly<Record<string, string>> = {
  country: 'The ISO 3166-1 code of a country, such as DE.',
  address: 'An entry for each part, such as line1, postal_code, city and country, which is an ISO 3166-1 code.',
  date_range: 'Two entries, from and to, each with a day such as 2026-05-31.',
  matrix: 'An entry for each row: its value, and that of the column, or of several with commas between them where several can be chosen.',
  ranking: 'The best first.',
  repeat: 'A list in JSON with an object for each item, by the keys of its fields, such as [{"name": "Ann"}].',
  signature: 'A name.',
  time: 'A time such as 14:30.',
};

function helpText(field: FormField): { helpText?: string } {
  const texts = [field.help, hintOf(field)].filter((text) => text !== undefined && text !== '');
  return texts.length === 0 ? {} : { helpText: texts.join(' ').slice(0, 1_000) };
}

function hintOf({ type, min = 1, max = 5, low_label: low, high_label: high }: FormField): string | undefined {
  if (type !== 'rating') return forms[type];
  // A rating goes from 1 to 5 unless it says otherwise.
  const step = (number: number, meaning?: string) => (meaning === undefined ? String(number) : `${number} (${meaning})`);
  return `From ${step(min, low)} to ${step(max, high)}.`;
}

const isList = ({ type, multiple }: FormField): boolean =>
  ['multi_select', 'ranking'].includes(type) || (type === 'file' && multiple === true);
