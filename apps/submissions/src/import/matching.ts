import {
  answerKindOf,
  hasParts,
  inEnglish,
  inFrench,
  inGerman,
  inSpanish,
  isRanked,
  isRepeat,
  labelTextOf,
  matchOf,
  partLabel,
  partsOf,
  type Field,
  isSignature,
} from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { Breath } from './breath';
import { alike, namesOfOptions, optionNamed, type OptionNames } from './cells';
import type { FileTable } from './read-file';
import { sourceOf, type Known } from './sources';

/** The place of a column's texts in a submission. */
export type Target =
  | { kind: 'nothing' | 'created_at' | 'language' }
  | { kind: 'answer'; field: Field }
  | { kind: 'choice'; field: Field; value: string }
  | { kind: 'part'; field: Field; part: string };

export interface Matching {
  known: Known;
  /** For each column of the file, in their order. */
  targets: readonly Target[];
  proposed: readonly Target[];
}

const nothing: Target = { kind: 'nothing' };

export function nameOf(target: Target): string {
  if (target.kind === 'answer') return `answers.${target.field.key}`;
  if (target.kind === 'part') return `answers.${target.field.key}.${target.part}`;
  return target.kind === 'choice' ? `answers.${target.field.key}.${target.value}` : target.kind;
}

/**
 * The targets of the columns of a file: as their headings tell, or as somebody has decided.
 * @throws Problem `bad_request` for a decision that the file or the form does not allow
 */
export async function matchingOf(
  { headings }: Pick<FileTable, 'headings'>,
  fields: readonly Field[],
  decided: readonly string[],
  breath = new Breath(),
): Promise<Matching> {
  const known = sourceOf(headings);
  const proposed = await proposedFor(headings, fields, { known, breath });
  const targets = [...proposed];
  for (const { column, target } of decided.map(matchOf)) {
    if (column > headings.length) throw Problem.badRequest(`match: the file has ${headings.length} columns, but ${column} is matched`);
    targets[column - 1] = decidedTarget(target, fields);
  }
  const names = new Set<string>();
  const twice = targets.map(nameOf).find((name) => name !== 'nothing' && names.size === names.add(name).size);
  if (twice !== undefined) {
    const columns = targets.flatMap((target, index) => (nameOf(target) === twice ? [index + 1] : []));
    throw Problem.badRequest(`match: ${twice.slice(0, 100)} is matched with the columns ${columns.join(' and ')}; choose one of them`);
  }
  return { known, targets, proposed };
}

function decidedTarget(target: string, fields: readonly Field[]): Target {
  if (target === 'nothing' || target === 'created_at' || target === 'language') return { kind: target };
  const [, key = '', ...rest] = target.split('.');
  const value = rest.join('.');
  const field = fields.find((one) => one.key === key);
  if (!field) throw Problem.badRequest(`match: the published form has no field ${key}`);
  if (isRepeat(field)) throw Problem.badRequest(`match: ${key} is a repeat, whose items are not in a table with a row for each submission`);
  if (answerKindOf(field) === 'file') throw Problem.badRequest(`match: ${key} takes files, which a table does not have`);
  if (isInParts(field)) {
    const parts = partsOf(field).map(({ name }) => name);
    if (!parts.includes(value))
      throw Problem.badRequest(`match: ${key} must be followed by one of .${parts.join(', .')}, the parts of its answers`);
    return { kind: 'part', field, part: value };
  }
  if (value === '') return { kind: 'answer', field };
  if (!hasColumns(field) || !field.options?.some((option) => option.value === value))
    throw Problem.badRequest(`match: ${key} has no option ${value.slice(0, 64)} of which several may be chosen`);
  return { kind: 'choice', field, value };
}

/** Whether each part has a column of its own. Of a signature, a table has the name, which is the whole answer. */
const isInParts = (field: Field): boolean => hasParts(field) && !isSignature(field);

/** Whether each option may have a column that says whether it was chosen. That of a ranking has its rank, and the answer is read from one column. */
const hasColumns = (field: Field): boolean => answerKindOf(field) === 'options' && !isRanked(field);

/** The names of fields, as headings have them. */
interface Names {
  fields: ReadonlyMap<string, readonly Field[]>;
  options: ReadonlyMap<Field, OptionNames>;
}

function namesOf(fields: readonly Field[]): Names {
  const byName = new Map<string, Field[]>();
  const add = (name: string, field: Field) => {
    const named = byName.get(alike(name)) ?? [];
    if (!named.includes(field)) byName.set(alike(name), [...named, field]);
  };
  // Keys first: a label may be the key of another field.
  for (const field of fields) for (const name of [field.key, `data.${field.key}`, `answers.${field.key}`]) add(name, field);
  for (const field of fields)
    for (const label of labelsOf(field)) {
      add(label, field);
      // As an export names the second of two columns with one heading.
      add(`${label} (${field.key})`, field);
    }
  const severalChoices = fields.filter(hasColumns);
  return { fields: byName, options: new Map(severalChoices.map((field) => [field, namesOfOptions(field)])) };
}

