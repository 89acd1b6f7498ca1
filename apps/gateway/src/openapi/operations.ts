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

const operations: Readonly<Record<string, readonly [id: string, description: string]>> = {
  'GET /app/v1/forms': [
    'searchForms',
    'Finds the forms on which the caller has a role: those of the active workspace unless `workspace_id` or `shared` says otherwise; for service accounts, those of the whole instance. A page may have fewer forms than `limit`, or none, and a `next_cursor` all the same: a request reads only so many forms, and the next one continues.',
  ],
  'GET /app/v1/forms/:id': [
    'getFormSettings',
    'Returns a form with the settings that v1 does not have, above all those of the hosted form, its place, its unpublished changes and the number of its submissions.',
  ],
  'PATCH /app/v1/forms/:id': [
    'updateFormSettings',
    'Changes settings of a form, with immediate effect. Absent settings stay unchanged, a given setting is replaced as a whole, and null clears it. For owners and editors.',
  ],
  'PUT /app/v1/forms/:id/favorite': [
    'addFavorite',
    "Adds a form to the caller's favorites. They belong to the caller alone and do not change the form. For every role.",
  ],
  'DELETE /app/v1/forms/:id/favorite': ['removeFavorite', "Removes a form from the caller's favorites. For every role."],
  'GET /app/v1/forms/:id/document': [
    'getFormDocument',
    'Returns a form as one document without ids, people and secrets, which importForm turns into a new form. It has the draft; for viewers, the published version.',
  ],
  'POST /app/v1/forms/import': [
    'importForm',
    "Creates a form from a document, or from an XLSForm (xlsform.org) as an XLSX file, whose place is in the query. Parts of an XLSForm that forms do not have are named in `warnings`. The form is active, unpublished and owned by the caller. Requires edit access to the workspace. A service account has no workspace of its own and must name a folder. The limit on a body's size applies.",
  ],

  'GET /public/v1/forms/:form': ['getPublicForm', 'Returns a published form with the fields to fill in, and whether it is open.'],
};

/** @throws Error if the table has no entry for the route. */
export function operationInfo({ method, path, ...row }: Pick<Route, 'method' | 'path' | 'id' | 'description'>): OperationInfo {
  if (row.id !== undefined && row.description !== undefined) return { id: row.id, description: row.description };
  const name = `${method.toUpperCase()} ${path}`;
  const [id, description] = operations[name] ?? [];
  if (id === undefined || description === undefined) throw new Error(`apps/gateway/src/openapi/operations.ts has no entry for ${name}`);
  return { id, description };
}
