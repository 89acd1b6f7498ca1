import type { PersonRow } from '../rows';

/** Whether a person has neither accepted an invitation nor signed in with a link of the operator. */
export const isPending = ({ password_hash, first_signed_in_at }: Pick<PersonRow, 'password_hash' | 'first_signed_in_at'>): boolean =>
  password_hash === null && first_signed_in_at === null;
