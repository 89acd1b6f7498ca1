import { createHash } from 'node:crypto';
import { untitled } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, authorizeIn, newId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as drafts from '../draft/drafts.queries';
import { enterFolder, folderToFileIn } from '../filing/filing';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { loadForm, type SeenForm } from '../form/load-form';
import type { FormRow } from '../rows';

/**
 * Creates a blank form that the caller owns: in their active workspace, or in the given folder and its workspace. A repeated request with the same
 * idempotency key gets the form that the first one created, as it is now.
 */
export async function createForm(
  deps: Deps,
  asked: Asked<Client>,
  wanted: { title: string; folderId: string | undefined; idempotencyKey?: string | undefined },
): Promise<SeenForm> {
  const { caller } = asked;
  const creation = creationOf(caller, wanted);
  // First, because the folder may be gone since then.
  const earlier = creation && (await firstResult(deps, caller, creation));
  if (earlier) return earlier;
  const folder = wanted.folderId === undefined ? undefined : await folderToFileIn(deps, asked, wanted.folderId);
  const workspaceId = folder?.workspaceId ?? activeWorkspace(caller);
  // A service account may edit every folder of its instance, so it may create forms in all of them.
  if (caller.kind === 'user') authorizeIn(caller.roles[workspaceId], 'create forms in this workspace');

  const now = deps.clock.now();
  const title = wanted.title === '' ? untitled : wanted.title;
  const form = { ...blankForm(caller, { workspaceId, title, now }), folder_id: wanted.folderId ?? null };
  const isCreated = await deps.outbox.transaction(async (trx) => {
    if (form.folder_id !== null) await enterFolder(trx, form.folder_id);
    if (!creation) await forms.insertForm(trx, form);
    else if (!(await forms.insertFormOnce(trx, form, creation))) return false;
    await drafts.insertDraft(trx, { form_id: form.id, fields: '[]', payment: null, revision: 0, updated_at: now });
    await record(trx, formChanged(form, [], now), audited(asked, formDeed('form.created', form), now));
    return true;
  });
  const first = isCreated ? undefined : creation && (await firstResult(deps, caller, creation));
  if (first) return first;
  if (!isCreated) throw Problem.unavailable('an idempotency key was taken but is free again');
  return { form: { ...form, granted: null, favorite: false }, role: 'owner' };
}

/** The keys of each caller are apart from those of others. */
function creationOf(
  { instanceId, kind, id }: Client,
  { idempotencyKey, title, folderId }: Parameters<typeof createForm>[2],
): forms.Creation | undefined {
  if (idempotencyKey === undefined) return undefined;
  const hashOf = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest();
  return { key: hashOf(instanceId, kind, id, idempotencyKey), request: hashOf(title, folderId) };
}

/** @throws Problem `bad_request` if the first request with the key asked for something else */
async function firstResult(deps: Deps, caller: Client, { key, request }: forms.Creation): Promise<SeenForm | undefined> {
  const created = await forms.formCreatedWith(deps.db, key);
  if (created && !created.request.equals(request)) throw Problem.badRequest('Idempotency-Key: was already used for another form');
  if (!created) return undefined;
  const { form, role } = await loadForm(deps.db, caller, created.id);
  authorize(role, 'read this form');
  return { form, role };
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
