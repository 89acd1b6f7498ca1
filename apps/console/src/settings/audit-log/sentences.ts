import type { AuditAction, AuditDetails } from '@sheaf/client';

/** The facts that a sentence about an entry may name. */
export interface Facts {
  who: string;
  /** The form, by title if it is known. */
  form: string;
  /** The person whom the action was about, by name if it is known. */
  whom: string;
  details: AuditDetails;
}

/** A sentence for each action. One without a sentence does not compile. */
export type Sentences = Record<AuditAction, (facts: Facts) => string>;
