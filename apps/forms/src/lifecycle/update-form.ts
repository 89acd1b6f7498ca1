import type { FormUpdateRequest } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, isId, Problem, type Client } from '@sheaf/kernel';
import { whenViolated } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import type { Deps } from '../deps';
import { enterFolder, folderInWorkspace, notInWorkspace } from '../filing/filing';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { loadForm, lockForm, refuseTrashed, type SeenForm } from '../form/load-form';
import { exchangeSlug } from '../form/slug-quarantine';
import { publicationOf, publishPending } from '../publishing/publish-form';
import { isTimeZone, openingTimes } from './opening-times';

/** Absent fields stay unchanged; null clears a field. */
export type FormPatch = z.output<typeof FormUpdateRequest>;

/** Changes a form's settings and folder, and whether it is a favourite of the caller. */
export async function updateForm(deps: Deps, asked: Asked<Client>, { id, patch }: { id: string; patch: FormPatch }): Promise<SeenForm> {
  const { caller } = asked;
  refuseInvalid(patch);
  const workspaceId = typeof patch.folder_id === 'string' ? await workspaceWithFolder(deps, asked, id, patch.folder_id) : undefined;

  return deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, caller, id);
    authorize(role, 'change this form');
    refuseTrashed(form);
    const { favorite = form.favorite, opens_at, closes_at, ...plain } = patch;
    // It may have moved since the folder was checked.
    if (workspaceId !== undefined && form.workspace_id !== workspaceId) throw notInWorkspace();
    if (typeof plain.folder_id === 'string') await enterFolder(trx, plain.folder_id);
    const times = openingTimes(form, { opens_at, closes_at, timezone: plain.timezone });

    const now = deps.clock.now();
    if (favorite !== form.favorite) await forms.setFavorite(trx, { form_id: form.id, principal_id: caller.id }, favorite, now);
    // A favourite belongs to the caller and does not change the form.
    if (Object.keys(patch).every((name) => name === 'favorite')) return { form: { ...form, favorite }, role };

    const { current_version } = plain.publish_mode === 'auto' ? await publishPending(trx, { form, by: caller, now }) : form;
    const changes = { ...plain, ...times, current_version, updated_at: now };
    await forms.updateForm(trx, form.id, changes).catch(whenViolated({ form_slug_key: () => Problem.badRequest('slug: is taken') }));
    const after = { ...form, ...changes, favorite };
    await exchangeSlug(trx, form, after.slug, now, deps.settings);
    await record(
      trx,
      formChanged(form, [form.slug, after.slug], now),
      audited(asked, formDeed('form.updated', form, { changed: Object.keys(patch).filter((name) => name !== 'favorite') }), now),
      ...publicationOf(asked, form, { version: current_version, at: now }),
    );
    return { form: after, role };
  });
}

/** Refuses values that have a valid shape but are invalid for every form. */
function refuseInvalid({ slug, timezone }: FormPatch): void {
  if (typeof timezone === 'string' && !isTimeZone(timezone))
    throw Problem.badRequest('timezone: must be an IANA time zone, such as Europe/Berlin');
  // A form is found by its id or its slug, so a slug must not look like an id.
  if (typeof slug === 'string' && isId(slug)) throw Problem.badRequest('slug: must not look like an id');
}

/**
 * Checks the folder before the transaction opens, because no row may stay locked during a call to another service.
 * @returns the workspace of the form and the folder
 */
async function workspaceWithFolder(deps: Deps, asked: Asked<Client>, id: string, folderId: string): Promise<string> {
  const { form, role } = await loadForm(deps.db, asked.caller, id);
  authorize(role, 'change this form');
  await folderInWorkspace(deps, asked, folderId, form.workspace_id);
  return form.workspace_id;
}
