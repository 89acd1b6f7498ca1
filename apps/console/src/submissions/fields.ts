import type { FormItem } from '@sheaf/client';
import type { Formats } from '../words/formats';

/** A field that people answer, as a version of the form has it. */
export type AnswerField = Extract<FormItem, { key: string }>;

/** The fields among the items of a version, without its pages, sections and statements. */
export const fieldsOf = (items: readonly FormItem[]): AnswerField[] => items.filter((item): item is AnswerField => 'key' in item);

export const isNumeric = ({ type }: AnswerField): boolean => ['number', 'integer', 'rating'].includes(type);
export const isTemporal = ({ type }: AnswerField): boolean => ['date', 'time', 'datetime'].includes(type);

/** The answers that the list can be ordered by, and sought in a range. */
export const isOrdered = (field: AnswerField): boolean => isNumeric(field) || isTemporal(field);

/** The label of an option, or its value where the version no longer has it. */
export const optionLabel = (field: AnswerField | undefined, value: unknown): string =>
  (field !== undefined && 'options' in field ? field.options.find((option) => option.value === value)?.label : undefined) ?? textOf(value);

export interface AnswerWords {
  yes: string;
  no: string;
  files: (count: number) => string;
}

/** An answer as one text; empty if there is none. Without a field, as where no version is at hand, the answer as it is. */
export function answerText(field: AnswerField | undefined, value: unknown, formats: Formats, say: AnswerWords): string {
  if (value === undefined || value === null || value === '') return '';
  if (field?.type === 'file') return say.files(Array.isArray(value) ? value.length : 1);
  if (Array.isArray(value)) return formats.list(value.map((each) => optionLabel(field, each)));
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  if (typeof value === 'number') return formats.number(value);
  if (field?.type === 'date') return dayText(textOf(value), formats);
  if (field?.type === 'datetime') return isTime(value) ? formats.dateTime(value) : textOf(value);
  return optionLabel(field, value);
}

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** A day has no time zone: read as noon of this one, it stays the same day everywhere. */
const dayText = (day: string, formats: Formats): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) && isTime(`${day}T12:00`) ? formats.date(`${day}T12:00`) : day;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
