import * as api from '@sheaf/contracts';
import { Problem, type Service } from '@sheaf/kernel';
import { answer, answerAs, clientsWith, open, type Doors, type FormsDefinition } from '@sheaf/rpc';
import { checkPublication } from './publishing/check-publication';
import { createForm } from './lifecycle/create-form';
import type { Deps } from './deps';
import { duplicateForm } from './lifecycle/duplicate-form';
import { discardDraft, getDraft, putDraft, restoreDraft } from './draft/drafts';
import { findForms, type SeenListedForm } from './list/find-forms';
import { getWorkspaceHold } from './erasing/erase-workspace';
import { eraseForm } from './erasing/erase-form';
import { getVersionFields, placesOf } from './publishing/for-delivery';
import { getFormAccess, listFormAccess, listOwnedForms } from './access/form-access';
import { getFormSettings, updateFormSettings, type SeenSettings } from './settings/form-settings';
import { getFormDocument, getFormXlsForm } from './lifecycle/form-document';
import { getForm } from './form/get-form';
import { importForm, importXlsForm } from './lifecycle/import-form';
import { getPersonRole } from './access/person-role';
import { addGrant, listGrants, putGrant, removeGrant, type SeenGrant } from './access/grants';
import { listFieldKeys } from './publishing/list-field-keys';
import { listFields } from './publishing/list-fields';
import { listForms } from './list/list-forms';
import type { SeenForm } from './form/load-form';
import { moveForm } from './filing/move-form';
import { readPayment } from './content/payment';
import { publishForm, type Publication } from './publishing/publish-form';
import { addPicture, getPicture } from './pictures/pictures';
import { getLogo, getPublishedForm, getPublishedPicture } from './publishing/published-form';
import { restoreForm } from './lifecycle/restore-form';
import type { DraftRow, FormSummaryRow } from './rows';
import { setFavorite } from './list/set-favorite';
import * as shapes from './shapes';
import { trashForm } from './lifecycle/trash-form';
import { updateForm } from './lifecycle/update-form';
import { diffVersions, getVersion, listVersions, type ListedVersion } from './publishing/versions';
import { createPreset, deletePreset, listPresets, updatePreset, type SeenPreset } from './views/presets';
import { createView, deleteView, listViews, updateView } from './views/views';
import type { ViewRow } from './views/views.queries';

const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * The service's doors: the callers that each method admits, the shape of its request, and the translation between messages and use cases.
 */
