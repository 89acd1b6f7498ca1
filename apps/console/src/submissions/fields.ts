import type { FormItem } from '@sheaf/client';
import {
  addressLine,
  answerKindOf,
  chosenRows,
  fileIdsIn,
  hasFiles,
  isMatrix,
  isSignature,
  labelTextOf,
  partIn,
  partsOf,
  type AnswerKind,
} from '@sheaf/contracts';
import { amountStyleOf, type Formats } from '../words/formats';

/** A field that people answer, as a version of the form has it. */
export type AnswerField = Extract<FormItem, { key: string }>;

/** The fields among the items of a version, without its pages, sections and statements, and with their labels as people read them. */
export const fieldsOf = (items: readonly FormItem[]): AnswerField[] =>
  items.filter((item): item is AnswerField => 'key' in item).map((field) => ({ ...field, label: labelTextOf(field) }));

/** None for a field that is answered without them. */
export const optionsOf = (field: AnswerField): readonly { value: string; label: string }[] => ('options' in field ? field.options : []);

/** The fields of each item of a repeat; none of any other field. */
export const fieldsInItem = (field: AnswerField): readonly AnswerField[] => ('fields' in field ? (field.fields as AnswerField[]) : []);

/** The same, with their labels as people read them. */
export const itemFieldsOf = (field: AnswerField): AnswerField[] => fieldsOf(fieldsInItem(field));

/** The name of an item of a repeat, such as "Guest 2". @param item our word for one that its author has not named */
export const itemName = (field: AnswerField, at: number, { number }: Pick<Formats, 'number'>, item: string): string =>
  `${('item_label' in field ? field.item_label : undefined) ?? item} ${number(at + 1)}`;

/** The answers in an item of a repeat, each with the label of its field. */
export const answersInItem = (field: AnswerField, item: unknown, formats: Formats, say: AnswerWords): { label: string; text: string }[] =>
  itemFieldsOf(field).flatMap((inner) => {
    const text = answerText(inner, partIn(item, inner.key), formats, say);
    return text === '' ? [] : [{ label: inner.label, text }];
  });

/** The rows and columns of a matrix. */
export const matrixIn = (field: AnswerField | undefined) =>
  field && 'rows' in field
    ? { rows: field.rows, columns: field.columns, multiple: field.multiple }
    : { rows: [], columns: [], multiple: undefined };

/** The answer to a matrix, row by row, with labels as far as the version has them. */
export function rowTexts(field: AnswerField, value: unknown, formats: Formats): { row: string; text: string }[] {
  const { rows, columns } = matrixIn(field);
  return chosenRows<string>(rows, columns, value).map((row) => ({
    row: row.label ?? row.value,
    text: formats.list(row.columns.map((column) => column.label ?? column.value)),
  }));
}

/** The label of an option, or its value where the version no longer has it. */
export const optionLabel = (field: AnswerField | undefined, value: unknown): string =>
  (field && optionsOf(field).find((option) => option.value === value)?.label) ?? textOf(value);

/** The files that an answer names. Of a signature it is the picture alone: an earlier version may have asked for a text. */
export function fileIdsOf(field: AnswerField, answer: unknown): string[] {
  if (!hasFiles(field)) return [];
  return fileIdsIn(isSignature(field) ? partIn(answer, 'file_id') : answer);
}

/** The key of a field that a submission answers with files. */
export const fileKeyIn = (field: AnswerField | undefined, { data }: { data: Readonly<Record<string, unknown>> }): string | undefined =>
  field && fileIdsOf(field, data[field.key]).length > 0 ? field.key : undefined;

/** A file of a submission, and the question that it answers. */
export interface AnswerFile {
  submission: string;
  id: string;
  key: string;
  label: string;
}

/** The files of submissions in their order, and in that of the questions. */
export const filesIn = (
  rows: readonly { id: string; data: Readonly<Record<string, unknown>> }[],
  items: readonly FormItem[],
): AnswerFile[] => {
  const fields = fieldsOf(items);
  return rows.flatMap(({ id: submission, data }) =>
    fields.flatMap((field) => fileIdsOf(field, data[field.key]).map((id) => ({ submission, id, key: field.key, label: field.label }))),
  );
};

export interface AnswerWords {
  yes: string;
  no: string;
  files: (count: number) => string;
  drawnSignature: string;
}

/** An answer as one text; empty if there is none. Without a field, as where no version is at hand, the answer as it is. */
export function answerText(field: AnswerField | undefined, value: unknown, formats: Formats, say: AnswerWords): string {
  if (value === undefined || value === null || value === '') return '';
  const kind = field && answerKindOf(field);
  // An earlier version may have asked for something else under the same key.
  if (kind === 'signature' && partIn(value, 'kind') === 'drawn') return say.drawnSignature;
  if (kind === 'signature') return textOf(partIn(value, 'name') ?? value);
  if (kind === 'file') return say.files(Array.isArray(value) ? value.length : 1);
  if (field && kind === 'items' && Array.isArray(value))
    return value
      .map((item) =>
        answersInItem(field, item, formats, say)
          .map(({ text }) => text)
          .join(', '),
      )
      .join('; ');
  if (Array.isArray(value)) return formats.list(value.map((each) => optionLabel(field, each)));
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  if (typeof value === 'number') return formats.amount(value, amountStyleOf(field));
  if (kind === 'address') return addressLine(value, formats.country) || textOf(value);
  if (field && isMatrix(field) && typeof value === 'object')
    return (
      rowTexts(field, value, formats)
        .map(({ row, text }) => `${row}: ${text}`)
        .join('; ') || textOf(value)
    );
  if (field && typeof value === 'object') return partsText(field, value, formats, say);
  return (kind && texts[kind]?.(value, field, formats)) ?? textOf(value);
}

const partsText = (field: AnswerField, value: object, formats: Formats, say: AnswerWords): string =>
  partsOf(field)
    .flatMap(({ name, kind }) => {
      const each = partIn(value, name);
      return each === undefined ? [] : [answerText({ ...field, type: kind } as AnswerField, each, formats, say)];
    })
    .join(' – ') || textOf(value);

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** A day has no time zone: read as noon of this one, it stays the same day everywhere. */
const dayText = (day: string, formats: Formats): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) && isTime(`${day}T12:00`) ? formats.date(`${day}T12:00`) : day;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

type Write = (value: unknown, field: AnswerField | undefined, formats: Formats) => string;

const option: Write = (value, field) => optionLabel(field, value);

/** Of kinds whose answers can be read as they are, there is none. */
const texts: Readonly<Partial<Record<AnswerKind, Write>>> = {
  country: (value, _, formats) => formats.country(textOf(value)),
  date: (value, _, formats) => dayText(textOf(value), formats),
  datetime: (value, _, formats) => (isTime(value) ? formats.dateTime(value) : textOf(value)),
  option,
  options: option,
};
