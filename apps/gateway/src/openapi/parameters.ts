import type { Route } from '../route';
import { parameterDescription } from './components';
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
  version: 'The version number.',
  otherVersion: 'The number of the other version.',
  number: 'The number of the revision. 0 has the answers as they were submitted.',
  userId: "The person's id.",
  noteId: "The note's id.",
  webhookId: 'The id of the webhook or the subscription.',
  fileId: "The file's id, as in the answer to a `file` field.",
  keyId: "The key's id.",
  key: 'The key: 1 to 100 lower-case letters, digits, dots, underscores and hyphens.',
  invitationId: "The invitation's id.",
  token: 'The token: the last path segment of the link.',
};

/** Descriptions of `:id` by the segment before it. */
const idDescriptions: Record<string, string> = {
  forms: "The form's id.",
  folders: "The folder's id.",
  workspaces: "The workspace's id.",
  hooks: "The subscription's id.",
  'api-keys': "The API key's id.",
  'service-accounts': "The service account's id.",
  people: "The person's id.",
  erasures: "The erasure's id.",
  sessions: "The session's id.",
};

function pathParameters({ path }: Route): Schema[] {
  return [...path.matchAll(/\/([a-z-]+)\/:(\w+)/g)].map(([, resource = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'id' ? idDescriptions[resource] : pathParameterDescriptions[name],
    schema: { type: 'string' },
    example: { token: 'Zk1oVnN3', key: 'theme', version: '2', otherVersion: '3', number: '0' }[name] ?? exampleId,
  }));
}

function queryParameters(row: Route): Schema[] {
  const { query } = row;
  if (query === undefined) return [];
  const { id: operation } = operationInfo(row);
  // Every query parameter arrives as text. Its output shape says what the text must parse to.
  const { properties } = withNamedEnums(inlineSchemaOf('output', query)) as { properties?: Record<string, Schema> };
  const required = new Set((inlineSchemaOf('input', query) as { required?: string[] }).required ?? []);
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    description: parameterDescription(name, operation),
    // Such as `filter[age][gte]=18`. A name and a comparison in brackets are more than `deepObject` defines, but tools send it like that.
    ...(name === 'filter' ? { style: 'deepObject', explode: true } : {}),
    schema,
  }));
}

function headerParameters(row: Route): Schema[] {
  return Object.entries(row.headers ?? {}).map(([name, shape]) => ({
    name,
    in: 'header',
    required: false,
    description: parameterDescription(name, operationInfo(row).id),
    schema: inlineSchemaOf('input', shape),
  }));
}