export const doors = (deps: Deps): Doors<FormsDefinition> => ({
  listForms: answer(api.listForms, async (request, { caller }) => {
    const { forms, total } = await listForms(deps, caller, request);
    return { data: forms.map(summary), total };
  }),
  findForms: answerAs(
    api.searchForms,
    async ({ workspace_id: workspaceId, folder_id: folderId, status, q, cursor, ...request }, { caller }) => {
      const { forms, nextCursor, total, isExact } = await findForms(deps, caller, { ...request, workspaceId, folderId, status, q, cursor });
      return {
        forms: forms.map(foundForm),
        ...(isExact ? { total } : { total_at_least: total }),
        next_cursor: nextCursor,
      };
    },
  ),
  createForm: answer(api.createForm, async ({ title = '', folder_id: folderId, idempotency_key: idempotencyKey }, asked) =>
    form(await createForm(deps, asked, { title, folderId, idempotencyKey })),
  ),
  getForm: answer(api.getForm, async ({ id }, { caller }) => form(await getForm(deps, caller, { id }))),
  updateForm: answer(api.updateForm, async (request, asked) => form(await updateForm(deps, asked, request))),
  setFavorite: answer(api.addFavorite, (request, { caller }) => setFavorite(deps, caller, request)),
  moveForm: answer(api.moveForm, async ({ id, workspace_id: workspaceId }, asked) =>
    form(await moveForm(deps, asked, { id, workspaceId })),
  ),
  trashForm: answer(api.trashForm, (request, asked) => trashForm(deps, asked, request)),
  restoreForm: answer(api.restoreForm, async ({ id }, asked) => form(await restoreForm(deps, asked, { id }))),
  getWorkspaceHold: open(['user'], shapes.getWorkspaceHold, async ({ workspace_id }, { caller }) => ({
    form_id: await getWorkspaceHold(deps, caller, { workspaceId: workspace_id }),
  })),
  eraseForm: answer(api.eraseForm, async ({ id }, asked) => ({ erasure_id: await eraseForm(deps, asked, { id }) })),
  duplicateForm: answer(api.duplicateForm, async ({ id }, asked) => form(await duplicateForm(deps, asked, { id }))),
  getFormDocument: answerAs(api.getFormDocument, async ({ id }, { caller }) => ({
    document: Buffer.from(JSON.stringify(await getFormDocument(deps, caller, { id }))),
  })),
  getFormXlsForm: answerAs(api.getFormXlsForm, ({ id }, { caller }) => getFormXlsForm(deps, caller, { id })),
  importForm: answerAs(api.importForm, async ({ document, workspace_id: workspaceId, folder_id: folderId }, asked) =>
    summary(await importForm(deps, asked, { document, workspaceId, folderId })),
  ),
  importXlsForm: open(
    clientsWith('forms:write'),
    shapes.importXlsForm,
    async ({ file, workspace_id: workspaceId, folder_id: folderId }, asked) => {
      const { form: row, warnings } = await importXlsForm(deps, asked, { file, workspaceId, folderId });
      return { form: summary(row), warnings };
    },
  ),
  publishForm: answer(api.publishForm, async ({ id }, asked) => publication(await publishForm(deps, asked, { id }))),
  listFields: answer(api.listFormFields, async ({ id }, { caller }) => {
    const { formId, fields } = await listFields(deps, caller, { id });
    return { form_id: formId, fields };
  }),

  getDraft: answer(api.getFormDraft, async ({ id }, { caller }) => draft(await getDraft(deps, caller, { id }))),
  putDraft: answer(api.saveFormDraft, async (request, asked) => draft(await putDraft(deps, asked, request))),
  checkPublication: answerAs(api.checkFormPublication, async ({ id }, { caller }) => {
    const { changes, warnings, affectedKeys, affectedOptions } = await checkPublication(deps, caller, { id });
    return {
      changes: Buffer.from(JSON.stringify(changes)),
      warnings: warnings.map(({ message }) => message),
      warning_details: Buffer.from(JSON.stringify(warnings)),
      affected_keys: affectedKeys,
      affected_options: affectedOptions,
    };
  }),
  restoreDraft: answer(api.restoreFormDraft, async (request, asked) => draft(await restoreDraft(deps, asked, request))),
  publishDraft: answer(api.publishFormDraft, async (request, asked) => publication(await publishForm(deps, asked, request))),
  discardDraft: answer(api.discardFormDraft, async (request, asked) => draft(await discardDraft(deps, asked, request))),

  listVersions: answer(api.listFormVersions, async ({ form_id, limit, offset }, { caller }) => {
    const { rows, total } = await listVersions(deps, caller, { id: form_id, limit, offset });
    return { data: rows.map(version), total };
  }),
  getVersion: answer(api.getFormVersion, async ({ form_id, version: number }, { caller }) => {
    const row = await getVersion(deps, caller, { id: form_id, version: number });
    return { ...version(row), fields: stored(row.fields) as api.FormItem[], payment: readPayment(row.payment) };
  }),
  diffVersions: answerAs(api.compareFormVersions, async ({ form_id, version: number, other_version: other }, { caller }) => {
    const { changes, ...numbers } = await diffVersions(deps, caller, { id: form_id, version: number, other });
    return { ...numbers, changes: Buffer.from(JSON.stringify(changes)) };
  }),

  listGrants: answer(api.listFormGrants, async ({ form_id }, asked) => ({
    data: (await listGrants(deps, asked, { id: form_id })).map(grant),
  })),
  putGrant: answer(api.setFormGrant, async ({ form_id, user_id, role }, asked) =>
    grant(await putGrant(deps, asked, { id: form_id, userId: user_id, role })),
  ),
  addGrant: answer(api.addFormGrant, async ({ form_id, email, role }, asked) =>
    grant(await addGrant(deps, asked, { id: form_id, email, role })),
  ),
  removeGrant: answer(api.revokeFormGrant, ({ form_id, user_id }, asked) => removeGrant(deps, asked, { id: form_id, userId: user_id })),

  listViews: answer(api.listSubmissionViews, async ({ form_id: formId }, { caller }) => ({
    data: (await listViews(deps, caller, { formId })).map(view),
  })),
  createView: answer(api.createSubmissionView, async ({ form_id: formId, ...wanted }, asked) =>
    view(await createView(deps, asked, { formId, ...wanted })),
  ),
  updateView: answer(api.updateSubmissionView, async ({ form_id: formId, id, patch }, asked) =>
    view(await updateView(deps, asked, { formId, id, patch })),
  ),
  deleteView: answer(api.deleteSubmissionView, ({ form_id: formId, id }, asked) => deleteView(deps, asked, { formId, id })),

  listExportPresets: answer(api.listExportPresets, async ({ form_id: formId }, { caller }) => ({
    data: (await listPresets(deps, caller, { formId })).map(preset),
  })),
  createExportPreset: answer(api.createExportPreset, async ({ form_id: formId, ...wanted }, asked) =>
    preset(await createPreset(deps, asked, { formId, ...wanted })),
  ),
  updateExportPreset: answer(api.updateExportPreset, async ({ form_id: formId, id, patch }, asked) =>
    preset(await updatePreset(deps, asked, { formId, id, patch })),
  ),
  deleteExportPreset: answer(api.deleteExportPreset, ({ form_id: formId, id }, asked) => deletePreset(deps, asked, { formId, id })),

  getFormAccess: open(
    clientsWith('forms:read', 'submissions:read', 'submissions:write', 'hooks:manage'),
    shapes.getFormAccess,
    async ({ form_id }, { caller }) => {
      const { id, ...access } = await getFormAccess(deps, caller, { formId: form_id });
      return { form_id: id, ...access };
    },
  ),
  // The list of forms counts the submissions of its page.
  listFormAccess: open(clientsWith('forms:read', 'submissions:read'), shapes.listFormAccess, async ({ form_ids: formIds }, { caller }) => ({
    forms: (await listFormAccess(deps, caller, { formIds })).map(({ id, ...access }) => ({ form_id: id, ...access })),
  })),
  listOwnedForms: open(['user'], shapes.listOwnedForms, async ({ after_id: afterId = firstId, limit }, { caller }) => ({
    forms: await listOwnedForms(deps, caller, { afterId, limit }),
  })),
  getPersonRole: open(clientsWith('submissions:write'), shapes.getPersonRole, async ({ form_id, user_id }, asked) => ({
    role: await getPersonRole(deps, asked, { formId: form_id, userId: user_id }),
  })),
  listFieldKeys: open(
    clientsWith('submissions:read'),
    shapes.listFieldKeys,
    async ({ form_id, labels, language, fields: whole }, { caller }) => {
      const { fields = '', ...found } = await listFieldKeys(deps, caller, { formId: form_id, labels, language, whole });
      return { ...found, fields: Buffer.from(fields) };
    },
  ),
  getPublishedForm: open(
    ['respondent', ...clientsWith('submissions:read', 'submissions:write')],
    shapes.getPublishedForm,
    async ({ form: wanted, version: number }, { caller }) => {
      const { fields, payment, settings, opens_at, closes_at, max_submissions, closed_message, timezone, published_at, ...rest } =
        await getPublishedForm(deps, caller, { form: wanted, version: number });
      return {
        ...rest,
        published_at: published_at.toISOString(),
        fields: Buffer.from(fields),
        payment: readPayment(payment),
        settings: Buffer.from(settings),
        opens_at: opens_at?.toISOString(),
        closes_at: closes_at?.toISOString(),
        max_submissions: max_submissions ?? undefined,
        closed_message: closed_message ?? undefined,
        timezone: timezone ?? undefined,
      };
    },
  ),

  listFormPlaces: open(['service'], shapes.listFormPlaces, async ({ form_ids: formIds }, { caller }) => {
    refuseOthersThanDelivery(caller);
    return { places: await placesOf(deps.db, formIds) };
  }),
  getVersionFields: open(
    ['service'],
    shapes.getVersionFields,
    async ({ instance_id: instanceId, form_id: formId, version }, { caller }) => {
      refuseOthersThanDelivery(caller);
      const found = await getVersionFields(deps, { instanceId, formId, version });
      return {
        version: found.version,
        version_id: found.id ?? undefined,
        published_at: found.publishedAt?.toISOString(),
        fields: Buffer.from(found.fields),
      };
    },
  ),

  getFormSettings: answerAs(api.getFormSettings, async ({ id }, { caller }) => seenSettings(await getFormSettings(deps, caller, { id }))),
  updateFormSettings: open(clientsWith('forms:write'), shapes.updateFormSettings, async ({ id, patch }, asked) =>
    seenSettings(await updateFormSettings(deps, asked, { id, patch: patch.toString() })),
  ),
  getLogo: open(['respondent', 'user'], shapes.getLogo, async ({ form: wanted }, { caller }) => {
    const { logo_type, logo } = await getLogo(deps, caller, { form: wanted });
    return { content_type: logo_type, bytes: logo };
  }),
  addPicture: answer(api.addFormPicture, async ({ form_id: id, picture }, asked) => addPicture(deps, asked, { id, picture })),
  getPicture: answer(api.getFormPicture, async ({ form_id: formId, id }, { caller }) => getPicture(deps, caller, { formId, id })),
  getPublishedPicture: open(['respondent', 'user'], shapes.getPublishedPicture, async (wanted, { caller }) => {
    const { type, bytes } = await getPublishedPicture(deps, caller, wanted);
    return { content_type: type, bytes };
  }),
});

