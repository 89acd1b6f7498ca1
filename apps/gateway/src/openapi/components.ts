import { boundsAfter } from '@sheaf/contracts';
import { schemaDescriptions } from './described-schemas';
import { propertyDescriptions } from './described-properties';
import { enumComponents, withNamedEnums } from './enums';
import { fieldComponents } from './fields';
import { componentsOf, type Schema, type Side } from './schemas';

/** All schemas of the document by name, with descriptions, named enums and one component for each kind of field. */
export function allComponents(): Record<string, Schema> {
  return { ...enumComponents, ...side('input'), ...side('output') };
}

function side(which: Side): Record<string, Schema> {
  const described = Object.fromEntries(
    Object.entries(componentsOf(which)).map(([name, schema]) => [name, describedComponent(name, schema)]),
  );
  const suffix = which === 'input' ? 'Input' : '';
  const { [`Field${suffix}`]: field, [`FormItem${suffix}`]: item, ...others } = described;
  const fields = field && item ? fieldComponents(field, item, suffix) : {};
  return withNamedEnums({ ...others, ...fields }) as Record<string, Schema>;
}

function describedComponent(name: string, schema: Schema): Schema {
  // Both sides of a shape share one description.
  const base = name.replace(/Input$/, '');
  const description = schemaDescriptions[base];
  return { ...(description === undefined ? {} : { description }), ...(withDescriptions(schema, base) as Schema) };
}

/** The schema with a description for each property at any depth. The shape's own description follows the one from the table. */
export function withDescriptions(node: unknown, component?: string): unknown {
  if (Array.isArray(node)) return node.map((one) => withDescriptions(one, component));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]: [string, unknown]) => {
      if (key !== 'properties') return [key, withDescriptions(value, component)];
      const properties = Object.entries(value as Record<string, Schema>);
      return [
        key,
        Object.fromEntries(
          properties.map(([name, schema]) => [name, describedProperty(name, withDescriptions(schema, component) as Schema, component)]),
        ),
      ];
    }),
  );
}

function describedProperty(name: string, schema: Schema, component = ''): Schema {
  const known = propertyDescriptions[`${component}.${name}`] ?? (schema['x-text'] as string | undefined) ?? propertyDescriptions[name];
  const { description: _, ...rest } = schema;
  const texts = [known, boundsOf(schema)].filter((text) => text !== undefined);
  return texts.length === 0 ? schema : { ...rest, description: [...new Set(texts)].join(' ') };
}

/** What a schema says of its own bounds. */
export const boundsOf = ({ description, 'x-text': text }: Schema): string | undefined =>
  boundsAfter(text, description as string | undefined);

/** @param operation the name of the operation: `<operation>.<parameter>` comes before the plain name */
export const parameterDescription = (name: string, operation: string, { 'x-text': text }: Schema = {}): string | undefined =>
  propertyDescriptions[`${operation}.${name}`] ?? (text as string | undefined) ?? propertyDescriptions[name];
