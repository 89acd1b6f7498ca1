import { untitled } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorizeIn, newId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as drafts from '../draft/drafts.queries';
import { enterFolder, folderToFileIn } from '../filing/filing';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import type { SeenForm } from '../form/load-form';
import type { FormRow } from '../rows';

/** Creates a blank form that the caller owns: in their active workspace, or in the given folder and its workspace. */
export async function createForm(
  deps: Deps,
  asked: Asked<Client>,
  wanted: { title: string; folderId: string | undefined },
): Promise<SeenForm> {
  const { caller } = asked;
  const folder = wanted.folderId === undefined ? undefined : await folderToFileIn(deps, asked, wanted.folderId);
  const workspaceId = folder?.workspaceId ?? activeWorkspace(caller);
  // A service account may edit every folder of its instance, so it may create forms in all of them.
  if (caller.kind === 'user') authorizeIn(caller.roles[workspaceId], 'create forms in this workspace');

  const now = deps.clock.now();
  const title = wanted.title === '' ? untitled : wanted.title;
  const form = { ...blankForm(caller, { workspaceId, title, now }), folder_id: wanted.folderId ?? null };
  await deps.outbox.transaction(async (trx) => {
    if (form.folder_id !== null) await enterFolder(trx, form.folder_id);
    await forms.insertForm(trx, form);
    await drafts.insertDraft(trx, { form_id: form.id, fields: '[]', payment: null, revision: 0, updated_at: now });
    await record(trx, formChanged(form, [], now), audited(asked, formDeed('form.created', form), now));
  });
  return { form: { ...form, granted: null, favorite: false }, role: 'owner' };
}

export const blankForm = (creator: Client, { workspaceId, title, now }: { workspaceId: string; title: string; now: Date }): FormRow => ({
  id: newId(),
  instance_id: creator.instanceId,
  workspace_id: workspaceId,
  folder_id: null,
  creator_kind: creator.kind,
  creator_id: creator.id,
  title,
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
});

function activeWorkspace(caller: Client): string {
  if (caller.kind === 'service_account') {
    throw Problem.badRequest('folder_id: is required for service accounts, which have no active workspace');
  }
  return caller.workspaceId ?? '';
}
