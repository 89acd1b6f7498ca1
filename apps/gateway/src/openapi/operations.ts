import type { Route } from '../route';

/** An operation's name in generated clients, which never changes, and what people should know of it beside its summary. */
interface About {
  id: string;
  description: string;
}

/** A name is one of these verbs and a noun. Other words for the same would make clients guess. */
export const verbs = [
  'accept', 'add', 'create', 'delete', 'download', 'duplicate', 'end', 'export', 'get', 'list', 'publish', 'receive', 'redeliver', 'remove', 'restore',
  'revoke', 'rotate', 'save', 'set', 'submit', 'switch', 'trash', 'update', 'upload',
] as const;

const about: Readonly<Record<string, readonly [id: string, description: string]>> = {
  'GET /api/v1/auth/me': ['getCaller', 'Returns the person or the service account behind the credential. A service account has its own id and name, and an e-mail address that does not exist.'],
  'PATCH /api/v1/auth/workspace': ['switchWorkspace', 'Switches the workspace that a session acts in. A key always acts in the default workspace of its owner; it gets the workspace as the answer, and nothing changes.'],
  'GET /api/v1/forms': ['listForms', 'Lists the forms of the active workspace, the most recently updated first. A service account sees every form of the instance.'],
  'POST /api/v1/forms': ['createForm', 'Creates an empty draft. Needs edit access to the workspace. The folder of a person lies in their active workspace. A service account has no active workspace and must name a folder.'],
  'GET /api/v1/forms/:id': ['getForm', 'Returns a form, including one in the trash, with the role of the caller on it.'],
  'PATCH /api/v1/forms/:id': ['updateForm', 'Changes the settings of a form. Absent fields stay as they are, and null clears a field that may be empty. For owners and editors.'],
  'DELETE /api/v1/forms/:id': ['trashForm', 'Moves a form to the trash, where it takes no submissions and cannot be changed. For owners; restoreForm brings it back.'],
  'GET /api/v1/forms/:id/fields': ['listFormFields', 'Lists the fields of the latest published version in a simplified form. Empty for a form that was never published.'],
  'POST /api/v1/forms/:id/duplicate': ['duplicateForm', 'Copies the draft and the settings of a form, but no versions, submissions, grants, slug or favorite. The caller owns the copy, which is in the same workspace if they are a member of it, else in their active one. A viewer gets the published version in place of the draft, and an empty draft if the form was never published.'],
  'POST /api/v1/forms/:id/publish': ['publishForm', 'Makes a new immutable version of the current draft, and returns warnings about changes that affect earlier submissions. For owners and editors.'],
  'GET /api/v1/forms/:id/submissions': ['listSubmissions', 'Lists the submissions of a form, newest first, without those that are trashed or spam.'],
  'GET /api/v1/forms/:id/submissions/:subId': ['getSubmission', 'Returns one submission with its answers, as they were made against its version of the form.'],
  'DELETE /api/v1/forms/:id/submissions/:subId': ['deleteSubmission', 'Moves a submission to the trash and sends `submission.deleted`. For owners and editors of the form.'],
  'PATCH /api/v1/forms/:id/submissions/:subId/status': ['updateSubmissionStatus', 'Changes the status of a submission and sends `submission.status_changed`. Setting the same status again changes nothing. For owners and editors of the form.'],
  'GET /api/v1/folders': ['listFolders', 'Lists the folders of the active workspace by sort order, label and id. Empty for a service account.'],
  'POST /api/v1/folders': ['createFolder', 'Creates a folder. Needs edit access to the workspace. The parent of a person lies in their active workspace. A service account must name a parent.'],
  'PATCH /api/v1/folders/:id': ['updateFolder', 'Changes or moves a folder. Absent fields stay as they are. A parent that would make a cycle is refused. For owners and editors of the folder.'],
  'DELETE /api/v1/folders/:id': ['deleteFolder', 'Deletes a folder. Its forms become unfiled, and its subfolders move to its parent. For owners of the folder.'],
  'GET /api/v1/workspaces': ['listWorkspaces', 'Lists the workspaces that the caller is a member of. Empty for a service account.'],
  'GET /api/v1/workspaces/:id/members': ['listWorkspaceMembers', 'Lists the members of a workspace and their roles. A workspace that does not exist is 403, like one that the caller is not a member of.'],
  'POST /api/v1/hooks/subscribe': ['createHookSubscription', 'Subscribes a URL to one event of a form. Subscribing again returns the existing subscription and reactivates it.'],
  'DELETE /api/v1/hooks/:id': ['deleteHookSubscription', 'Ends a subscription. For the subscriber, and for owners and editors of the form. Webhooks made in the application are refused here.'],

  'POST /app/v1/sessions': ['createSession', 'Signs a person in with e-mail address and password. Repeated failures are slowed down by address and by account.'],
  'GET /app/v1/sessions/current': ['getCurrentSession', 'Returns the person who is signed in, the active workspace, and the end of the session.'],
  'DELETE /app/v1/sessions/current': ['endCurrentSession', 'Ends the session at once, in every process, and clears its cookie.'],
  'POST /app/v1/invitations/:token': ['acceptInvitation', 'Sets the name and the password of an invited person, and signs them in. Each invitation works once, and only while its inviter could give everything that waits for the person.'],
  'GET /app/v1/api-keys': ['listApiKeys', 'Lists the API keys of the caller, without the keys themselves.'],
  'POST /app/v1/api-keys': ['createApiKey', 'Creates an API key that acts as the caller. The key is shown only in this answer.'],
  'DELETE /app/v1/api-keys/:id': ['revokeApiKey', 'Revokes an API key of the caller. It stops working within a second, in every process.'],
  'GET /app/v1/service-accounts': ['listServiceAccounts', 'Lists the service accounts of the instance and their valid keys. For owners and admins of any of its workspaces.'],
  'POST /app/v1/service-accounts': ['createServiceAccount', 'Creates a service account with its first key, which is shown only in this answer. For owners and admins.'],
  'DELETE /app/v1/service-accounts/:id': ['deleteServiceAccount', 'Deletes a service account. Its keys stop working within a second. For owners and admins.'],
  'PATCH /app/v1/service-accounts/:id': ['updateServiceAccount', 'Changes the name or the scopes of a service account. New scopes apply within a second. For owners and admins.'],
  'POST /app/v1/service-accounts/:id/keys': ['createServiceAccountKey', 'Creates another key, so that one can replace the other without downtime. At most two are valid at once.'],
  'DELETE /app/v1/service-accounts/:id/keys/:keyId': ['revokeServiceAccountKey', 'Revokes one key of a service account. It stops working within a second.'],
  'POST /app/v1/workspaces/:id/members': ['addWorkspaceMember', 'Adds a person by e-mail address. A new address gets an invitation. For owners and admins; an admin cannot add an owner.'],
  'DELETE /app/v1/workspaces/:id/members/:userId': ['removeWorkspaceMember', 'Removes a member. Their access through the workspace ends within a second. The last owner cannot be removed.'],
  'PATCH /app/v1/workspaces/:id/members/:userId': ['updateWorkspaceMember', 'Changes the role of a member. For owners and admins. The last owner cannot be demoted.'],
  'GET /app/v1/me': ['getProfile', 'Returns the profile of the person who is signed in.'],
  'PATCH /app/v1/me': ['updateProfile', 'Changes the profile or the password. A new password needs the current one, and ends all other sessions of the person.'],
  'POST /app/v1/workspaces': ['createWorkspace', 'Creates a workspace that the caller owns. For owners and admins of any workspace of the instance.'],
  'PATCH /app/v1/workspaces/:id': ['updateWorkspace', 'Changes the name, the slug or the color of a workspace. A new slug changes its host. For owners and admins.'],
  'GET /app/v1/forms/:id/draft': ['getFormDraft', 'Returns the draft of a form with the revision that saveFormDraft expects.'],
  'PUT /app/v1/forms/:id/draft': ['saveFormDraft', 'Replaces the draft. A stale revision is 409, so that nobody overwrites changes they have not seen. For owners and editors.'],
  'GET /app/v1/forms/:id/versions': ['listFormVersions', 'Lists the published versions of a form, newest first.'],
  'GET /app/v1/forms/:id/versions/:version': ['getFormVersion', 'Returns one published version with its fields.'],
  'POST /app/v1/forms/:id/restore': ['restoreForm', 'Takes a form out of the trash and gives it back the status that it had. For owners.'],
  'GET /app/v1/forms/:id/grants': ['listFormGrants', 'Lists the people who were given a role on this form. For owners and editors.'],
  'PUT /app/v1/forms/:id/grants/:userId': ['setFormGrant', 'Gives a person of the instance a role on this form, or changes it. For owners.'],
  'DELETE /app/v1/forms/:id/grants/:userId': ['revokeFormGrant', 'Revokes the role that a person was given on this form. For owners.'],
  'POST /app/v1/forms/:id/submissions/bulk-status': ['updateSubmissionStatuses', 'Changes the status of up to 500 submissions, all or none, and sends one `submission.status_changed`. For owners and editors of the form.'],
  'GET /app/v1/forms/:id/submissions/:subId/history': ['getSubmissionHistory', 'Lists the status changes of a submission, oldest first, with their actors.'],
  'GET /app/v1/forms/:id/submissions/trash': ['listTrashedSubmissions', 'Lists the deleted submissions of a form, which can be restored.'],
  'POST /app/v1/forms/:id/submissions/:subId/restore': ['restoreSubmission', 'Takes a submission out of the trash. Subscribers are not notified. For owners and editors of the form.'],
  'GET /app/v1/forms/:id/submissions/spam': ['listSpamSubmissions', 'Lists the submissions that were found to be spam, with the reasons.'],
  'PUT /app/v1/forms/:id/submissions/:subId/spam': ['setSubmissionSpam', 'Marks a submission as spam, or releases it. Releasing sends the `submission.created` that was held back. For owners and editors of the form.'],
  'GET /app/v1/forms/:id/submissions/export': ['exportSubmissions', 'Streams all submissions of the list as one file. The audit log records it.'],
  'GET /app/v1/forms/:id/webhooks': ['listFormWebhooks', 'Lists the webhooks of a form, including the subscriptions that platforms made through v1. Viewers get only the origins of URLs, except of their own subscriptions.'],
  'POST /app/v1/forms/:id/webhooks': ['createFormWebhook', 'Creates a webhook for one event of a form. The same event and URL twice is 409. For owners and editors of the form.'],
  'PATCH /app/v1/forms/:id/webhooks/:webhookId': ['updateFormWebhook', 'Changes, deactivates or reactivates a webhook. A subscription of a platform keeps its event and URL. For owners and editors of the form.'],
  'DELETE /app/v1/forms/:id/webhooks/:webhookId': ['deleteFormWebhook', 'Deletes a webhook and cancels its pending deliveries. For owners and editors of the form.'],
  'GET /app/v1/forms/:id/deliveries': ['listDeliveries', 'Lists the deliveries of a form to its subscribers, newest first.'],
  'GET /app/v1/forms/:id/deliveries/:deliveryId': ['getDelivery', 'Returns one delivery with every attempt.'],
  'POST /app/v1/forms/:id/deliveries/:deliveryId/redeliver': ['redeliverDelivery', 'Sends a finished delivery again under the same `webhook-id`, with three more attempts. For owners and editors of the form.'],
  'POST /app/v1/forms/:id/deliveries/redeliver': ['redeliverDeliveries', 'Sends up to 10,000 finished deliveries of at most 31 days again. For owners and editors of the form.'],
  'GET /app/v1/webhook-keys': ['listWebhookKeys', 'Lists the public keys that deliveries of this instance are signed with.'],
  'POST /app/v1/webhook-keys/rotate': ['rotateWebhookKeys', 'Starts signing with a new key. The old one signs as well for a day. For owners and admins of any workspace.'],
  'GET /app/v1/forms/:id/submissions/:subId/payment': ['getSubmissionPayment', 'Returns the payment of a submission and its state.'],
  'GET /app/v1/audit-log': ['listAuditEntries', 'Lists the audit log, newest first: entries of the workspaces that the caller owns or administers, and those of the whole instance.'],

  'GET /public/v1/forms/:form': ['getPublicForm', 'Returns a published form with the fields to fill in, and whether it is open.'],
  'POST /public/v1/forms/:form/submissions': ['submitForm', 'Stores the answers of a respondent. Send an `Idempotency-Key` to repeat the request safely: the same answers under the same key are stored once.'],
  'GET /.well-known/webhook-keys.json': ['getWebhookKeySet', 'Returns the public keys of this instance as a JSON Web Key Set, for receivers that verify signatures of deliveries.'],
  'POST /public/v1/payments/stripe': ['receiveStripeEvent', 'Receives a signed event of Stripe. It completes a pending payment, once.'],
  'POST /public/v1/forms/:form/files': ['uploadFile', 'Stores a file until a submission claims it. Its size and type are checked while it arrives.'],
  'GET /app/v1/forms/:id/files/:fileId': ['downloadFile', 'Returns the content of a file that belongs to a submission, as an attachment. The audit log records it.'],
};

/** @throws Error for a row that the table does not know yet. */
export function aboutOf({ method, path }: Pick<Route, 'method' | 'path'>): About {
  const name = `${method.toUpperCase()} ${path}`;
  const [id, description] = about[name] ?? [];
  if (id === undefined || description === undefined) throw new Error(`apps/gateway/src/openapi/operations.ts says nothing about ${name}`);
  return { id, description };
}
