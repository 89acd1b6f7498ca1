import type { Outcome } from '@sheaf/egress';
import type { Claim } from './claims.queries';

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
  /** Of a batch: the deliveries that were sent, and those that could not be composed. */
  batch?: { sent: readonly Claim[]; left: readonly Claim[] } | undefined;
}
