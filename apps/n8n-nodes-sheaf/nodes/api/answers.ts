import type {
  FieldType,
  IDataObject,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import { fieldsOf, readItems, type FormField } from './forms';

const mapperTypes: Record<string, FieldType> = {
  number: 'number',
  integer: 'number',
  rating: 'number',
  boolean: 'boolean',
  datetime: 'dateTime',
  date_range: 'object',
  address: 'object',
  matrix: 'object',
  signature: 'object',
  select: 'options',
  multi_select: 'array',
  ranking: 'array',
  repeat: 'array',
};

/** The text form of an answer, where a label does not say it. */
const hints: Record<string, string> = {
  country: 'ISO 3166-1 code, such as DE',
  date: 'YYYY-MM-DD',
  address: '{"line1": "…", "postal_code": "…", "city": "…", "country": "DE"}',
  date_range: '{"from": "YYYY-MM-DD", "to": "YYYY-MM-DD"}',
  matrix: '{"row": "column"} by values, or lists of columns',
  time: 'HH:MM',
  multi_select: 'list of values',
  ranking: 'list of values, best first',
  repeat: 'list with an object for each item, by the keys of its fields',
  signature: '{"kind": "typed", "name": "…"}, or {"kind": "drawn", "file_id": "…"} with a file',
  file: 'ID of an uploaded file',
};

/** The picked form's fields, for the column mapper of a new submission. */
export async function getAnswerFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const fields = fieldsOf(await readItems(this, currentForm(this)));
  return {
    fields: fields.filter(isGiven).map(mapperField),
    emptyFieldsNotice: 'This form has no fields: publish it first.',
  };
}

/** The picked form's fields, for conditions of a search. */
export async function getFilterFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const fields = fieldsOf(await readItems(this, currentForm(this)));
  return fields.map(option);
}

/** The picked form's fields that take files. */
export async function getFileFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const fields = fieldsOf(await readItems(this, currentForm(this)));
  return fields.filter(({ type }) => type === 'file' || type === 'signature').map(option);
}

/** Sheaf computes the others. */
const isGiven = ({ type }: FormField): boolean => type !== 'calculated';

const option = ({ key, label }: FormField): INodePropertyOptions => ({ name: label, value: key, description: key });

const currentForm = (context: ILoadOptionsFunctions): string => context.getCurrentNodeParameter('formId', { extractValue: true }) as string;

function mapperField(field: FormField): ResourceMapperField {
  const { key, label, type, required, options } = field;
  const hint = type === 'rating' ? scaleOf(field) : hints[type];
  return {
    id: key,
    displayName: hint === undefined ? label : `${label} (${hint})`,
    required,
    defaultMatch: false,
    display: true,
    type: mapperTypes[type] ?? 'string',
    ...(type === 'select' ? { options: (options ?? []).map((option) => ({ name: option.label, value: option.value })) } : {}),
  };
}

/** A rating goes from 1 to 5 unless it says otherwise. */
function scaleOf({ min = 1, max = 5, low_label: low, high_label: high }: FormField): string {
  const step = (number: number, meaning?: string) => (meaning === undefined ? String(number) : `${number}: ${meaning}`);
  return `${step(min, low)} – ${step(max, high)}`;
}

export interface Mapping {
  /** The mapped values, or the input item. */
  values: IDataObject;
  schema: ResourceMapperField[];
}

/** The answers to send: the values under the keys of the form. A field without a value is unanswered. */
export function answersFrom({ values, schema }: Mapping): IDataObject {
  const keys = schema.length > 0 ? schema.map(({ id }) => id) : Object.keys(values);
  const isAnswered = (answer: unknown): boolean => answer !== undefined && answer !== null && answer !== '';
  return Object.fromEntries(keys.map((key) => [key, values[key]]).filter(([, answer]) => isAnswered(answer))) as IDataObject;
}
