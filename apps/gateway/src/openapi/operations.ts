import type { Route } from '../route';

/** The name of an operation in generated clients, which never changes, and its description, which complements the summary. */
interface OperationInfo {
  id: string;
  description: string;
}

/** A name is one of these verbs followed by a noun. Synonyms would make client authors guess. */
export const verbs = [
  'test',
  'accept',
  'add',
  'assign',
  'check',
  'compare',
  'correct',
  'create',
  'delete',
  'discard',
  'download',
  'duplicate',
  'end',
  'erase',
  'export',
  'get',
  'import',
  'list',
  'move',
  'publish',
  'receive',
  'renew',
  'redeliver',
  'remove',
  'restore',
  'revoke',
  'search',
  'rotate',
  'save',
  'set',
  'submit',
  'switch',
  'trash',
  'try',
  'update',
  'upload',
] as const;

const operations: Readonly<Record<string, readonly [id: string, description: string]>> = {};

/** @throws Error if the table has no entry for the route. */
export function operationInfo({ method, path, ...row }: Pick<Route, 'method' | 'path' | 'id' | 'description'>): OperationInfo {
  if (row.id !== undefined && row.description !== undefined) return { id: row.id, description: row.description };
  const name = `${method.toUpperCase()} ${path}`;
  const [id, description] = operations[name] ?? [];
  if (id === undefined || description === undefined) throw new Error(`apps/gateway/src/openapi/operations.ts has no entry for ${name}`);
  return { id, description };
}
