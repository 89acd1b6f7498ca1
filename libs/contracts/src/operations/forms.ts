import { z } from 'zod';
import { described } from '../described';
import { bool, createdAt, instant, listOf, localInstant, oneOf, page, text, trimmed, whole } from '../shapes';
import { formTexts } from './form-texts';
import { IdempotencyKey } from './intake';
import { carriedAs } from './message';
import { operation } from './operation';
import { idOfForm } from './params';

export const formStatuses = ['active', 'archived', 'disabled', 'trashed'] as const;
export const settableFormStatuses = ['active', 'archived', 'disabled'] as const;
export const publishModes = ['draft', 'auto'] as const;
export const untitled = 'Untitled Form';
export const titleLength = { min: 1, max: 200 };

const anyStatus = 'The status. New values may be added.';

export const FormSummary = described(
  z.object({
    id: described(z.string(), 'The id.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'),
    title: described(z.string(), ...formTexts.title),
    status: described(z.string(), anyStatus, 'active'),
    current_version: described(z.int(), 'The latest published version; 0 if the form was never published.', 2),
    created_at: createdAt(),
    updated_at: described(instant(), 'The time of the last change.', '2026-03-04T16:05:12.000Z'),
  }),
  'A form in a list.',
);

export const FormList = described(listOf(FormSummary), 'A page of forms.');
carriedAs(FormList, { names: { data: 'forms' } });

const { id, title, status, current_version, created_at, updated_at } = FormSummary.shape;

export const FormDetail = described(
  z.object({
    id,
    title,
    slug: described(z.string().optional(), ...formTexts.slug),
    status,
    favorite: described(z.boolean(), ...formTexts.favorite),
    current_version,
    publish_mode: described(z.string(), ...formTexts.publish_mode),
    folder_id: described(z.string().optional(), ...formTexts.folder_id),
    opens_at: described(instant().optional(), ...formTexts.opens_at),
    closes_at: described(instant().optional(), ...formTexts.closes_at),
    max_submissions: described(z.int().optional(), ...formTexts.max_submissions),
    closed_message: described(z.string().optional(), ...formTexts.closed_message),
    timezone: described(z.string().optional(), ...formTexts.timezone),
    created_at,
    updated_at,
    role: described(
      z.string(),
      'The role: owner, editor, viewer and, in workspaces, admin. Treat an unknown value as no access.',
      'editor',
    ),
  }),
  'A form with its settings.',
);
carriedAs(FormDetail, { message: 'Form' });

export const FormsQuery = z.object({
  ...page,
  status: described(oneOf(formStatuses).optional(), anyStatus),
  q: described(text(0, titleLength.max).optional(), 'Only forms whose title contains this text, ignoring case.'),
});

export const FormCreateRequest = described(
  z.object({
    title: described(trimmed(0, titleLength.max).optional(), ...formTexts.title),
    folder_id: described(text(0, 64).optional(), ...formTexts.folder_id),
  }),
  'The form to create.',
);

const slug = () =>
  z
    .string('must be a string')
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'must be 1 to 64 lower-case letters, digits and inner hyphens');

export const FormUpdateRequest = described(
  z.object({
    title: described(trimmed(titleLength.min, titleLength.max).optional(), ...formTexts.title),
    slug: described(slug().nullable().optional(), ...formTexts.slug),
    status: described(oneOf(settableFormStatuses).optional(), 'The new status.', 'active'),
    favorite: described(bool().optional(), ...formTexts.favorite),
    publish_mode: described(oneOf(publishModes).optional(), ...formTexts.publish_mode),
    folder_id: described(text(0, 64).nullable().optional(), ...formTexts.folder_id),
    opens_at: described(localInstant().nullable().optional(), ...formTexts.opens_at),
    closes_at: described(localInstant().nullable().optional(), ...formTexts.closes_at),
    max_submissions: described(whole(0, 2_147_483_647).nullable().optional(), ...formTexts.max_submissions),
    closed_message: described(text(0, 500).nullable().optional(), ...formTexts.closed_message),
    timezone: described(text(1, 64).nullable().optional(), ...formTexts.timezone),
  }),
  'Changes to the settings of a form. Absent properties stay unchanged; null clears an optional property.',
);
carriedAs(FormUpdateRequest, { message: 'FormPatch' });

/** A published field in its simplified form (contract, section 2.4). */
export const FormField = described(
  z.object({
    key: described(z.string(), 'The key of the field in `data`.', 'name'),
    label: described(z.string(), 'The label.', 'Your name'),
    type: described(z.string(), 'The type. New values may be added.', 'string'),
    required: described(z.boolean(), 'Whether the field must be answered.', true),
  }),
  'A field of a published form, simplified for API clients.',
);
carriedAs(FormField, { message: 'Field' });

