import { type ApiDocument, resolved, type Schema } from './document';

/** One line of a table of properties. `name` is a path: `settings.theme.accent`, `items[].id`. */
export interface Row {
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** Deeper levels are told by their type only; the example below the table shows them. */
const levels = 3;

/** All properties of a shape, those of inner objects and lists after their own. */
export function rowsOf(document: ApiDocument, schema: Schema): Row[] {
  return rowsBelow(document, schema, '', []);
}

function rowsBelow(document: ApiDocument, schema: Schema, prefix: string, above: readonly Schema[]): Row[] {
  const { properties = {}, required = [] } = resolved(document, schema);
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const shape = resolved(document, property);
    const row = {
      name,
      type: typeOf(document, property),
      required: required.includes(key),
      description: property.description ?? shape.description ?? '',
    };
    const inner = innerOf(document, shape);
    // A shape may hold itself, as a condition does.
    if (!inner || above.length + 1 >= levels || above.includes(inner.schema)) return [row];
    return [row, ...rowsBelow(document, inner.schema, `${name}${inner.mark}`, [...above, inner.schema])];
  });
}

/** The object whose properties follow a row: the shape itself, the one that is not null, or that of a list's items. */
function innerOf(document: ApiDocument, shape: Schema): { schema: Schema; mark: string } | undefined {
  const [only, ...others] = alternativesOf(document, shape);
  if (!only || others.length > 0) return undefined;
  if (only.items) {
    const inner = innerOf(document, resolved(document, only.items));
    return inner && { schema: inner.schema, mark: `[]${inner.mark}` };
  }
  return only.properties ? { schema: only, mark: '.' } : undefined;
}

/** The shapes that a value may have, null left out. */
function alternativesOf(document: ApiDocument, schema: Schema): Schema[] {
  const shape = resolved(document, schema);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return choices.flatMap((choice) => alternativesOf(document, choice));
  return shape.type === 'null' ? [] : [shape];
}

const mayBeNull = (document: ApiDocument, schema: Schema): boolean => {
  const shape = resolved(document, schema);
  return (
    shape.type === 'null' ||
    (Array.isArray(shape.type) && shape.type.includes('null')) ||
    (shape.anyOf ?? shape.oneOf ?? []).some((choice) => mayBeNull(document, choice))
  );
};

/** A type in words, with its bounds: `string, at most 200 characters, or null`. */
export function typeOf(document: ApiDocument, schema: Schema): string {
  const words = [...new Set(alternativesOf(document, schema).map((shape) => wordsOf(document, shape)))];
  // Eleven kinds of field would fill the line.
  const named = words.length > 4 ? 'one of several shapes' : words.join(' or ');
  return mayBeNull(document, schema) && named !== '' ? `${named} or null` : named || 'null';
}

function wordsOf(document: ApiDocument, shape: Schema): string {
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(', ');
  const type = [shape.type ?? []].flat().find((name) => name !== 'null') ?? 'any';
  if (type === 'array') return `list${bounds(shape.minItems, shape.maxItems, 'items')} of ${typeOf(document, shape.items ?? {})}`;
  if (type === 'string') return `${shape.format ?? 'string'}${bounds(shape.minLength, shape.maxLength, 'characters')}`;
  if (type === 'integer' || type === 'number') return `${type}${bounds(shape.minimum, shape.maximum)}`;
  if (type === 'object' && typeof shape.additionalProperties === 'object' && !shape.properties) {
    return `object of ${typeOf(document, shape.additionalProperties)}`;
  }
  return type;
}

function bounds(least: number | undefined, most: number | undefined, unit = ''): string {
  const isUnbounded = most === undefined || most >= Number.MAX_SAFE_INTEGER;
  const from = least !== undefined && least > -Number.MAX_SAFE_INTEGER && !(least === 0 && unit !== '') ? least : undefined;
  const range = isUnbounded ? from && `at least ${from}` : from === undefined ? `at most ${most}` : `${from} to ${most}`;
  return range ? ` (${[range, unit].filter(Boolean).join(' ')})` : '';
}
