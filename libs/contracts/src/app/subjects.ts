import { z } from 'zod';
import { cursor, cursorPage, instant, trimmed } from '../shapes';

/** A person as the answers name them: an address, a number, a name. */
const subject = () => trimmed(2, 200);

export const SubjectsQuery = z.object({ ...cursorPage, value: subject() });

export const subjectPlaces = ['list', 'trash', 'spam'] as const;

/** A submission of which an answer equals the value; `keys` names the fields. */
export const SubjectMatch = z.object({
  form_id: z.string(),
  submission_id: z.string(),
  place: z.enum(subjectPlaces),
  keys: z.array(z.string()),
  data: z.record(z.string(), z.unknown()),
  schema_version: z.int(),
  status: z.string(),
  created_at: instant(),
});

/** `indexed` is false if some may be missing: a form cannot be searched, or its submissions are still being indexed. */
export const SubjectMatches = z.object({ data: z.array(SubjectMatch), next_cursor: z.string().nullable(), indexed: z.boolean() });

export const SubjectErasureRequest = z.object({ value: subject(), cursor: cursor() });

/**
 * `next_cursor`: if there may be others, where the next request goes on. `held_form_ids`: forms under legal hold that have some.
 * `unsearched_form_ids`: forms that may have others, because they cannot be searched, or not completely yet.
 */
export const SubjectErasure = z.object({
  erased: z.int(),
  erasure_ids: z.array(z.string()),
  held_form_ids: z.array(z.string()),
  unsearched_form_ids: z.array(z.string()),
  next_cursor: z.string().nullable(),
});