function refuseOthersThanDelivery({ id }: Service): void {
  if (id !== 'delivery') throw Problem.forbidden('Only delivery may call this operation.');
}

const summary = ({ id, title, status, current_version, created_at, updated_at }: FormSummaryRow) => ({
  id,
  title,
  status,
  current_version,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

const form = ({ form: row, role }: SeenForm) => ({
  id: row.id,
  title: row.title,
  slug: row.slug ?? undefined,
  status: row.status,
  favorite: row.favorite,
  current_version: row.current_version,
  publish_mode: row.publish_mode,
  folder_id: row.folder_id ?? undefined,
  opens_at: row.opens_at?.toISOString(),
  closes_at: row.closes_at?.toISOString(),
  max_submissions: row.max_submissions ?? undefined,
  closed_message: row.closed_message ?? undefined,
  timezone: row.timezone ?? undefined,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  role,
});

/** JSON as it is stored, which need not be parsed to be sent. */
const stored = (json: string): unknown => Buffer.from(json);

const publication = ({ version, publishedAt, warnings }: Publication) => ({
  version,
  published_at: publishedAt.toISOString(),
  warnings: warnings.map(({ message }) => message),
});

const draft = ({ fields, payment, revision, updated_at }: DraftRow) => ({
  fields: stored(fields) as api.FormItem[],
  payment: readPayment(payment),
  revision,
  updated_at: updated_at.toISOString(),
});

const version = ({ id, number, published_at, published_by_kind, published_by_id }: ListedVersion) => ({
  id,
  version: number,
  published_at: published_at.toISOString(),
  published_by: { kind: published_by_kind, id: published_by_id },
});

const grant = ({ grant: { user_id, role, created_at }, person }: SeenGrant) => ({
  user_id,
  role,
  created_at: created_at.toISOString(),
  name: person?.name,
  email: person?.email,
});

const view = ({ id, owner_id, name, pinned, search, columns, created_at, updated_at }: ViewRow) => ({
  id,
  name,
  shared: owner_id === null,
  pinned,
  search: stored(search) as api.ViewSearch,
  ...(columns !== null && { columns: stored(columns) as api.ViewColumns }),
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

const preset = ({ id, owner_id, name, file, missing, created_at, updated_at }: SeenPreset) => ({
  id,
  name,
  shared: owner_id === null,
  file: stored(file) as api.ExportPresetFile,
  missing,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

const foundForm = (seen: SeenListedForm) => ({
  form: form(seen),
  workspace_id: seen.form.workspace_id,
  unpublished_changes: seen.form.unpublished_changes,
});

const seenSettings = ({ seen, settings }: SeenSettings) => ({
  id: seen.form.id,
  settings: Buffer.from(JSON.stringify(settings)),
  found: foundForm(seen),
});
