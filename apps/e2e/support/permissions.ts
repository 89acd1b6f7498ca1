import { randomInt, randomUUID } from 'node:crypto';
import { eventually } from '@sheaf/testing';
import * as given from './given';
import { acceptedInvitation, asOwner, asOwnerSignedIn, asServiceAccount, credentials, instanceAdmin, signIn } from './people';
import { uploadedFile } from './uploads';

// A table of all operations with their permissions, taken from the contract (sections 4 and 5, and its decisions) and from the list of the
// application's operations, not from the code.

export const scopes = ['forms:read', 'forms:write', 'submissions:read', 'submissions:write', 'workspaces:manage', 'hooks:manage'] as const;
export type Scope = (typeof scopes)[number];
export const isScope = (needs: string): needs is Scope => (scopes as readonly string[]).includes(needs);

/** Items that the requests of all operations use. */
export interface Shared {
  form: string;
  submission: string;
  delivery: string;
  /** The URL of a subscriber that answers 200. */
  subscriberUrl: string;
}

/** The status for each role on the form, held through its workspace; the outsider is an editor of another workspace. */
type ByRole = readonly [owner: number, editor: number, viewer: number, outsider: number];

export interface Request {
  /** Values for the path parameters. */
  values?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Of a body that is no JSON. */
  headers?: Record<string, string>;
}

export interface Row {
  /** The scope that a service account needs; or `person`, `session` (a person with a session) or `anyone` (no credential). */
  needs: Scope | 'person' | 'session' | 'anyone';
  /** The scope that a service account needs besides, because the request of this table touches answers. */
  besides?: Scope;
  /** Absent if the operation concerns only the caller. */
  byRole?: ByRole;
  /** Prepares the request, once for each role. */
  request?: (shared: Shared) => Request | Promise<Request>;
  /** The reason why a change is not in the audit log, or `reading` for a read operation that is logged. */
  audit?: `none: ${string}` | 'reading';
}

const everybody = (status: number): ByRole => [status, status, status, status];
const anyRole = (status: number): ByRole => [status, status, status, 403];
const ownerOrEditor = (status: number): ByRole => [status, status, 403, 403];
const ownerOnly = (status: number): ByRole => [status, 403, 403, 403];
/** Requires edit access to the caller's workspace. */
const editAccess = (status: number): ByRole => [status, status, 403, status];

const fileToImport = (shared: Shared): Request => ({
  ...sharedForm(shared),
  body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\nAda\n\r\n--x--\r\n',
  headers: { 'content-type': 'multipart/form-data; boundary=x', 'idempotency-key': randomUUID() },
});
const newForm = async () => ({ values: { id: await given.publishedForm() } });
const newSubmission = async (shared: Shared) => ({ values: { id: shared.form, subId: await given.submission(shared.form) } });
const trashedSubmission = async (shared: Shared) => {
  const submission = await newSubmission(shared);
  await asOwner.delete(`/api/v1/forms/${submission.values.id}/submissions/${submission.values.subId}`);
  return submission;
};
const correctedSubmission = async (shared: Shared) => {
  const { values } = await newSubmission(shared);
  await asOwner.patch(`/app/v1/forms/${values.id}/submissions/${values.subId}`, { data: { name: 'Grace' }, revision: 0 });
  return { values: { ...values, number: '0' } };
};
const submissionWithNote = async (shared: Shared) => {
  const { values } = await newSubmission(shared);
  const { body } = await asOwner.post(`/app/v1/forms/${values.id}/submissions/${values.subId}/notes`, { text: 'Called her.' });
  return { values: { ...values, noteId: (body as { id: string }).id } };
};
const newFolder = async () => ({ values: { id: (await given.folder()).id } });
/** Subscribed to an event that is never sent. */
const quietWebhook = ({ subscriberUrl }: Shared) => ({ event: 'submission.updated', target_url: `${subscriberUrl}/${randomUUID()}` });
const newWebhook = async (shared: Shared) => {
  const { body } = await asOwner.post(`/app/v1/forms/${shared.form}/webhooks`, quietWebhook(shared));
  return { values: { id: shared.form, webhookId: (body as { id: string }).id } };
};
const newWorkspaceWebhook = async (shared: Shared) => {
  const { values } = workspace();
  const { body } = await asOwner.post(`/app/v1/workspaces/${values.id}/webhooks`, quietWebhook(shared));
  return { values: { ...values, webhookId: (body as { id: string }).id } };
};
const newInstanceWebhook = async (shared: Shared) => {
  const { body } = await asOwner.post('/app/v1/webhooks', quietWebhook(shared));
  return { values: { webhookId: (body as { id: string }).id } };
};
const newView = async (shared: Shared) => {
  const body = { name: randomUUID(), shared: true, search: {} };
  const { body: view } = await asOwner.post(`/app/v1/forms/${shared.form}/views`, body);
  return { values: { id: shared.form, viewId: (view as { id: string }).id } };
};
const newPreset = async () => {
  const { values } = await newForm();
  const body = { name: 'For the accounts', shared: true, file: { format: 'csv' } };
  const { body: preset } = await asOwner.post(`/app/v1/forms/${values.id}/export-presets`, body);
  return { values: { ...values, presetId: (preset as { id: string }).id } };
};
const picture = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const publishedPicture = async () => {
  const { values } = await newForm();
  const { body: added } = await asOwner.post(`/app/v1/forms/${values.id}/pictures`, { picture });
  const { id: pictureId } = added as { id: string };
  const options = [{ value: 'red', label: 'Red', image: { picture: pictureId } }];
  await given.publishAgain(values.id, { fields: [{ key: 'cup', label: 'Which cup?', type: 'select', options }] });
  return { values: { ...values, pictureId } };
};
const newBulkChange = async () => ({ ...(await newForm()), body: { action: 'assign' } });
const startedBulkChange = async () => {
  const { values, body: wanted } = await newBulkChange();
  const { body } = await asOwner.post(`/app/v1/forms/${values.id}/bulk-changes`, wanted);
  return { values: { ...values, changeId: (body as { id: string }).id } };
};
const endedBulkChange = async () => {
  const { values } = await startedBulkChange();
  await asOwner.post(`/app/v1/forms/${values.id}/bulk-changes/${values.changeId}/end`);
  return { values };
};
const draftOf = async (id: string) => ((await asOwner.get(`/app/v1/forms/${id}/draft`)).body as { revision: number }).revision;
const workspace = () => ({ values: { id: credentials.workspace_id } });
const sharedForm = (shared: Shared) => ({
  values: { id: shared.form, subId: shared.submission, deliveryId: shared.delivery, form: shared.form, version: '1', otherVersion: '1' },
});
/** A pending delivery cannot be redelivered. */
const settledDelivery = (shared: Shared) =>
  eventually(async () => {
    const { body } = await asOwner.get(`/app/v1/forms/${shared.form}/deliveries/${shared.delivery}`);
    expect(body).toMatchObject({ state: 'succeeded' });
    return sharedForm(shared);
  });

