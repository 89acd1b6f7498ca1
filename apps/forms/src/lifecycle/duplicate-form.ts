import { itemsIn, picturesOf, titleLength, truncate } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, canActOnForm, Problem, type Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as drafts from '../draft/drafts.queries';
import { mayFileIn } from '../filing/filing';
import * as folders from '../filing/folders.queries';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { loadForm, type SeenForm } from '../form/load-form';
import { copyPictures } from '../pictures/pictures.queries';
import * as versions from '../publishing/versions.queries';
import type { DraftRow, FormRow } from '../rows';
import { saveKeeping, shownKeeping } from '../settings/keeping';
import { keepingOf } from '../settings/keeping.queries';
import * as settings from '../settings/settings.queries';
import { copySharedPresets } from '../views/presets';
import { copySharedViews } from '../views/views';
import { blankForm } from './create-form';

/**
 * Creates a form that the caller owns, with the draft and settings of the given form. It is in the same workspace if the caller is a member
 * there, otherwise in their active workspace; and in the same folder if the caller may file forms there. It keeps submissions as long, but is under no legal hold, and has
 * the shared views and export presets if it stays in the workspace. Versions, submissions, grants, the slug and favourites are not copied. Viewers may not read the draft and get the published version instead.
 */
export async function duplicateForm(deps: Deps, asked: Asked<Client>, { id }: { id: string }): Promise<SeenForm> {
  const { caller } = asked;
  const { form, role } = await loadForm(deps.db, caller, id);
  authorize(role, 'duplicate this form');
  const workspaceId = workspaceOfCopy(caller, form);
  const folderId =
    workspaceId === form.workspace_id && form.folder_id !== null && (await mayFileIn(deps, asked, form.folder_id)) ? form.folder_id : null;

  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const content = canActOnForm(role, 'change this form') ? await drafts.draftOf(trx, form.id) : await publishedContent(trx, form);
    const copy: FormRow = {
      ...blankForm(caller, { workspaceId, title: copyTitle(form.title), now }),
      // Checked again, because the folder may have been deleted since.
      folder_id: folderId !== null && (await folders.holdFolder(trx, folderId)) ? folderId : null,
      publish_mode: form.publish_mode,
      opens_at: form.opens_at,
      closes_at: form.closes_at,
      max_submissions: form.max_submissions,
      closed_message: form.closed_message,
      timezone: form.timezone,
    };
    await forms.insertForm(trx, copy);
    // If the draft was ever saved, it counts as saved in the copy.
    await drafts.insertDraft(trx, {
      form_id: copy.id,
      fields: content.fields,
      payment: content.payment,
      revision: Math.min(content.revision, 1),
      updated_at: now,
    });
    const pictures = picturesOf(itemsIn(content.fields));
    if ((await copyPictures(trx, form.id, copy.id, pictures, now)) < pictures.length)
      throw Problem.conflict('Options of the form name pictures that it no longer has. Add these again before you copy the form.');
    await settings.copySettings(trx, form.id, copy.id);
    // Searches may have answers and people of the form, which are nothing for those who read forms elsewhere.
    if (workspaceId === form.workspace_id) {
      const copied = { from: form.id, to: copy.id, by: caller, at: now };
      await copySharedViews(trx, copied);
      await copySharedPresets(trx, copied);
    }
    const keeping = { ...(await keepingOf(trx, form.id)), legal_hold: false };
    const kept = Object.keys(shownKeeping(keeping)).length > 0;
    await record(
      trx,
      formChanged(copy, [], now),
      ...(kept ? [await saveKeeping(trx, copy, keeping, now)] : []),
      audited(asked, formDeed('form.created', copy, { copied_from: form.id }), now),
    );
    return { form: { ...copy, granted: null, favorite: false }, role: 'owner' };
  });
}

/** A service account belongs to no workspace and may edit forms in all of them. */
function workspaceOfCopy(caller: Client, form: FormRow): string {
  if (caller.kind === 'service_account' || caller.roles[form.workspace_id] !== undefined) return form.workspace_id;
  // A session may outlive the membership in its active workspace, and a grant on the form outlives both.
  if (caller.workspaceId === undefined || caller.roles[caller.workspaceId] === undefined)
    throw Problem.forbidden('You are not a member of any workspace that could hold the copy.');
  return caller.workspaceId;
}

/** The published content; empty for a form that was never published. */
async function publishedContent(trx: Transaction, form: FormRow): Promise<Pick<DraftRow, 'fields' | 'payment' | 'revision'>> {
  const version = await versions.version(trx, form.id, form.current_version);
  return version ? { fields: version.fields, payment: version.payment, revision: 1 } : { fields: '[]', payment: null, revision: 0 };
}

/** "Copy of …", cut to the maximum length of a title, but never in the middle of a character. */
export function copyTitle(title: string): string {
  return truncate(`Copy of ${title}`, titleLength.max).trimEnd();
}