export const FormFields = described(
  z.object({
    form_id: described(z.string(), "The form's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'),
    fields: described(z.array(FormField), 'The fields, in order.'),
  }),
  'The fields of the latest version of a form.',
);
carriedAs(FormFields, { message: 'FieldList' });

export const PublishResponse = described(
  z.object({
    version: described(z.int(), 'The version number.', 2),
    published_at: described(instant(), 'The time of publication.', '2026-03-04T16:05:12.000Z'),
    warnings: described(z.array(z.string()), 'Warnings for people. They do not prevent publishing.', [
      'Nothing has changed since version 1.',
    ]),
  }),
  'The new version, with warnings.',
);
carriedAs(PublishResponse, { message: 'Publication' });

export const FormMoveRequest = described(
  z.object({ workspace_id: described(text(1, 64), 'The new workspace of the form.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04') }),
  'The workspace to move a form to.',
);

const path = '/api/v1/forms';
const ofForm = { path: `${path}/:id`, params: { id: idOfForm } } as const;

export const listForms = operation({
  method: 'get',
  path,
  summary: 'List forms',
  description: 'Lists the forms in the active workspace, most recently updated first. A service account sees every form of the instance.',
  access: { scope: 'forms:read' },
  query: FormsQuery,
  status: 200,
  reply: FormList,
  errors: [401],
  rpc: 'forms.ListForms',
});

/** The `Idempotency-Key` header of a request that creates a form. */
export const CreationKey = described(
  IdempotencyKey,
  'A key that you choose for this form. Repeating the request with the same key returns the form that the first one created.',
);

export const createForm = operation({
  method: 'post',
  path,
  summary: 'Create a form',
  description:
    "Creates a form with an empty draft. Requires edit access to the workspace. A person's folder must be in their active workspace. A service account has no active workspace and must name a folder. To repeat the request safely, send an `Idempotency-Key`: a repeated request with the same key returns the form that the first one created.",
  access: { scope: 'forms:write' },
  body: FormCreateRequest,
  status: 201,
  reply: FormDetail,
  errors: [400, 401, 403],
  rpc: 'forms.CreateForm',
  // The header has the key.
  composed: true,
  added: z.object({ idempotency_key: CreationKey.optional() }),
});

export const getForm = operation({
  ...ofForm,
  method: 'get',
  summary: 'Get a form',
  description: "Returns a form, even from the trash, with the caller's role on it.",
  access: { scope: 'forms:read' },
  status: 200,
  reply: FormDetail,
  errors: [401, 403, 404],
  rpc: 'forms.GetForm',
  // Exports and counts of submissions need its name and its time zone.
  otherScopes: ['submissions:read'],
});

export const updateForm = operation({
  ...ofForm,
  method: 'patch',
  summary: 'Update a form',
  description:
    'Changes the settings of a form. Absent properties stay unchanged, and null clears an optional property. For owners and editors.',
  access: { scope: 'forms:write' },
  patch: FormUpdateRequest,
  status: 200,
  reply: FormDetail,
  errors: [400, 401, 403, 404],
  rpc: 'forms.UpdateForm',
});

export const trashForm = operation({
  ...ofForm,
  method: 'delete',
  summary: 'Move a form to the trash',
  description: 'Moves a form to the trash, where it accepts no submissions and cannot be changed. For owners. restoreForm brings it back.',
  access: { scope: 'forms:write' },
  status: 204,
  errors: [401, 403, 404],
  rpc: 'forms.TrashForm',
});

export const listFormFields = operation({
  ...ofForm,
  method: 'get',
  path: `${path}/:id/fields`,
  summary: 'Get the fields of a form',
  description: 'Lists the fields of the latest published version in a simplified form. The list is empty if the form was never published.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: FormFields,
  errors: [401, 403, 404],
  rpc: 'forms.ListFields',
});

export const duplicateForm = operation({
  ...ofForm,
  method: 'post',
  path: `${path}/:id/duplicate`,
  summary: 'Duplicate a form',
  description:
    "Copies the draft and settings of a form, but not its versions, submissions, grants, slug or favorites. The caller owns the copy. It is created in the same workspace if the caller is a member of it, otherwise in the caller's active workspace. A viewer gets a copy of the published version, or an empty draft if the form was never published.",
  access: { scope: 'forms:write' },
  status: 201,
  reply: FormDetail,
  errors: [401, 403, 404],
  rpc: 'forms.DuplicateForm',
});

export const publishForm = operation({
  ...ofForm,
  method: 'post',
  path: `${path}/:id/publish`,
  summary: 'Publish a form',
  description:
    'Creates an immutable version from the current draft, and returns warnings about changes that affect earlier submissions. For owners and editors.',
  access: { scope: 'forms:write' },
  status: 200,
  reply: PublishResponse,
  errors: [400, 401, 403, 404],
  rpc: 'forms.PublishForm',
});

export const restoreForm = operation({
  ...ofForm,
  method: 'post',
  path: '/app/v1/forms/:id/restore',
  summary: 'Restore a form from the trash',
  description: 'Restores a form from the trash to its previous status. For owners.',
  access: { scope: 'forms:write' },
  status: 200,
  reply: FormDetail,
  errors: [401, 403, 404],
  rpc: 'forms.RestoreForm',
});

export const moveForm = operation({
  ...ofForm,
  method: 'put',
  path: '/app/v1/forms/:id/workspace',
  summary: 'Move a form to another workspace',
  description:
    'Moves a form to another workspace of the instance. It leaves its folder and keeps its grants; the members of the new workspace get their roles on it, and those of the old one lose theirs within a second. For owners of the form who are at least editors of both workspaces, with a session. A form under legal hold stays where it is (409).',
  access: 'session',
  body: FormMoveRequest,
  status: 200,
  reply: FormDetail,
  errors: [400, 401, 403, 404, 409],
  rpc: 'forms.MoveForm',
});
