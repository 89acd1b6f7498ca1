import { z } from 'zod';
import { offsetInstant, oneOf, text, trimmed, whole } from '../shapes';
import { FormSummary, publishModes, titleLength } from '../operations/forms';
import { FieldList } from './draft';
import { Payment } from './payment';
import { FormSettings } from './settings';

/** A form as one document, without ids, slug, people and secrets. A change that readers of version 1 cannot understand needs a new version. */
export const FormDocument = z.object({
  sheaf: z.literal('form', 'must be form'),
  version: z.literal(1, 'must be 1'),
  title: trimmed(titleLength.min, titleLength.max),
  fields: FieldList,
  payment: Payment.optional(),
  settings: FormSettings,
  publish_mode: oneOf(publishModes).optional(),
  opens_at: offsetInstant().optional(),
  closes_at: offsetInstant().optional(),
  max_submissions: whole(0, 2_147_483_647).optional(),
  closed_message: text(0, 500).optional(),
  timezone: text(1, 64).optional(),
});

export type FormDocument = z.output<typeof FormDocument>;

export const FormImportRequest = z.object({ document: FormDocument, workspace_id: text(0, 64), folder_id: text(0, 64).optional() });

/** The place of a form that is imported from a file, which leaves no room for it in the body. */
export const FileImportQuery = z.object({ workspace_id: text(1, 64).optional(), folder_id: text(1, 64).optional() });

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Something in a file that forms do not have. */
export const ImportWarning = z.object({ sheet: z.string(), row: z.int(), message: z.string() });

/** `warnings` is there for a form from a file. */
export const ImportedForm = FormSummary.extend({ warnings: z.array(ImportWarning).optional() });
