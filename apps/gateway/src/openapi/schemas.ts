import * as contracts from '@sheaf/contracts';
import { z } from 'zod';

/** A JSON Schema in the dialect of OpenAPI 3.1 (2020-12). */
export type Schema = Record<string, unknown>;

/** Requests are wider than responses: clients may omit properties with defaults, and texts are trimmed on input. */
export type Side = 'input' | 'output';

export const componentUri = (name: string): string => `#/components/schemas/${name}`;

// Shapes of requests end in "Request". Every other shape, such as Field, has one component per side.
const nameOn = (side: Side, name: string): string => (side === 'output' || name.endsWith('Request') ? name : `${name}Input`);

const named = z.registry<{ id: string }>();
const names = new Map<unknown, string>();
for (const [name, shape] of Object.entries(contracts)) {
  if (!(shape instanceof z.ZodType) || names.has(shape)) continue;
  names.set(shape, name);
  named.add(shape, { id: name });
}

/** Every shape that the contracts export, by its export name. `reachable` later drops those without references. */
export function componentsOf(side: Side): Record<string, Schema> {
  const { schemas } = z.toJSONSchema(named, { ...conversion(side), uri: (name) => componentUri(nameOn(side, name)) });
  const sent = Object.entries(schemas).filter(([name]) => side === 'input' || !name.endsWith('Request'));
  return Object.fromEntries(sent.map(([name, schema]) => [nameOn(side, name), withoutIdentity(schema)]));
}

/** The schema of a route's shape: a reference if the contracts export the shape, otherwise the schema itself. */
export function schemaOf(side: Side, shape: z.ZodType): Schema {
  const name = names.get(shape);
  if (name !== undefined) return { $ref: componentUri(nameOn(side, name)) };
  return inlineSchemaOf(side, shape);
}

export const inlineSchemaOf = (side: Side, shape: z.ZodType): Schema => withoutIdentity(z.toJSONSchema(shape, conversion(side)));

/** The components that a document refers to, directly or indirectly. */
export function reachable(from: unknown, all: Record<string, Schema>): Record<string, Schema> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const name = refersTo(node as Schema);
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      visit(all[name]);
    }
    Object.values(node).forEach(visit);
  };
  visit(from);
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => found.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The name of the component that a schema refers to. */
export function refersTo({ $ref }: Schema): string | undefined {
  const prefix = componentUri('');
  return typeof $ref === 'string' && $ref.startsWith(prefix) ? $ref.slice(prefix.length) : undefined;
}

const conversion = (side: Side) =>
  ({
    io: side,
    override: ({ jsonSchema, zodSchema }: { jsonSchema: Schema; zodSchema: z.core.$ZodTypes }) => {
      // v1 may add fields at any time, so clients must not reject unknown ones.
      if (zodSchema._zod.def.type === 'object') delete jsonSchema.additionalProperties;
      // `format` and `integer` already imply these.
      if (['date', 'date-time', 'email'].includes(String(jsonSchema.format))) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.propertyNames;
      // JavaScript escapes slashes in the source of an expression; other languages know no such escape.
      if (typeof jsonSchema.pattern === 'string') jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/');
    },
  }) as const;

function withoutIdentity({ $schema: _schema, $id: _id, ...schema }: Schema): Schema {
  return schema;
}
