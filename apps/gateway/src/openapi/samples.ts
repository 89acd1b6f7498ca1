import { refersTo, type Schema } from './schemas';

/** A realistic value that the schema allows. */
export function sampleOf(schema: Schema, components: Readonly<Record<string, Schema>>): unknown {
  if ('x-sample' in schema) return schema['x-sample'];
  const name = refersTo(schema);
  if (name !== undefined) return sampleOf(components[name] ?? {}, components);
  const among = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (among) return sampleOf(among[0] ?? {}, components);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] as unknown;
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
      const shown = properties.filter(([, { 'x-left-out': isLeftOut }]) => isLeftOut !== true);
      return Object.fromEntries(shown.map(([key, value]) => [key, sampleOf(value, components)]));
    }
    case 'array':
      return [sampleOf(schema.items as Schema, components)];
    case 'integer':
    case 'number':
      return schema.default ?? schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return 'text';
  }
}
