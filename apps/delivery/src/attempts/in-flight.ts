import { makeAttempt, type AttemptDeps } from './attempt';
import type { Budgets } from './budgets';
import type { Claim } from './claims.queries';
import type { NextLook } from './next-look';
import type { Settling } from './settling';
import type { Slot, Slots } from './slots';

/** The limits that looks and planning share: both begin attempts, within the same limits. */
export interface Shared {
  slots: Slots;
  budgets: Budgets;
  settling: Settling;
  nextLook: NextLook;
  inFlight: InFlight;
}

type Parts = AttemptDeps & Pick<Shared, 'budgets' | 'settling'>;

/** The attempts in flight. */
export class InFlight {
  private readonly work = new Set<Promise<void>>();

  constructor(private readonly parts: Parts) {}

  /** Begins a claimed attempt in its slot, without waiting for it to end. */
  begin(claim: Claim, slot: Slot): void {
    this.parts.budgets.spend(claim.instance_id);
    const work = makeAttempt(this.parts, claim, slot)
      // The claim ensures that the delivery falls due again after any error.
      .catch((error: unknown) =>
        this.parts.log.error({ err: error, deliveryId: claim.id, attempt: claim.number }, 'settling an attempt failed'),
      )
      .finally(() => this.work.delete(work));
    this.work.add(work);
  }

  /** Resolves once nothing is in flight. */
  async idle(): Promise<void> {
    while (this.work.size > 0) await Promise.all(this.work);
  }
}
