import { z } from 'zod';
import { instant, listOf, localInstant, oneOf, page, text, trimmed, bool, whole } from '../shapes';

export const formStatuses = ['active', 'archived', 'disabled', 'trashed'] as const;
export const settableFormStatuses = ['active', 'archived', 'disabled'] as const;
export const publishModes = ['draft', 'auto'] as const;
export const untitled = 'Untitled Form';
export const titleLength = { min: 1, max: 200 };

export const FormSummary = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  current_version: z.int(),
  created_at: instant(),
  updated_at: instant(),
});

export const FormList = listOf(FormSummary);

export const FormDetail = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string().optional(),
  status: z.string(),
  favorite: z.boolean(),
  current_version: z.int(),
  publish_mode: z.string(),
  folder_id: z.string().optional(),
  opens_at: instant().optional(),
  closes_at: instant().optional(),
  max_submissions: z.int().optional(),
  closed_message: z.string().optional(),
  timezone: z.string().optional(),
  created_at: instant(),
  updated_at: instant(),
  role: z.string(),
});

export const FormsQuery = z.object({
  ...page,
  status: oneOf(formStatuses).optional(),
  q: text(0, titleLength.max).optional(),
});

export const FormCreateRequest = z.object({
  title: trimmed(0, titleLength.max).optional(),
  folder_id: text(0, 64).optional(),
});

const slug = () =>
  z
    .string('must be a string')
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'must be 1 to 64 lower-case letters, digits and inner hyphens');

export const FormUpdateRequest = z.object({
  title: trimmed(titleLength.min, titleLength.max).optional(),
  slug: slug().nullable().optional(),
  status: oneOf(settableFormStatuses).optional(),
  favorite: bool().optional(),
  publish_mode: oneOf(publishModes).optional(),
  folder_id: text(0, 64).nullable().optional(),
  opens_at: localInstant().nullable().optional(),
  closes_at: localInstant().nullable().optional(),
  max_submissions: whole(0, 2_147_483_647).nullable().optional(),
  closed_message: text(0, 500).nullable().optional(),
  timezone: text(1, 64).nullable().optional(),
});

/** A published field in its simplified form (contract, section 2.4). */
export const FormField = z.object({ key: z.string(), label: z.string(), type: z.string(), required: z.boolean() });
export const FormFields = z.object({ form_id: z.string(), fields: z.array(FormField) });

export const PublishResponse = z.object({ version: z.int(), published_at: instant(), warnings: z.array(z.string()) });
