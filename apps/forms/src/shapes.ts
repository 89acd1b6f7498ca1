import { FormImportRequest, languageTag, pictureId, whole } from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';
import { bytes, id } from '@sheaf/rpc';
import { z } from 'zod';

// The shape of each method's request, under the name of the method.

const form = z.object({ id: id() });
const ofForm = z.object({ form_id: id() });

export const getWorkspaceHold = z.object({ workspace_id: id() });
export const importXlsForm = FormImportRequest.omit({ document: true }).extend({ file: bytes() });

export const getFormAccess = ofForm;
/** A page of a list. */
export const listFormAccess = z.object({ form_ids: z.array(id()).max(100, 'must be at most 100 ids') });
export const listOwnedForms = z.object({ after_id: z.uuid('must be an id').optional(), limit: whole(1, 1_000) });
export const getPersonRole = ofForm.extend({ user_id: id() });
export const listFieldKeys = ofForm.extend({ labels: z.boolean(), fields: z.boolean(), language: languageTag().optional() });
/** `form` is the id or the slug of a form. */
export const getPublishedForm = z.object({ form: id(), version: whole(1, 2_147_483_647).optional() });

/** Only services send these ids, so a malformed one is a bug. */
const serviceId = () => id().refine(isId, 'must be an id');
export const listFormPlaces = z.object({ form_ids: z.array(serviceId()) });
export const getVersionFields = z.object({
  instance_id: serviceId(),
  form_id: serviceId(),
  version: whole(1, 2_147_483_647).optional(),
});

/** `patch` is JSON, which the use case parses and checks. */
export const updateFormSettings = form.extend({ patch: bytes() });
/** `form` is the id or the slug of a form. */
export const getLogo = z.object({ form: id() });
export const getPublishedPicture = z.object({ form: id(), picture: pictureId() });
