import { formRoles } from '@sheaf/kernel';
import { z } from 'zod';
import { email, instant, listOf, oneOf } from '../shapes';

/** A person's role on one form. `name` and `email` are absent once the person belongs to no workspace of the instance. */
export const FormGrant = z.object({
  user_id: z.string(),
  role: z.string(),
  created_at: instant(),
  name: z.string().optional(),
  email: z.string().optional(),
});

export const FormGrantList = listOf(FormGrant);

export const GrantRequest = z.object({ role: oneOf(formRoles) });

export const GrantByEmailRequest = GrantRequest.extend({ email: email() });
