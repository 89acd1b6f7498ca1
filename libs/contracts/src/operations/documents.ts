import { z } from 'zod';
import { FieldList } from '../app/draft';
import { Payment } from '../app/payment';
import { maxPictureBytes, maxPicturesOfForm } from '../app/pictures';
import { pictureDataUrl } from '../app/option-image';
import { FormSettings } from '../app/settings';
import { asStored } from '../app/stored-items';
import { described, leftOut } from '../described';
import { offsetInstant, oneOf, text, trimmed, whole } from '../shapes';
import { formTexts } from './form-texts';
import { FormSummary, publishModes, titleLength } from './forms';
import { carriedAs } from './message';
import { operation } from './operation';
import { idOfForm } from './params';

/** A form as one document, without ids, slug, people and secrets. A change that readers of version 1 cannot understand needs a new version. */
export const FormDocument = described(
  z.object({
    sheaf: described(z.literal('form', 'must be form'), 'The kind of document.'),
    version: described(z.literal(1, 'must be 1'), 'The version of the format.', 1),
    title: described(trimmed(titleLength.min, titleLength.max), ...formTexts.title),
    fields: described(FieldList, 'The fields, in order.'),
    pictures: described(
      z
        .array(pictureDataUrl(maxPictureBytes), 'must be an array')
        .min(1, 'must have at least one picture')
        .max(maxPicturesOfForm.number, `must have at most ${maxPicturesOfForm.number} pictures`)
        .optional(),
      'The pictures of options, as data URLs; absent if there are none.',
      leftOut,
    ),
    payment: described(Payment.optional(), 'The price of each submission; absent if the form collects no payment.'),
    settings: described(FormSettings, 'The settings that v1 does not have.'),
    publish_mode: described(oneOf(publishModes).optional(), ...formTexts.publish_mode),
    opens_at: described(offsetInstant().optional(), ...formTexts.opens_at),
    closes_at: described(offsetInstant().optional(), ...formTexts.closes_at),
    max_submissions: described(whole(0, 2_147_483_647).optional(), ...formTexts.max_submissions),
    closed_message: described(text(0, 500).optional(), ...formTexts.closed_message),
    timezone: described(text(1, 64).optional(), ...formTexts.timezone),
  }),
  'A form as one document: its content and settings, without ids, slug, people and secrets.',
);

export type FormDocument = z.output<typeof FormDocument>;

const folderSample = formTexts.folder_id[1];

export const FormImportRequest = described(
  z.object({
    document: described(FormDocument, 'The document to import.'),
    workspace_id: described(text(0, 64), 'The workspace of the new form.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04'),
    folder_id: described(text(0, 64).optional(), 'The folder of the new form, in that workspace. Unfiled if absent.', folderSample),
  }),
  'The document to import, and the place for the new form.',
);
carriedAs(FormImportRequest, {
  jsonAs: { document: (document: FormDocument) => ({ ...document, fields: asStored(document.fields) }) },
});

/** The place of a form that is imported from a file, which leaves no room for it in the body. */
export const FileImportQuery = z.object({
  workspace_id: described(text(1, 64).optional(), 'For a file, the workspace of the new form.'),
  folder_id: described(text(1, 64).optional(), 'For a file, the folder of the new form, in that workspace. Unfiled if absent.'),
});

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const notTaken = { sheet: 'survey', row: 7, message: 'the type "rank" is not supported; the question is left out' };

/** Something in a file that forms do not have. */
export const ImportWarning = described(
  z.object({
    sheet: described(z.string(), 'The sheet of the file.', notTaken.sheet),
    row: described(z.int(), 'The row of the sheet, from 1 on.', notTaken.row),
    message: described(z.string(), 'The part that was not taken over, and what the form has instead.', notTaken.message),
  }),
  'Something in a file that was not taken over.',
);

/** `warnings` is there for a form from a file. */
export const ImportedForm = described(
  FormSummary.extend({
    warnings: described(z.array(ImportWarning).optional(), 'Parts of the file that the form does not have.', [notTaken]),
  }),
  'An imported form, with warnings if it comes from a file.',
);

export const getFormDocument = operation({
  method: 'get',
  path: '/app/v1/forms/:id/document',
  params: { id: idOfForm },
  summary: 'Get a form as a document',
  description:
    'Returns a form as one document without ids, people and secrets, which importForm turns into a new form. It has the draft; for viewers, the published version.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: FormDocument,
  errors: [401, 403, 404],
  rpc: 'forms.GetFormDocument',
  // The message has the document as a whole.
  composed: true,
  answer: 'FormDocument',
});

export const getFormXlsForm = operation({
  method: 'get',
  path: '/app/v1/forms/:id/xlsform',
  params: { id: idOfForm },
  summary: 'Get a form as an XLSForm',
  description:
    'Returns a form as an XLSForm (xlsform.org), an XLSX file that ODK, Kobo and others read, and importForm too. Pages and sections are groups. Whatever an XLSForm cannot say is named in its sheet `left_out`. It has the draft; for viewers, the published version.',
  access: { scope: 'forms:read' },
  status: 200,
  errors: [401, 403, 404],
  rpc: 'forms.GetFormXlsForm',
  // The answer is the file.
  composed: true,
  answer: 'FormXlsForm',
});

export const importForm = operation({
  method: 'post',
  path: '/app/v1/forms/import',
  summary: 'Import a form from a document or an XLSForm',
  description:
    "Creates a form from a document, or from an XLSForm (xlsform.org) as an XLSX file, whose place is in the query. Parts of an XLSForm that forms do not have are named in `warnings`. The form is active, unpublished and owned by the caller. Requires edit access to the workspace. A service account has no workspace of its own and must name a folder. The limit on a body's size applies.",
  access: { scope: 'forms:write' },
  query: FileImportQuery,
  body: FormImportRequest,
  status: 201,
  reply: ImportedForm,
  errors: [400, 401, 403],
  rpc: 'forms.ImportForm',
  // Another method takes files.
  composed: true,
  answer: 'FormSummary',
});
