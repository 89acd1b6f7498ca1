import type { Excerpt } from '@sheaf/egress';
import { membersOf, type Claim } from './claims.queries';
import { isWithheld, settlementsOf } from './batch-settlements';
import { settleEnding, type EndingDeps } from './end-subscription';
import { judge, withdraw } from './judge';
import { post, type PostDeps } from './post';
import type { Posted } from './posted';
import { report, type ReportDeps } from './report';
import type { Settling } from './settling';
import type { Slot } from './slots';

export type AttemptDeps = PostDeps & EndingDeps & ReportDeps & { settling: Settling };

/**
 * Makes a claimed attempt in its slot:
 * 0. If the webhook's filter keeps the event from it by now, the delivery is cancelled: the filter was changed while it waited, or an earlier version
 *    recorded the event without looking.
 * 1. `post` sends it. A fault on our side is no outcome: it gives the attempt back.
 * 2. `judge` decides what that means for the delivery and for the subscription.
 * 3. The slot is freed at once, or only when the subscription has ended everywhere.
 * 4. The beginning of the response is read for a moment, for the log. That of a 2xx has been read before, when its connection was freed.
 * 5. The attempt is settled, in a batch with others (`Settling`) unless it ends the subscription.
 */
export async function makeAttempt(deps: AttemptDeps, claimed: Claim, slot: Slot): Promise<void> {
  const { clock, settings, settling } = deps;
  const members = membersOf(claimed);
  // A batch of which some are left is sent without the others.
  if (members.every(isWithheld)) {
    slot.end(claimed.lane);
    await settling.settle(...members.map((one) => withdraw(one, clock.now())));
    return;
  }
  const posted = await post(deps, claimed, () => slot.hangs());
  const { settlement, lane, failed, ending } = judge(posted, settings, clock.now());
  if (ending) {
    // Its slot stays taken until all processes know that the subscription has ended.
    settlement.response = await responseOf(posted);
    await settleEnding(deps, posted.claim, settlementsOf(posted, settlement), ending).finally(() => slot.end(lane));
  } else {
    // The slot limits the load on the subscriber. Settling does not add to that load and has its own limit.
    slot.end(lane);
    if (failed !== undefined) settling.noteTurn(claimed.subscription_id, { failed });
    const response = responseOf(posted);
    // Without a turn of its own for the many that say nothing; see docs/contributing/performance.md.
    if (response) settlement.response = await response;
    await settling.settle(...settlementsOf(posted, settlement));
  }
  report(deps, posted, settlement);
}

/** The text of the response. The outcome is decided by then, and a pause counts from it. */
const responseOf = ({ result }: Posted): Promise<Excerpt | undefined> | undefined =>
  'outcome' in result && 'response' in result.outcome ? result.outcome.response : undefined;
