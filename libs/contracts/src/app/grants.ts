import { formRoles } from '@sheaf/kernel';
import { z } from 'zod';
import { instant, listOf, oneOf } from '../shapes';

/** A role that somebody was given on one form. `name` and `email` are left out for who is a member of no workspace of the instance any more. */
export const FormGrant = z.object({
  user_id: z.string(),
  role: z.string(),
  created_at: instant(),
  name: z.string().optional(),
  email: z.string().optional(),
});

export const FormGrantList = listOf(FormGrant);

export const GrantRequest = z.object({ role: oneOf(formRoles) });
