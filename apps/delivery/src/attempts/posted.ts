import type { Outcome } from '@sheaf/egress';
import { membersOf, type Claim } from './claims.queries';

/** A claimed attempt, and what came of it. */
export interface Posted {
  claim: Claim;
  result: Result;
}

/** After a fault on our side nothing was sent. */
export type Result = Sent | { fault: unknown };

export interface Sent {
  headers: Record<string, string>;
  outcome: Outcome;
  /** The deliveries of a batch that were sent: the others have left it before. */
  sent?: readonly Claim[] | undefined;
}

/** The deliveries that the POST was for, or would have been. */
export const sentOf = ({ claim, result }: Posted): readonly Claim[] => ('sent' in result ? result.sent : undefined) ?? membersOf(claim);
