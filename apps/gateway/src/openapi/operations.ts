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
  'POST /app/v1/sessions': [
    'createSession',
    'Signs a person in with e-mail address and password, or with a link that the operator has made, which works once. Repeated failures are rate-limited by address and by account.',
  ],
  'GET /app/v1/sessions/current': [
    'getCurrentSession',
    'Returns the signed-in person, the active workspace, the instance, and the time at which the session ends.',
  ],
  'DELETE /app/v1/sessions/current': ['endCurrentSession', 'Ends the session immediately, in every process, and clears its cookie.'],
  'DELETE /app/v1/sessions/:id': ['endSession', "Ends one of the caller's sessions within a second, in every process."],
  'POST /app/v1/invitations/:token': [
    'acceptInvitation',
    'Sets the name and password of an invited person, and signs them in. An invitation works once, and only as long as its sender may assign all roles that the person is about to get.',
  ],
  'GET /app/v1/invitations/:token': [
    'getInvitation',
    'Returns an invitation for the page that accepts it. An invitation that was used or has expired, or whose sender may not assign the roles any more, is 404.',
  ],
  'GET /app/v1/workspaces/:id/invitations': [
    'listInvitations',
    'Lists the invitations to a workspace that nobody has accepted, newest first. For owners and admins.',
  ],
  'POST /app/v1/workspaces/:id/invitations/:invitationId/link': [
    'renewInvitationLink',
    'Makes a new link for an invitation, with the full time to accept it; the earlier link stops working. For owners and admins who may assign all roles that the person is about to get.',
  ],
  'DELETE /app/v1/workspaces/:id/invitations/:invitationId': [
    'revokeInvitation',
    'Takes the invited person out of the workspace. Their link stops working, unless they are invited to another workspace as well. For owners and admins; only an owner revokes the invitation of an owner.',
  ],
  'POST /app/v1/workspaces/:id/members': [
    'addWorkspaceMember',
    'Adds a person by e-mail address. A person without a password receives an invitation. For owners and admins; an admin cannot add an owner.',
  ],
  'GET /app/v1/me/preferences': ['getPreferences', "Returns all of the caller's preferences, which applications use as they like."],
  'PUT /app/v1/me/preferences/:key': [
    'setPreference',
    'Sets one preference of the caller: any JSON of at most 16 KiB under a key of at most 100 characters. A person has at most 200.',
  ],
  'DELETE /app/v1/me/preferences/:key': ['removePreference', 'Removes one preference of the caller.'],
  'POST /app/v1/workspaces': ['createWorkspace', 'Creates a workspace that the caller owns. For owners and admins of the instance.'],
  'PATCH /app/v1/workspaces/:id': [
    'updateWorkspace',
    'Changes the name, slug or color of a workspace. A new slug changes its host name. For owners and admins.',
  ],
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
  'DELETE /app/v1/me': [
    'eraseProfile',
    'Erases the caller for good, after checking their password: their name, email address, password, memberships, sessions, keys, grants and subscriptions. Their id stays, for example in the audit log, which loses their IP addresses. Forms that they created stay with the owners of the workspace. For the last owner of a workspace, this is 409.',
  ],
  'DELETE /app/v1/people/:id': [
    'erasePerson',
    'Erases another person for good, as `eraseProfile` does. For owners and admins of the instance; only an owner of the instance erases another one. For the last owner of a workspace or of the instance, this is 409.',
  ],
  'DELETE /app/v1/workspaces/:id': [
    'eraseWorkspace',
    'Erases a workspace for good, with its folders, memberships, forms and everything that belongs to them. The erasure of the workspace is done once all forms have begun theirs; each is an erasure of its own. The slug stays reserved as after a change, and owners of other workspaces can still read the audit log. The last workspace of an instance, and one with a form under legal hold, are 409. For owners of the workspace.',
  ],
  'GET /app/v1/erasures': [
    'listErasures',
    'Lists erasures, newest first: those in the workspaces that the caller owns or administers; all of the instance for its owners and admins.',
  ],
  'GET /app/v1/erasures/:id': [
    'getErasure',
    'Returns an erasure with the services that have erased their copies. Owners and admins of its workspace see it, and the person who began it.',
  ],
  'GET /app/v1/events': [
    'receiveEvents',
    'Sends changes of the forms that the person has a role on, for screens that show them. An `event: change` says what changed, and never what was answered: its `data` is JSON with `kind` (form, draft, grant, submission, webhook or delivery), `action` (such as created), `form_id` and, for a single submission, `submission_id`. New kinds and actions may be added. At `event: reset`, with which a stream begins, load everything that you show; afterwards, whatever changed. A client that comes back with the id of its last event, in the header `Last-Event-ID` as browsers send it, or as `last_event_id`, continues there, at any copy of the service, without a reset if fewer than several thousand events have passed. An event may arrive twice. A stream ends when the access of the person ends or changes, and after an hour at most; browsers reconnect on their own. A person may have ten streams open.',
  ],
  'GET /app/v1/audit-log': [
    'listAuditEntries',
    'Lists the audit log, newest first: entries of the workspaces that the caller owns or administers; the whole log for owners and admins of the instance.',
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
