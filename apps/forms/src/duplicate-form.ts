import { titleLength } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { blankForm } from './create-form';
import type { Deps } from './deps';
import * as drafts from './drafts.queries';
import { mayFileIn } from './filing';
import * as folders from './folders.queries';
import { formChanged, formDeed } from './form-changed';
import * as forms from './forms.queries';
import { loadForm, type SeenForm } from './load-form';
import type { FormRow } from './rows';

/**
 * A new form of the caller's beside the given one, with its draft and its settings, and in its folder where the caller may put forms
 * there. Versions, submissions, grants, the slug and favourites stay with the given one.
 */
export async function duplicateForm(deps: Deps, asked: Asked<Client>, { id }: { id: string }): Promise<SeenForm> {
  const { caller } = asked;
  const { form, role } = await loadForm(deps.db, caller, id);
  authorize(role, 'duplicate this form');
  const folderId = form.folder_id !== null && (await mayFileIn(deps, asked, form.folder_id)) ? form.folder_id : null;

  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const draft = await drafts.draftOf(trx, form.id);
    const copy: FormRow = {
      ...blankForm(caller, { workspaceId: form.workspace_id, title: copyOf(form.title), now }),
      // It may have been deleted since.
      folder_id: folderId !== null && (await folders.holdFolder(trx, folderId)) ? folderId : null,
      publish_mode: form.publish_mode,
      opens_at: form.opens_at,
      closes_at: form.closes_at,
      max_submissions: form.max_submissions,
      closed_message: form.closed_message,
      timezone: form.timezone,
    };
    await forms.insertForm(trx, copy);
    // A draft that somebody saved counts as saved in the copy, too.
    await drafts.insertDraft(trx, { form_id: copy.id, fields: draft.fields, payment: draft.payment, revision: Math.min(draft.revision, 1), updated_at: now });
    await record(trx, formChanged(copy, [], now), audited(asked, formDeed('form.created', copy, { copied_from: form.id }), now));
    return { form: { ...copy, granted: null, favorite: false }, role: 'owner' };
  });
}

/** "Copy of …", cut to what a title may have, and not in the middle of a character. */
export function copyOf(title: string): string {
  const cut = `Copy of ${title}`.slice(0, titleLength.max);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd();
}
