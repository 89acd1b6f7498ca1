import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '@sheaf/testing';

/** The parts of JSON Schema that the tests read. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Operation {
  /** For example `GET /api/v1/forms/{id}`. */
  name: string;
  method: string;
  /** For example `/api/v1/forms/{id}`. */
  path: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[];
  /** The schema of a JSON body. */
  body: Schema | undefined;
  /** Whether the body is a file. */
  takesFile: boolean;
  /** Whether the response goes on until one side closes the connection. */
  isEndless: boolean;
}

interface OpenApi {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: Operation['parameters'];
        requestBody?: { content: Partial<Record<string, { schema: Schema }>> };
        responses: Record<string, { content?: object }>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

/** The committed document, because jest needs the names of the tests before it can query the system. */
const committed = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as OpenApi;

export const operations: readonly Operation[] = Object.entries(committed.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters,
    body: requestBody?.content['application/json']?.schema,
    isEndless: 'text/event-stream' in (responses['200']?.content ?? {}),
    takesFile: requestBody !== undefined && !('application/json' in requestBody.content),
  })),
);

/** Resolves a reference to the components. */
export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (committed.components.schemas[name] ?? {});
}

/** The references to all components that the schema, or one of them, is made of. */
export function componentsOf(schema: Schema): string[] {
  const found = new Set<string>();
  const collect = (part: Schema): void => {
    if (part.$ref !== undefined && !found.has(part.$ref)) {
      found.add(part.$ref);
      collect(resolved(part));
    }
    const parts = [
      ...(part.anyOf ?? []),
      ...(part.oneOf ?? []),
      ...Object.values(part.properties ?? {}),
      ...(part.items ? [part.items] : []),
    ];
    parts.forEach(collect);
  };
  collect(schema);
  return [...found];
}

export const expectServedDocument = async (anyone: Person): Promise<void> => {
  expect((await anyone.offTheMap.get('/api/v1/openapi.json')).body).toEqual(committed);
};

/** The path with these parameter values, and an unknown id for each missing one. */
export const pathOf = (
  { path }: Pick<Operation, 'path'>,
  values: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
): string => {
  const search = new URLSearchParams(query).toString();
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? unknownId) + (search === '' ? '' : `?${search}`);
};

/** A well-formed id that does not exist. */
export const unknownId = '00000000-0000-7000-8000-000000000000';
