import { withholdingPart } from '@sheaf/contracts';
import { membersOf, type Claim } from './claims.queries';
import { release, withdraw } from './judge';
import type { Posted } from './posted';
import type { Settlement } from './settlements.queries';

/** A batch without the events that the filter of its webhook keeps back by now; undefined if that leaves none. */
export function withoutWithheld(claimed: Claim, at: Date): { claim: Claim | undefined; withdrawn: Settlement[] } {
  const isKept = (one: Claim) => withholdingPart(one.options?.filter, one) === undefined;
  const [first, ...others] = membersOf(claimed).filter(isKept);
  return {
    claim: first && claimed.batch ? { ...first, batch: { id: claimed.batch.id, others } } : undefined,
    withdrawn: membersOf(claimed)
      .filter((one) => !isKept(one))
      .map((one) => withdraw(one, at)),
  };
}

/**
 * The settlements of all deliveries of a POST, given that of the first. Those of a batch end alike, and the first that was sent has what is to be
 * remembered of the request. One that could not be composed waits for the next batch.
 */
export function settlementsOf({ claim, result }: Posted, settlement: Settlement, at: Date): Settlement[] {
  if (!claim.batch) return [settlement];
  const { sent, left } = ('batch' in result ? result.batch : undefined) ?? { sent: membersOf(claim), left: [] };
  const [first] = sent;
  const toldBy = first?.id ?? claim.id;
  const { headers: _, response: __, connection: ___, ...plain } = settlement;
  return [
    ...sent.map(({ id, number }) =>
      id === toldBy ? { ...settlement, id, number, toldBy, inBatch: sent.map((one) => one.id) } : { ...plain, id, number, toldBy },
    ),
    ...left.map((one): Settlement => ({ ...release(one, at), leavesBatch: true })),
  ];
}