const newMember = async () => {
  const { body } = await (
    await asOwnerSignedIn()
  ).post(`/app/v1/workspaces/${credentials.workspace_id}/members`, { email: newAddress(), role: 'viewer' });
  return { values: { id: credentials.workspace_id, userId: (body as { user_id: string }).user_id } };
};
const newInvitation = async () => {
  const { values } = await newMember();
  const { email } = (
    (await asOwner.get(`/api/v1/workspaces/${values.id}/members`)).body as { data: { user_id: string; email: string }[] }
  ).data.find(({ user_id }) => user_id === values.userId) ?? { email: '' };
  const { body } = await asOwner.get(`/app/v1/workspaces/${values.id}/invitations`);
  const invitation = (body as { data: { id: string; email: string }[] }).data.find((pending) => pending.email === email);
  return { values: { id: values.id, invitationId: invitation?.id ?? '' } };
};
const newErasableWorkspace = async () => {
  const { body } = await asOwner.post('/app/v1/workspaces', { name: 'Field work' });
  return { values: { id: (body as { id: string }).id }, query: { forever: 'true' } };
};
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
export const newAddress = () => `stranger-${randomUUID()}@example.org`;

export const permissions: Record<string, Row> = {
  'GET /api/v1/auth/me': { needs: 'forms:read', byRole: everybody(200) },
  'PATCH /api/v1/auth/workspace': {
    needs: 'workspaces:manage',
    byRole: anyRole(200),
    request: () => ({ body: { workspace_id: credentials.workspace_id } }),
    audit: 'none: the active workspace is only a view',
  },

  'GET /api/v1/forms': { needs: 'forms:read', byRole: everybody(200) },
  'POST /api/v1/forms': { needs: 'forms:write', byRole: editAccess(201), request: () => ({ body: { title: 'Another' } }) },
  'GET /api/v1/forms/{id}': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'PATCH /api/v1/forms/{id}': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: (shared) => ({ ...sharedForm(shared), body: { title: 'Renamed' } }),
  },
  'DELETE /api/v1/forms/{id}': { needs: 'forms:write', byRole: ownerOnly(204), request: newForm },
  'GET /api/v1/forms/{id}/fields': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'POST /api/v1/forms/{id}/duplicate': { needs: 'forms:write', byRole: anyRole(201), request: sharedForm },
  'POST /api/v1/forms/{id}/publish': { needs: 'forms:write', byRole: ownerOrEditor(200), request: newForm },

  'GET /api/v1/forms/{id}/submissions': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /api/v1/forms/{id}/submissions/{subId}': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'DELETE /api/v1/forms/{id}/submissions/{subId}': { needs: 'submissions:write', byRole: ownerOrEditor(204), request: newSubmission },
  'PATCH /api/v1/forms/{id}/submissions/{subId}/status': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: (shared) => ({ ...sharedForm(shared), body: { status: 'approved' } }),
  },

  'GET /api/v1/folders': { needs: 'forms:read', byRole: everybody(200) },
  'POST /api/v1/folders': { needs: 'forms:write', byRole: editAccess(201), request: () => ({ body: { label: 'Inspections' } }) },
  'PATCH /api/v1/folders/{id}': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: async () => ({ ...(await newFolder()), body: { label: 'Visits' } }),
  },
  'DELETE /api/v1/folders/{id}': { needs: 'forms:write', byRole: ownerOnly(204), request: newFolder },

  'GET /api/v1/workspaces': { needs: 'workspaces:manage', byRole: everybody(200) },
  'GET /api/v1/workspaces/{id}/members': { needs: 'workspaces:manage', byRole: anyRole(200), request: workspace },

  'POST /api/v1/hooks/subscribe': {
    needs: 'hooks:manage',
    byRole: anyRole(201),
    request: ({ form, subscriberUrl }) => ({
      body: { form_id: form, target_url: `${subscriberUrl}/quiet`, event: 'submission.updated', source: 'zapier' },
    }),
  },
  // The subscription of another person; subscribers can always delete their own.
  'DELETE /api/v1/hooks/{id}': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(204),
    request: async ({ form, subscriberUrl }) => ({
      values: { id: await given.subscription(form, `${subscriberUrl}/removed`, 'submission.updated') },
    }),
  },

  'POST /app/v1/sessions': { needs: 'anyone' },
  'GET /app/v1/sessions/current': { needs: 'session', byRole: everybody(200) },
  'DELETE /app/v1/sessions/current': { needs: 'session' },
  'GET /app/v1/sessions': { needs: 'session', byRole: everybody(200) },
  'DELETE /app/v1/sessions': { needs: 'session' },
  // The owner's session, which does not exist for others.
  'DELETE /app/v1/sessions/{id}': {
    needs: 'session',
    byRole: [204, 404, 404, 404],
    request: async () => {
      const another = await signIn(credentials.user.email, credentials.user.password);
      const { body } = await another.get('/app/v1/sessions?limit=100');
      return { values: { id: (body as { data: { id: string; current: boolean }[] }).data.find(({ current }) => current)?.id ?? '' } };
    },
  },
  'POST /app/v1/invitations/{token}': { needs: 'anyone' },
  'GET /app/v1/invitations/{token}': { needs: 'anyone' },
  'GET /app/v1/workspaces/{id}/invitations': { needs: 'person', byRole: ownerOnly(200), request: workspace },
  'POST /app/v1/workspaces/{id}/invitations/{invitationId}/link': { needs: 'session', byRole: ownerOnly(201), request: newInvitation },
  'DELETE /app/v1/workspaces/{id}/invitations/{invitationId}': { needs: 'session', byRole: ownerOnly(204), request: newInvitation },
  'GET /app/v1/api-keys': { needs: 'person', byRole: everybody(200) },
  'POST /app/v1/api-keys': { needs: 'session', byRole: everybody(201), request: () => ({ body: { name: 'Mine' } }) },
  // The owner's key, which does not exist for others.
  'DELETE /app/v1/api-keys/{id}': {
    needs: 'session',
    byRole: [204, 404, 404, 404],
    request: async () => {
      const { body } = await (await asOwnerSignedIn()).post('/app/v1/api-keys', { name: 'Short-lived' });
      return { values: { id: (body as { id: string }).id } };
    },
  },
  'GET /app/v1/service-accounts': { needs: 'person', byRole: ownerOnly(200) },
  'POST /app/v1/service-accounts': { needs: 'session', byRole: ownerOnly(201), request: () => ({ body: { name: 'Robot', scopes: [] } }) },
  'DELETE /app/v1/service-accounts/{id}': {
    needs: 'session',
    byRole: ownerOnly(204),
    request: async () => ({ values: { id: (await asServiceAccount()).id } }),
  },
  'PATCH /app/v1/service-accounts/{id}': {
    needs: 'session',
    byRole: ownerOnly(200),
    request: async () => ({ values: { id: (await asServiceAccount()).id }, body: { name: 'Importer' } }),
  },
  'POST /app/v1/service-accounts/{id}/keys': {
    needs: 'session',
    byRole: ownerOnly(201),
    request: async () => ({ values: { id: (await asServiceAccount()).id }, body: {} }),
  },
  'DELETE /app/v1/service-accounts/{id}/keys/{keyId}': {
    needs: 'session',
    byRole: ownerOnly(204),
    request: async () => {
      const { body } = await (await asOwnerSignedIn()).post('/app/v1/service-accounts', { name: 'Robot', scopes: [] });
      const { id, keys } = body as { id: string; keys: { id: string }[] };
      return { values: { id, keyId: keys[0]?.id ?? '' } };
    },
  },
  'GET /app/v1/me': { needs: 'session', byRole: everybody(200) },
  'PATCH /app/v1/me': { needs: 'session', byRole: everybody(200), request: () => ({ body: { avatar_url: null } }) },
  'GET /app/v1/me/preferences': { needs: 'person', byRole: everybody(200) },
  'PUT /app/v1/me/preferences/{key}': {
    needs: 'person',
    byRole: everybody(200),
    request: () => ({ values: { key: 'theme' }, body: { value: 'dark' } }),
    audit: 'none: preferences are only a view',
  },
  'DELETE /app/v1/me/preferences/{key}': {
    needs: 'person',
    byRole: everybody(404),
    request: () => ({ values: { key: 'unset' } }),
    audit: 'none: preferences are only a view',
  },
  // The outsider is an editor in their own workspace.
  'POST /app/v1/workspaces': { needs: 'person', byRole: ownerOnly(201), request: () => ({ body: { name: 'Field work' } }) },
  'PATCH /app/v1/workspaces/{id}': {
    needs: 'person',
    byRole: ownerOnly(200),
    request: () => ({ ...workspace(), body: { color: '#336699' } }),
  },
  'POST /app/v1/workspaces/{id}/members': {
    needs: 'session',
    byRole: ownerOnly(201),
    request: () => ({ ...workspace(), body: { email: newAddress(), role: 'viewer' } }),
  },
  'PATCH /app/v1/workspaces/{id}/members/{userId}': {
    needs: 'session',
    byRole: ownerOnly(200),
    request: async () => ({ ...(await newMember()), body: { role: 'editor' } }),
  },
  'DELETE /app/v1/workspaces/{id}/members/{userId}': { needs: 'session', byRole: ownerOnly(204), request: newMember },
  'GET /app/v1/subjects': { needs: 'person', byRole: everybody(200), request: () => ({ query: { value: 'nobody@example.org' } }) },
  'POST /app/v1/subjects/erase': {
    needs: 'person',
    byRole: everybody(202),
    request: () => ({ body: { value: 'nobody@example.org' } }),
    audit: 'none: it erases nothing here, and each erased submission has its own entry',
  },
  'GET /app/v1/instance/retention': { needs: 'person', byRole: everybody(200) },
  'PATCH /app/v1/instance/retention': {
    needs: 'person',
    byRole: ownerOnly(200),
    // A request that changes nothing is not in the audit log.
    request: () => ({ body: { trash_days: 30_000 + randomInt(6_000) } }),
  },
  'GET /app/v1/instance/members': { needs: 'session', byRole: ownerOnly(200) },
  'POST /app/v1/instance/members': {
    needs: 'session',
    byRole: ownerOnly(200),
    request: async () => ({ body: { email: (await acceptedInvitation('viewer')).email, role: 'admin' } }),
  },
  'PUT /app/v1/instance/members/{userId}': {
    needs: 'session',
    byRole: ownerOnly(200),
    request: async () => ({ values: { userId: (await acceptedInvitation('viewer')).userId }, body: { role: 'admin' } }),
  },
  'DELETE /app/v1/instance/members/{userId}': {
    needs: 'session',
    byRole: ownerOnly(204),
    request: async () => ({ values: { userId: (await instanceAdmin()).userId } }),
  },
  'GET /app/v1/erasures': { needs: 'person', byRole: ownerOnly(200) },
  'GET /app/v1/erasures/{id}': {
    needs: 'person',
    byRole: [200, 404, 404, 404],
    request: async (shared) => {
      const { values } = await trashedSubmission(shared);
      const { body } = await asOwner.delete(`/app/v1/forms/${values.id}/submissions/${values.subId}?forever=true`);
      const { erasure_id: id } = body as { erasure_id: string };
      await eventually(async () => expect(await asOwner.get(`/app/v1/erasures/${id}`)).toMatchObject({ status: 200 }));
      return { values: { id } };
    },
  },
  'DELETE /app/v1/people/{id}': {
    needs: 'person',
    byRole: ownerOnly(202),
    request: async () => {
      const { values } = await newMember();
      return { values: { id: values.userId }, query: { forever: 'true' } };
    },
  },
  'DELETE /app/v1/workspaces/{id}': {
    needs: 'person',
    byRole: ownerOnly(202),
    request: newErasableWorkspace,
  },
  // A wrong password, because later requests need the callers.
  'DELETE /app/v1/me': {
    needs: 'session',
    byRole: everybody(400),
    request: () => ({ query: { forever: 'true' }, body: { password: 'not the password' } }),
    audit: 'none: the password is wrong; erase-person.test.ts of workspaces shows the entry',
  },
  'DELETE /app/v1/forms/{id}': {
    needs: 'forms:write',
    byRole: ownerOnly(202),
    request: async () => {
      const { values } = await newForm();
      await asOwner.delete(`/api/v1/forms/${values.id}`);
      return { values, query: { forever: 'true' } };
    },
  },
  'DELETE /app/v1/forms/{id}/submissions/{subId}': {
    needs: 'submissions:write',
    byRole: ownerOnly(202),
    request: async (shared) => ({ ...(await trashedSubmission(shared)), query: { forever: 'true' } }),
  },
  'POST /app/v1/forms/{id}/submissions/bulk-erase': {
    needs: 'submissions:write',
    byRole: ownerOnly(202),
    request: async (shared) => {
      const { values } = await trashedSubmission(shared);
      return { values, body: { submission_ids: [values.subId] } };
    },
  },
  'GET /app/v1/events': { needs: 'person' },
  'GET /app/v1/audit-log': { needs: 'person', byRole: ownerOnly(200) },
  'GET /app/v1/submissions': {
    needs: 'submissions:read',
    byRole: everybody(200),
    request: () => ({ query: { reference: 'V5Q2-N0D0-6H' } }),
  },
  'GET /app/v1/forms/{id}/views': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/views/counts': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/views': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(201),
    request: (shared) => ({ ...sharedForm(shared), body: { name: randomUUID(), shared: true, search: { status: ['new'] } } }),
  },
  'PATCH /app/v1/forms/{id}/views/{viewId}': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...(await newView(shared)), body: { pinned: false } }),
  },
  'DELETE /app/v1/forms/{id}/views/{viewId}': { needs: 'submissions:write', byRole: ownerOrEditor(204), request: newView },
  'GET /app/v1/forms/{id}/export-presets': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/export-presets': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(201),
    request: async () => ({ ...(await newForm()), body: { name: 'For the accounts', shared: true, file: { format: 'csv' } } }),
  },
  'PATCH /app/v1/forms/{id}/export-presets/{presetId}': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: async () => ({ ...(await newPreset()), body: { name: 'Monthly' } }),
  },
  'DELETE /app/v1/forms/{id}/export-presets/{presetId}': { needs: 'submissions:write', byRole: ownerOrEditor(204), request: newPreset },
  'GET /app/v1/forms/{id}': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'PATCH /app/v1/forms/{id}': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: (shared) => ({ ...sharedForm(shared), body: { description: 'About your visit' } }),
  },
  'GET /app/v1/forms': { needs: 'forms:read', byRole: everybody(200) },
  ...Object.fromEntries(
    ['PUT', 'DELETE'].map((method): [string, Row] => [
      `${method} /app/v1/forms/{id}/favorite`,
      {
        needs: 'forms:write',
        byRole: anyRole(204),
        request: sharedForm,
        audit: 'none: a favorite belongs to the caller and changes no form',
      },
    ]),
  ),
  // To a workspace of the owner, of which nobody else is a member.
  'PUT /app/v1/forms/{id}/workspace': {
    needs: 'session',
    byRole: ownerOnly(200),
    request: async () => ({ ...(await newForm()), body: { workspace_id: await given.workspace() } }),
  },
  'GET /app/v1/forms/{id}/document': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/xlsform': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/import': {
    needs: 'forms:write',
    byRole: ownerOrEditor(201),
    request: () => ({
      body: {
        document: { sheaf: 'form', version: 1, title: 'Imported', fields: [], settings: {} },
        workspace_id: credentials.workspace_id,
      },
    }),
  },
  'GET /app/v1/forms/{id}/draft': { needs: 'forms:read', byRole: ownerOrEditor(200), request: sharedForm },
  'POST /app/v1/forms/{id}/pictures': {
    needs: 'forms:write',
    byRole: ownerOrEditor(201),
    request: async () => ({ ...(await newForm()), body: { picture } }),
    audit: 'none: nobody sees it before a draft has it, whose saving is logged',
  },
  'GET /app/v1/forms/{id}/pictures/{pictureId}': { needs: 'forms:read', byRole: anyRole(200), request: publishedPicture },
  'PUT /app/v1/forms/{id}/draft': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...sharedForm(shared), body: { fields: [], revision: await draftOf(shared.form) } }),
  },
  'POST /app/v1/forms/{id}/draft/try': {
    needs: 'forms:read',
    byRole: ownerOrEditor(200),
    request: (shared) => ({ ...sharedForm(shared), body: { data: {} } }),
    audit: 'none: a check changes nothing',
  },
  'POST /app/v1/forms/{id}/draft/restore': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...sharedForm(shared), body: { version: 1, revision: await draftOf(shared.form) } }),
  },
  'POST /app/v1/forms/{id}/draft/publish': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...sharedForm(shared), body: { revision: await draftOf(shared.form) } }),
  },
  'POST /app/v1/forms/{id}/draft/discard': {
    needs: 'forms:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...sharedForm(shared), body: { revision: await draftOf(shared.form) } }),
  },
  'POST /app/v1/forms/{id}/publish-check': {
    needs: 'forms:read',
    byRole: ownerOrEditor(200),
    request: sharedForm,
    audit: 'none: a check changes nothing',
  },
  'GET /app/v1/forms/{id}/versions/{version}/diff/{otherVersion}': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/versions': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/versions/{version}': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/restore': {
    needs: 'forms:write',
    byRole: ownerOnly(200),
    request: async () => {
      const form = await newForm();
      await asOwner.delete(`/api/v1/forms/${form.values.id}`);
      return form;
    },
  },
  'GET /app/v1/forms/{id}/grants': { needs: 'forms:read', byRole: ownerOrEditor(200), request: sharedForm },
  'POST /app/v1/forms/{id}/grants': {
    needs: 'forms:write',
    byRole: ownerOnly(200),
    request: async () => ({ ...(await newForm()), body: { email: credentials.user.email, role: 'viewer' } }),
  },
  'PUT /app/v1/forms/{id}/grants/{userId}': {
    needs: 'forms:write',
    byRole: ownerOnly(200),
    request: async () => ({ values: { ...(await newForm()).values, userId: credentials.user.id }, body: { role: 'viewer' } }),
  },
  'DELETE /app/v1/forms/{id}/grants/{userId}': {
    needs: 'forms:write',
    byRole: ownerOnly(204),
    request: async () => {
      const { id } = (await newForm()).values;
      await asOwner.put(`/app/v1/forms/${id}/grants/${credentials.user.id}`, { role: 'viewer' });
      return { values: { id, userId: credentials.user.id } };
    },
  },
  'GET /app/v1/forms/{id}/submissions/{subId}/notes': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/submissions/{subId}/notes': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(201),
    request: async (shared) => ({ ...(await newSubmission(shared)), body: { text: 'Called her.' } }),
  },
  // The note is the owner's, so an editor may neither change nor delete it.
  'PATCH /app/v1/forms/{id}/submissions/{subId}/notes/{noteId}': {
    needs: 'submissions:write',
    byRole: ownerOnly(200),
    request: async (shared) => ({ ...(await submissionWithNote(shared)), body: { text: 'Called her back.' } }),
  },
  'DELETE /app/v1/forms/{id}/submissions/{subId}/notes/{noteId}': {
    needs: 'submissions:write',
    byRole: ownerOnly(204),
    request: submissionWithNote,
  },
  'PUT /app/v1/forms/{id}/submissions/{subId}/assignee': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...(await newSubmission(shared)), body: { user_id: credentials.user.id } }),
  },
  'GET /app/v1/forms/{id}/webhooks': { needs: 'hooks:manage', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/webhooks': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(201),
    request: (shared) => ({ ...sharedForm(shared), body: quietWebhook(shared) }),
  },
  'PATCH /app/v1/forms/{id}/webhooks/{webhookId}': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...(await newWebhook(shared)), body: { active: false } }),
  },
  'DELETE /app/v1/forms/{id}/webhooks/{webhookId}': { needs: 'hooks:manage', byRole: ownerOrEditor(204), request: newWebhook },
  'GET /app/v1/forms/{id}/webhooks/{webhookId}': { needs: 'hooks:manage', byRole: anyRole(200), request: newWebhook },
  'POST /app/v1/forms/{id}/webhooks/{webhookId}/test': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...(await newWebhook(shared)), body: {} }),
    audit: 'none: a sample changes nothing',
  },
  'GET /app/v1/workspaces/{id}/webhooks': { needs: 'person', byRole: [200, 403, 403, 404], request: workspace },
  'POST /app/v1/workspaces/{id}/webhooks': {
    needs: 'person',
    byRole: [201, 403, 403, 404],
    request: (shared) => ({ ...workspace(), body: quietWebhook(shared) }),
  },
  'GET /app/v1/workspaces/{id}/webhooks/{webhookId}': { needs: 'person', byRole: [200, 403, 403, 404], request: newWorkspaceWebhook },
  'PATCH /app/v1/workspaces/{id}/webhooks/{webhookId}': {
    needs: 'person',
    byRole: [200, 403, 403, 404],
    request: async (shared) => ({ ...(await newWorkspaceWebhook(shared)), body: { active: false } }),
  },
  'DELETE /app/v1/workspaces/{id}/webhooks/{webhookId}': {
    needs: 'person',
    byRole: [204, 403, 403, 404],
    request: newWorkspaceWebhook,
  },
  'POST /app/v1/workspaces/{id}/webhooks/{webhookId}/test': {
    needs: 'person',
    byRole: [200, 403, 403, 404],
    request: async (shared) => ({ ...(await newWorkspaceWebhook(shared)), body: { form_id: shared.form } }),
    audit: 'none: a sample changes nothing',
  },
  'GET /app/v1/webhooks': { needs: 'hooks:manage', byRole: ownerOnly(200) },
  'POST /app/v1/webhooks': { needs: 'hooks:manage', byRole: ownerOnly(201), request: (shared) => ({ body: quietWebhook(shared) }) },
  'GET /app/v1/webhooks/{webhookId}': { needs: 'hooks:manage', byRole: ownerOnly(200), request: newInstanceWebhook },
  'PATCH /app/v1/webhooks/{webhookId}': {
    needs: 'hooks:manage',
    byRole: ownerOnly(200),
    request: async (shared) => ({ ...(await newInstanceWebhook(shared)), body: { active: false } }),
  },
  'DELETE /app/v1/webhooks/{webhookId}': { needs: 'hooks:manage', byRole: ownerOnly(204), request: newInstanceWebhook },
  'POST /app/v1/webhooks/{webhookId}/test': {
    needs: 'hooks:manage',
    byRole: ownerOnly(200),
    request: async (shared) => ({ ...(await newInstanceWebhook(shared)), body: { form_id: shared.form } }),
    audit: 'none: a sample changes nothing',
  },
  'GET /app/v1/hooks': { needs: 'hooks:manage', byRole: everybody(200) },
  'GET /public/v1/files/{token}': { needs: 'anyone', request: () => ({ values: { token: 'x' } }) },
  'POST /app/v1/forms/{id}/submissions/bulk-status': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: (shared) => ({ ...sharedForm(shared), body: { submission_ids: [shared.submission], status: 'in_review' } }),
  },
  'POST /app/v1/forms/{id}/submissions/bulk-trash': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => {
      const { values } = await newSubmission(shared);
      return { values, body: { submission_ids: [values.subId] } };
    },
  },
  'POST /app/v1/forms/{id}/submissions/bulk-restore': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => {
      const { values } = await trashedSubmission(shared);
      return { values, body: { submission_ids: [values.subId] } };
    },
  },
  'POST /app/v1/forms/{id}/submissions/bulk-spam': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => {
      const { values } = await newSubmission(shared);
      return { values, body: { submission_ids: [values.subId], spam: true } };
    },
  },
  'POST /app/v1/forms/{id}/bulk-changes': { needs: 'submissions:write', byRole: ownerOrEditor(202), request: newBulkChange },
  'GET /app/v1/forms/{id}/bulk-changes': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/bulk-changes/{changeId}': { needs: 'submissions:read', byRole: anyRole(200), request: startedBulkChange },
  'POST /app/v1/forms/{id}/bulk-changes/{changeId}/end': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: startedBulkChange,
    audit: 'none: it may be over by then; background-changes.test.ts of submissions shows the entry',
  },
  'POST /app/v1/forms/{id}/bulk-changes/{changeId}/undo': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(202),
    request: endedBulkChange,
  },
  'GET /app/v1/forms/{id}/submissions': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/retention': { needs: 'forms:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/insights': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/submissions': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(201),
    request: (shared) => ({ ...sharedForm(shared), body: { data: { name: 'Ada' } } }),
  },
  'GET /app/v1/forms/{id}/submissions/{subId}': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'PATCH /app/v1/forms/{id}/submissions/{subId}': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...(await newSubmission(shared)), body: { data: { name: 'Grace' }, revision: 0 } }),
  },
  'GET /app/v1/forms/{id}/submissions/{subId}/revisions': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/submissions/{subId}/revisions/{number}': {
    needs: 'submissions:read',
    byRole: anyRole(200),
    request: correctedSubmission,
  },
  'GET /app/v1/forms/{id}/submissions/{subId}/activity': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/submissions/{subId}/history': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/submissions/changes': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/submissions/trash': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/submissions/{subId}/restore': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: trashedSubmission,
  },
  'GET /app/v1/forms/{id}/submissions/spam': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  'PUT /app/v1/forms/{id}/submissions/{subId}/spam': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: async (shared) => ({ ...(await newSubmission(shared)), body: { spam: true } }),
  },
  'GET /app/v1/forms/{id}/submissions/export': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm, audit: 'reading' },
  'POST /app/v1/forms/{id}/exports': { needs: 'submissions:read', byRole: anyRole(202), request: sharedForm },
  'POST /app/v1/forms/{id}/imports/preview': {
    needs: 'submissions:write',
    byRole: ownerOrEditor(200),
    request: fileToImport,
    audit: 'none: nothing is stored',
  },
  'POST /app/v1/forms/{id}/imports': { needs: 'submissions:write', byRole: ownerOrEditor(201), request: fileToImport },
  'GET /app/v1/forms/{id}/exports': { needs: 'submissions:read', byRole: anyRole(200), request: sharedForm },
  // Those of others are unknown, and the caller has none here: api/export.test.ts has one.
  'GET /app/v1/forms/{id}/exports/{exportId}': { needs: 'submissions:read', byRole: [404, 404, 404, 403], request: sharedForm },
  'DELETE /app/v1/forms/{id}/exports/{exportId}': {
    needs: 'submissions:read',
    byRole: [404, 404, 404, 403],
    request: sharedForm,
    audit: 'none: the caller has no export here; api/export.test.ts shows the entry',
  },
  'GET /app/v1/forms/{id}/exports/{exportId}/file': { needs: 'submissions:read', byRole: [404, 404, 404, 403], request: sharedForm },
  'GET /app/v1/forms/{id}/files/{fileId}': {
    needs: 'submissions:read',
    byRole: anyRole(200),
    request: async () => {
      const id = await given.publishedForm({ fields: [{ key: 'cv', label: 'Your CV', type: 'file' }] });
      const fileId = await uploadedFile(id, 'cv');
      await given.submission(id, { cv: fileId });
      return { values: { id, fileId } };
    },
    audit: 'reading',
  },
  'GET /app/v1/workspaces/{id}/webhooks/{webhookId}/deliveries': {
    needs: 'person',
    byRole: [200, 403, 403, 404],
    request: newWorkspaceWebhook,
  },
  'GET /app/v1/webhooks/{webhookId}/deliveries': { needs: 'hooks:manage', byRole: ownerOnly(200), request: newInstanceWebhook },
  'POST /app/v1/forms/{id}/webhook-listeners/{listenerId}': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(200),
    // Of an event without answers.
    request: (shared) => ({
      values: { ...sharedForm(shared).values, listenerId: randomUUID() },
      body: { events: ['submission.status_changed'] },
    }),
  },
  'DELETE /app/v1/forms/{id}/webhook-listeners/{listenerId}': {
    needs: 'hooks:manage',
    byRole: ownerOrEditor(204),
    request: (shared) => ({ values: { ...sharedForm(shared).values, listenerId: randomUUID() } }),
    audit: 'none: a listener takes nothing of the form with it',
  },
  'GET /app/v1/forms/{id}/delivery-attempts': { needs: 'hooks:manage', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/forms/{id}/deliveries': { needs: 'hooks:manage', byRole: anyRole(200), request: sharedForm },
  'POST /app/v1/forms/{id}/deliveries/{deliveryId}/redeliver': {
    needs: 'hooks:manage',
    besides: 'submissions:read',
    byRole: ownerOrEditor(202),
    request: settledDelivery,
  },
  'POST /app/v1/forms/{id}/deliveries/redeliver': {
    needs: 'hooks:manage',
    besides: 'submissions:read',
    byRole: ownerOrEditor(202),
    request: async (shared) => ({ ...(await settledDelivery(shared)), body: { from: minutesFromNow(-10), to: minutesFromNow(10) } }),
  },
  'GET /app/v1/forms/{id}/deliveries/{deliveryId}': { needs: 'hooks:manage', byRole: anyRole(200), request: sharedForm },
  'GET /app/v1/webhook-keys': { needs: 'person', byRole: everybody(200) },
  'POST /app/v1/webhook-keys/rotate': {
    needs: 'session',
    byRole: ownerOnly(200),
    audit: 'none: a second request during a rotation changes nothing',
  },
  // There is no payment, because payments are not configured in this system.
  'GET /app/v1/forms/{id}/submissions/{subId}/payment': { needs: 'submissions:read', byRole: anyRole(404), request: sharedForm },

  'GET /.well-known/webhook-keys.json': { needs: 'anyone' },
  'GET /public/v1/forms/{form}': { needs: 'anyone' },
  'POST /public/v1/forms/{form}/submissions': { needs: 'anyone', audit: 'none: respondents are anonymous' },
  'POST /public/v1/payments/stripe': { needs: 'anyone', audit: 'none: the payment of the submission records it' },
  'POST /public/v1/forms/{form}/files': { needs: 'anyone', audit: 'none: respondents are anonymous' },
};
