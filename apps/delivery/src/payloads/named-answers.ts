import {
  addressLine,
  answerKindOf,
  chosenRows,
  countryName,
  fieldsOfItem,
  fileIdsIn,
  hasFiles,
  hasParts,
  isMatrix,
  isRepeat,
  labelTextOf,
  partIn,
  partsOf,
  type Field,
  type NamedAnswer as NamedAnswerShape,
  type NamedFile as NamedFileShape,
} from '@sheaf/contracts';
import type { z } from 'zod';

export type NamedFile = z.output<typeof NamedFileShape>;
export type NamedAnswer = z.output<typeof NamedAnswerShape>;

/** The answers by key, in the order of the fields. */
export const namedAnswers = (
  fields: readonly Field[],
  data: Readonly<Record<string, unknown>>,
  fileOf: (id: string) => NamedFile | undefined,
): Record<string, NamedAnswer> =>
  // `constructor` is a valid key.
  Object.fromEntries(
    fields.flatMap((field) => (Object.hasOwn(data, field.key) ? [[field.key, named(field, data[field.key], fileOf)]] : [])),
  );

/** The answers to a version that is missing, under their keys. */
export const unnamedAnswers = (data: Readonly<Record<string, unknown>>): Record<string, NamedAnswer> =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, { label: key, type: 'unknown', value, text: [value].flat().map(plain).join(', ') }]),
  );

const plain = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item));

/** The answer to a matrix with the labels of its rows and columns; values of those that the version does not have. */
const rowsAsText = ({ rows = [], columns = [] }: Field, answer: object): string =>
  chosenRows(rows, columns, answer)
    .map((row) => `${row.label ?? row.value}: ${row.columns.map(({ value, label }) => label ?? value).join(', ')}`)
    .join('; ');

/** The answers in an item, in the order of its fields: "Name: Ann, Meal: Vegan". */
const itemAsText = (repeat: Field, item: unknown): string =>
  Object.values(namedAnswers(fieldsOfItem(repeat), Object(item) as Readonly<Record<string, unknown>>, () => undefined))
    .map(({ label, text }) => `${label}: ${text}`)
    .join(', ');

function named(field: Field, value: unknown, fileOf: (id: string) => NamedFile | undefined): NamedAnswer {
  const { type, options = [] } = field;
  const label = labelTextOf(field);
  if (hasFiles(field)) {
    const files = fileIdsIn(value).flatMap((id) => fileOf(id) ?? []);
    // A signature may be a name.
    const name = partIn(value, 'name');
    return { label, type, value, text: typeof name === 'string' ? name : files.map((file) => file.name).join(', '), files };
  }
  if (isMatrix(field) && typeof value === 'object' && value !== null) return { label, type, value, text: rowsAsText(field, value) };
  if (isRepeat(field) && Array.isArray(value)) return { label, type, value, text: value.map((item) => itemAsText(field, item)).join('; ') };
  if (hasParts(field) && typeof value === 'object' && value !== null) {
    const given = partsOf(field).map(({ name }) => partIn(value, name));
    const texts = given.flatMap((part) => (part === undefined ? [] : plain(part)));
    const line = answerKindOf(field) === 'address' ? addressLine(value, (code) => countryName('en', code)) : texts.join(' – ');
    return { label, type, value, text: line };
  }
  const textOf = (item: unknown): string => {
    if (typeof item === 'boolean') return item ? 'Yes' : 'No';
    // Our words are in English, as these.
    if (answerKindOf(field) === 'country' && typeof item === 'string') return countryName('en', item);
    return options.find((option) => option.value === item)?.label ?? plain(item);
  };
  return { label, type, value, text: [value].flat().map(textOf).join(', ') };
}
