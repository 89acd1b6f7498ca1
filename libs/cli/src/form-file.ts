import { readFile } from 'node:fs/promises';
import { createTwoFilesPatch } from 'diff';
import type { Draft, FormDetail } from '@sheaf/client';
import { replaceFile } from './accounts';
import { Failure } from './failure';

/** The draft of a form as a file: one property a line, always in the same order, so that version control shows what was changed and no more. */
export interface FormFile {
  form: string;
  title: string;
  /** The draft that the file was made from. A push replaces no other one. */
  revision: number;
  payment?: Draft['payment'];
  fields: Draft['fields'];
}

export const fileOf = ({ id, title }: Pick<FormDetail, 'id' | 'title'>, { revision, payment, fields }: Draft): FormFile => ({
  form: id,
  title,
  revision,
  ...(payment === undefined ? {} : { payment }),
  fields,
});

function textOf({ form, title, revision, payment, fields }: FormFile): string {
  const content = ordered({ payment, fields }) as object;
  return `${JSON.stringify({ form, title, revision, ...content }, undefined, 2)}\n`;
}

export const writeFormFile = (path: string, file: FormFile): Promise<void> => replaceFile(path, textOf(file));

/** @throws Failure that names the property */
export async function readFormFile(path: string): Promise<FormFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Failure(`${path}: cannot be read: ${(error as Error).message}`);
  });
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    const hint = /^<{7} /m.test(text) ? ' It has conflicts of a merge, which you resolve first.' : '';
    throw new Failure(`${path}: is not valid JSON: ${(error as Error).message}.${hint}`);
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new Failure(`${path}: must be an object, as "forms pull" writes it`);
  const { form, title, revision, payment, fields } = read as Partial<FormFile>;
  if (typeof form !== 'string' || form === '') throw new Failure(`${path}: form: must be the id of a form, as "forms pull" writes it`);
  if (typeof title !== 'string') throw new Failure(`${path}: title: must be a text`);
  if (typeof revision !== 'number' || !Number.isInteger(revision))
    throw new Failure(`${path}: revision: must be a whole number, as "forms pull" writes it`);
  if (!Array.isArray(fields)) throw new Failure(`${path}: fields: must be a list`);
  const unknown = Object.keys(read).find((name) => !['form', 'title', 'revision', 'payment', 'fields'].includes(name));
  if (unknown !== undefined) throw new Failure(`${path}: ${unknown}: is not a property of a form's file`);
  return { form, title, revision, ...(payment === undefined ? {} : { payment }), fields };
}

/** The properties by which people know a question come first, the others by the alphabet. */
const first = ['key', 'label', 'type', 'required', 'help'];
const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);

const ordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(ordered)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
            .map(([name, inner]) => [name, ordered(inner)]),
        )
      : value;

/** The difference of what a push changes; empty if there is none. The order of properties does not count. */
export function difference(from: FormFile, to: FormFile, names: { from: string; to: string }): string {
  const contentOf = ({ payment, fields }: FormFile) => `${JSON.stringify(ordered({ payment, fields }), undefined, 2)}\n`;
  const [before, after] = [contentOf(from), contentOf(to)];
  if (before === after) return '';
  return createTwoFilesPatch(names.from, names.to, before, after, undefined, undefined, { context: 3 }).replace(/^=+\n/, '');
}
