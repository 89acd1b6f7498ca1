import { withholdingPart } from '@sheaf/contracts';
import { membersOf, type Claim } from './claims.queries';
import { withdraw } from './judge';
import { sentOf, type Posted } from './posted';
import type { Settlement } from './settlements.queries';

const contentTooLarge = 413;

/** Whether the filter of its webhook keeps the event of a delivery back by now. */
export const isWithheld = (one: Claim): boolean => withholdingPart(one.options?.filter, one) !== undefined;

/** A batch without the events that the filter of its webhook keeps back by now; undefined if that leaves none. */
export function withoutWithheld(claimed: Claim, at: Date): { claim: Claim | undefined; withdrawn: Settlement[] } {
  const [first, ...others] = membersOf(claimed).filter((one) => !isWithheld(one));
  return {
    claim: first && claimed.batch ? { ...first, batch: { id: claimed.batch.id, others } } : undefined,
    withdrawn: membersOf(claimed)
      .filter(isWithheld)
      .map((one) => withdraw(one, at)),
  };
}

/**
 * The settlements of all deliveries of a POST, given that of the first. Those of a batch end alike, and the first that was sent has what is to be
 * remembered of the request. If the receiver finds it too large, its later half leaves the batch, and is sent in another one.
 */
export function settlementsOf(posted: Posted, settlement: Settlement): Settlement[] {
  const { claim } = posted;
  if (!claim.batch) return [settlement];
  const sent = sentOf(posted);
  const toldBy = sent[0]?.id ?? claim.id;
  const isTooLarge = settlement.state === 'pending' && settlement.status === contentTooLarge;
  const leaves = (at: number) => isTooLarge && at >= Math.ceil(sent.length / 2);
  const { headers: _, response: __, connection: ___, ...plain } = settlement;
  return sent.map(({ id, number }, at) =>
    id === toldBy
      ? { ...settlement, id, number, toldBy, inBatch: sent.map((one) => one.id) }
      : { ...plain, id, number, toldBy, ...(leaves(at) && { leavesBatch: true }) },
  );
}
