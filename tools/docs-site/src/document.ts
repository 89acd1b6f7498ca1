/** The parts of docs/openapi.json that the reference reads. Shapes are JSON Schema, as OpenAPI 3.1 has it. */
export interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Partial<Record<Method, ApiOperation>>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, ApiResponse> };
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: object[];
  'x-scope'?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, ApiResponse | Reference>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface ApiResponse {
  description: string;
  content?: Record<string, Content>;
}

interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** One operation with its address. */
export interface Listed {
  method: Method;
  path: string;
  operation: ApiOperation;
}

export const operationsOf = (document: ApiDocument): Listed[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method, path, operation }] : [];
    }),
  );

/** The part of the document that a reference such as `#/components/schemas/Form` names. */
export function resolved<T extends object>(document: ApiDocument, part: T | Reference): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
  let found: unknown = document;
  for (const name of part.$ref.replace(/^#\//, '').split('/')) found = (found as Record<string, unknown>)[name];
  return resolved(document, found as T | Reference);
}

/** The first example of JSON content, if it has one. */
export function exampleOf(content: Content | undefined): unknown {
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
}
