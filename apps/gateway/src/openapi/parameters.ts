import type { Route } from '../route';
import { boundsOf, parameterDescription } from './components';
import { operationInfo } from './operations';
import { withNamedEnums } from './enums';
import { inlineSchemaOf, type Schema } from './schemas';

export const exampleId = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01';

/** The parameters of an operation: in its path, its query and its headers. */
export const parametersOf = (row: Route): Schema[] => [...pathParameters(row), ...queryParameters(row), ...headerParameters(row)];

const pathParameterDescriptions: Record<string, string> = {
  form: "The form's id or slug.",
  subId: "The submission's id.",
  deliveryId: "The delivery's id.",
  userId: "The person's id.",
  webhookId: 'The id of the webhook or the subscription.',
  key: 'The key: 1 to 100 lower-case letters, digits, dots, underscores and hyphens.',
  invitationId: "The invitation's id.",
  token: 'The token: the last path segment of the link.',
};

/** Descriptions of `:id` by the segment before it. */
const idDescriptions: Record<string, string> = {
  forms: "The form's id.",
  workspaces: "The workspace's id.",
  hooks: "The subscription's id.",
  people: "The person's id.",
  erasures: "The erasure's id.",
  sessions: "The session's id.",
};

function pathParameters({ path, params = {} }: Route): Schema[] {
  return [...path.matchAll(/\/([a-z-]+)\/:(\w+)/g)].map(([, resource = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: params[name]?.text ?? (name === 'id' ? idDescriptions[resource] : pathParameterDescriptions[name]),
    schema: { type: 'string' },
    example: params[name]?.sample ?? { token: 'Zk1oVnN3', key: 'theme' }[name] ?? exampleId,
  }));
}

function queryParameters(row: Route): Schema[] {
  const { query } = row;
  if (query === undefined) return [];
  const { id: operation } = operationInfo(row);
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
    description: parameterDescription(name, operation, schema),
    // Such as `filter[age][gte]=18`. A name and a comparison in brackets are more than `deepObject` defines, but tools send it like that.
    ...(name === 'filter' ? { style: 'deepObject', explode: true } : {}),
    schema: withoutText(schema),
  }));
}

/** The schema of a parameter, whose text is in another place. */
function withoutText(schema: Schema): Schema {
  const { description: _, ...rest } = schema;
  const bounds = boundsOf(schema);
  return bounds === undefined ? rest : { ...rest, description: bounds };
}

function headerParameters(row: Route): Schema[] {
  return Object.entries(row.headers ?? {}).map(([name, shape]) => {
    const schema = inlineSchemaOf('input', shape);
    return {
      name,
      in: 'header',
      required: false,
      description: parameterDescription(name, operationInfo(row).id, schema),
      schema: withoutText(schema),
    };
  });
}
