import type { Deps } from '../deps';
import { batchBody } from './batch-body';
import { withoutWithheld } from './batch-settlements';
import { settleSlackMs, type Claim } from './claims.queries';
import { release } from './judge';
import type { Settlement } from './settlements.queries';
import type { Settling } from './settling';

export type BatchDeps = Pick<Deps, 'clock' | 'payloads'> & { settling: Pick<Settling, 'settle'> };

/** The body of a batch, and its deliveries. */
export interface ReadyBatch {
  body: string;
  sent: readonly Claim[];
}

/**
 * Composes a batch. The deliveries that are not in its body leave it in a commit of their own before anything is sent: if the process dies after the POST, no
 * repeat has an event that was not in the batch before, which a receiver that remembers the ids of batches would drop.
 * @throws if none can be composed: then `forms` or `submissions` cannot answer; and if the lease would end before a POST does: another process may have the
 * batch then.
 */
export async function readyBatch({ clock, payloads, settling }: BatchDeps, claimed: Claim): Promise<ReadyBatch> {
  const begunAt = clock.now().getTime();
  const { claim, withdrawn } = withoutWithheld(claimed, clock.now());
  if (!claim) throw new Error('the filter keeps back all events of the batch');
  const { body, sent, left, tooMany, fault } = await batchBody({ clock, payloads }, claim);
  const isLeaving = sent.length > 0 || tooMany.length > 0;
  const leaving = [
    ...withdrawn,
    ...(isLeaving ? left.map((one): Settlement => ({ ...release(one, clock.now()), leavesBatch: true })) : []),
    // Nothing is wrong with them: they are due at once.
    ...tooMany.map((one): Settlement => ({ ...release(one, clock.now(), 0), leavesBatch: true })),
  ];
  if (leaving.length > 0) await settling.settle(...leaving);
  if (sent.length === 0) throw fault;
  if (clock.now().getTime() - begunAt > settleSlackMs) throw new Error('the batch was ready too late for its lease');
  return { body, sent };
}
