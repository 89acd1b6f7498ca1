import { boundsAfter } from '@sheaf/contracts';
import type { Route } from '../route';
import { withNamedEnums } from './enums';
import { inlineSchemaOf, type Schema } from './schemas';

export const exampleId = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01';

/** The parameters of an operation: in its path, its query and its headers. */
export const parametersOf = (row: Route): Schema[] => [...pathParameters(row), ...queryParameters(row), ...headerParameters(row)];

function pathParameters({ path, params = {} }: Route): Schema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const { text, sample = exampleId } = params[name] ?? {};
    return { name, in: 'path', required: true, description: text, schema: { type: 'string' }, example: sample };
  });
}

function queryParameters(row: Route): Schema[] {
  const { query } = row;
  if (query === undefined) return [];
  // Every query parameter arrives as text. Its output shape says what the text must parse to.
  const { properties } = withNamedEnums(inlineSchemaOf('output', query)) as { properties?: Record<string, Schema> };
  const given = inlineSchemaOf('input', query) as { required?: string[]; properties?: Record<string, Schema> };
  const required = new Set(given.required ?? []);
  // Its conditions are gathered from several parameters, and what they must parse to is no list of a client.
  if (properties?.filter && given.properties?.filter) properties.filter = given.properties.filter;
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    description: schema['x-text'],
    // Such as `filter[age][gte]=18`. A name and a comparison in brackets are more than `deepObject` defines, but tools send it like that.
    ...(name === 'filter' ? { style: 'deepObject', explode: true } : {}),
    schema: withoutText(schema),
  }));
}

/** The schema of a parameter, whose text is in another place. */
function withoutText(schema: Schema): Schema {
  const { description, ...rest } = schema;
  const bounds = boundsAfter(schema['x-text'], description as string | undefined);
  return bounds === undefined ? rest : { ...rest, description: bounds };
}

function headerParameters(row: Route): Schema[] {
  return Object.entries(row.headers ?? {}).map(([name, shape]) => {
    const schema = inlineSchemaOf('input', shape);
    return {
      name,
      in: 'header',
      required: false,
      description: schema['x-text'],
      schema: withoutText(schema),
    };
  });
}
