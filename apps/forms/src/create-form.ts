import { untitled } from '@sheaf/contracts';
import { record } from '@sheaf/events';
import { authorizeIn, newId, Problem, type Client } from '@sheaf/kernel';
import type { Deps } from './deps';
import * as drafts from './drafts.queries';
import { formChanged } from './form-changed';
import * as forms from './forms.queries';
import type { SeenForm } from './load-form';
import type { FormRow } from './rows';

/** A blank form in the caller's active workspace, owned by the caller. */
export async function createForm(deps: Deps, caller: Client, wanted: { title: string; folderId: string | undefined }): Promise<SeenForm> {
  if (wanted.folderId !== undefined) throw Problem.badRequest('folder_id: there is no such folder');
  if (caller.kind === 'service_account') {
    throw Problem.badRequest('folder_id: is required from a service account, which has no active workspace');
  }
  const { workspaceId = '' } = caller;
  authorizeIn(caller.roles[workspaceId], 'create forms in this workspace');

  const now = deps.clock.now();
  const form: FormRow = {
    id: newId(),
    instance_id: caller.instanceId,
    workspace_id: workspaceId,
    creator_kind: caller.kind,
    creator_id: caller.id,
    title: wanted.title === '' ? untitled : wanted.title,
    slug: null,
    status: 'active',
    status_before_trash: null,
    current_version: 0,
    publish_mode: 'draft',
    opens_at: null,
    closes_at: null,
    max_submissions: null,
    closed_message: null,
    timezone: null,
    created_at: now,
    updated_at: now,
  };
  await deps.outbox.transaction(async (trx) => {
    await forms.insertForm(trx, form);
    await drafts.insertDraft(trx, { form_id: form.id, fields: '[]', revision: 0, updated_at: now });
    await record(trx, formChanged(form, [], now));
  });
  return { form: { ...form, granted: null, favorite: false }, role: 'owner' };
}
