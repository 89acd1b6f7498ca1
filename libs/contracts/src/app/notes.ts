import { z } from 'zod';

/** The person who takes care of a submission; null for nobody. */
export const AssigneeRequest = z.object({
  user_id: z.string('must be a string, or null').max(64, 'must have at most 64 characters').nullable(),
});
