import { z } from 'zod';
import { cursorListOf, cursorPage, instant, trimmed, whole } from '../shapes';
import { Submission } from '../operations/submissions';
import { Actor } from './actor';
import { languageTag } from './draft';

/** `revision` counts the corrections so far. `updated_at` is `created_at` until something changes. */
export const SubmissionDetail = Submission.extend({
  updated_at: instant(),
  revision: z.int(),
  edited: z.boolean(),
  language: z.string().optional(),
  assignee: z.string().optional(),
  notes: z.int().optional(),
  entered_by: Actor.optional(),
});

/** Answers that a member enters on somebody's behalf. */
export const EntryRequest = z.object({
  data: z.record(z.string(), z.unknown(), 'must be an object'),
  language: languageTag().optional(),
});

export const CorrectionRequest = z.object({
  data: z.record(z.string(), z.unknown(), 'must be an object'),
  reason: trimmed(1, 500).optional(),
  revision: whole(0, 2_147_483_647),
});

/** Answers that a correction replaced. `changed_at`, `changed_by` and `reason` describe that correction. */
export const SubmissionRevision = z.object({
  number: z.int(),
  changed_at: instant(),
  changed_by: Actor,
  reason: z.string().optional(),
});

export const SubmissionRevisionList = cursorListOf(SubmissionRevision);

export const SubmissionRevisionDetail = SubmissionRevision.extend({ schema_version: z.int(), data: z.record(z.string(), z.unknown()) });

export const RevisionsQuery = z.object(cursorPage);