/** The label in each language, as it is written and as an export shows it. */
const labelsOf = (field: Field): ReadonlySet<string> =>
  new Set(
    [field.label, ...Object.values(field.translations ?? {}).flatMap((one) => one.label ?? [])].flatMap((label) => [
      label,
      labelTextOf({ ...field, label }),
    ]),
  );

async function proposedFor(
  headings: readonly string[],
  fields: readonly Field[],
  { known, breath }: { known: Known; breath: Breath },
): Promise<Target[]> {
  const names = namesOf(fields);
  const taken = new Set<string>();
  const propose = (candidates: Iterable<Target>): Target => {
    for (const target of candidates) {
      if (taken.has(nameOf(target))) continue;
      taken.add(nameOf(target));
      return target;
    }
    return nothing;
  };
  const proposed: Target[] = [];
  for (const heading of headings) {
    await breath.take();
    const name = alike(heading);
    const isKnown = known.created_at.has(name) || known.language.has(name) || known.own.has(name);
    if (known.source !== 'other' && isKnown && !isKey(name, fields, known)) proposed.push(propose(factIn(name, known)));
    else {
      const found = propose(answersIn(heading, names, known));
      proposed.push(found.kind === 'nothing' && known.source === 'other' ? propose(factIn(name, known)) : found);
    }
  }
  return proposed;
}

/** In Kobo, `start` may be a question as well. */
const isKey = (name: string, fields: readonly Field[], known: Known): boolean =>
  known.source === 'kobo' && fields.some(({ key }) => key === name);

function* factIn(name: string, known: Known): Generator<Target> {
  if (known.created_at.has(name)) yield { kind: 'created_at' };
  if (known.language.has(name)) yield { kind: 'language' };
}

/** Separators between a question and one of its options, of which each may have some itself. */
const between = [' – ', '/', ' - ', ' [', ': '];
const maxPlaces = 8;

function* answersIn(heading: string, { fields, options }: Names, known: Known): Generator<Target> {
  const names = new Set(variants(heading, known));
  for (const name of names)
    for (const field of fields.get(alike(name)) ?? [])
      if (answerKindOf(field) !== 'file' && !isRepeat(field) && !isInParts(field)) yield { kind: 'answer', field };
  for (const name of names)
    for (const separator of between)
      for (const at of placesOf(separator, name)) {
        const option = name.slice(at + separator.length);
        const plain = separator === ' [' && option.endsWith(']') ? option.slice(0, -1) : option;
        for (const field of fields.get(alike(name.slice(0, at))) ?? []) yield* choice(field, plain, options);
      }
  const [, key = '', named = ''] = /\(([a-z][a-z0-9_]*) – (.+)\)$/.exec(heading) ?? [];
  for (const field of fields.get(key) ?? []) yield* choice(field, named, options);
  // In Typeform, the column of an option is headed by the option alone.
  if (known.source === 'typeform') for (const field of options.keys()) yield* choice(field, heading, options);
}

function* placesOf(separator: string, text: string): Generator<number> {
  let at = text.indexOf(separator);
  for (let count = 0; at > 0 && count < maxPlaces; count++) {
    yield at;
    at = text.indexOf(separator, at + 1);
  }
}

function* choice(field: Field, option: string, options: Names['options']): Generator<Target> {
  const part = partNamed(field, option);
  if (part === 'name' && isSignature(field)) yield { kind: 'answer', field };
  else if (part !== undefined && isInParts(field)) yield { kind: 'part', field, part };
  const names = options.get(field);
  const value = names && optionNamed(option, names);
  if (value !== undefined) yield { kind: 'choice', field, value };
}

/** The labels of a row of a matrix in the other languages of the form. */
const translationsOf = ({ translations = {} }: Field, row: string): string[] =>
  Object.values(translations).flatMap(({ rows = {} }) => (Object.hasOwn(rows, row) ? (rows[row] ?? []) : []));

const words = [inEnglish, inGerman, inFrench, inSpanish];

const partNamed = (field: Field, named: string): string | undefined =>
  partsOf(field).find((part) =>
    [part.name, ...words.map(({ parts }) => partLabel(part, parts)), ...translationsOf(field, part.name)].some(
      (each) => alike(each) === alike(named),
    ),
  )?.name;

/** A heading as it is, without the mark of a required question or its number, and without the groups that a question is in. */
function* variants(heading: string, { source }: Known): Generator<string> {
  yield heading;
  const trimmed = heading.trim();
  const plain = (trimmed.endsWith('*') || trimmed.endsWith(':') ? trimmed.slice(0, -1) : trimmed).trim();
  yield plain;
  yield plain.replace(/^\d{1,3}[.)]\s+/, '');
  if (source === 'kobo') {
    const path = plain.split('/');
    for (let from = 1; from < Math.min(path.length, maxPlaces); from++) yield path.slice(from).join('/');
  }
}
