import type { Deps } from '../deps';
import { lanes } from '../subscriptions/lanes';
import type { AttemptDeps } from './attempt';
import { Budgets } from './budgets';
import { InFlight, type Shared } from './in-flight';
import { Looks } from './looks';
import { NextLook } from './next-look';
import { reserve, type Reservation } from './reservations';
import { Settling } from './settling';
import { Slots } from './slots';

/**
 * The attempts that this process makes.
 * 1. `Looks` claims due deliveries for the free slots; or planning reserves slots (`reserve`) and claims first attempts for them.
 * 2. Each claim begins in its slot (`InFlight`), and is made there (`makeAttempt`).
 * 3. A freed slot triggers the next look if something waits in its lane (`NextLook`).
 */
export class Attempts {
  private readonly shared: Shared;
  private readonly looks: Looks;

  constructor(deps: Omit<AttemptDeps, 'settling'> & Pick<Deps, 'db'>) {
    const { clock, metrics, settings } = deps;
    const nextLook = new NextLook();
    const settling = new Settling(deps, () => nextLook.soon());
    const slots: Slots = new Slots(settings, {
      onChange(freed) {
        for (const lane of lanes) metrics.inFlight.set({ lane }, slots.inLane(lane));
        if (freed.length > 0) nextLook.onFreed(...freed);
      },
      onMoved: (id, lane) => settling.noteTurn(id, { lane }),
    });
    const budgets = new Budgets({ clock, perMinute: settings.DELIVERY_PER_INSTANCE_PER_MINUTE });
    const inFlight = new InFlight({ ...deps, settling, budgets });
    this.shared = { slots, settling, budgets, nextLook, inFlight };
    this.looks = new Looks({ ...deps, ...this.shared });
  }

  /** Begins due attempts, as `Looks.runDue` describes. @param onFree called when another look is worthwhile earlier. */
  runDue(onFree: () => void = () => undefined): ReturnType<Looks['runDue']> {
    return this.looks.runDue(onFree);
  }

  /** Reserves slots for the first attempts of deliveries that are being planned, given the subscription and the instance of each. */
  reserve(deliveries: Parameters<typeof reserve>[1]): Promise<Reservation> {
    return reserve(this.shared, deliveries);
  }

  /** Resolves once nothing is in flight. */
  async idle(): Promise<void> {
    const { inFlight, settling, nextLook } = this.shared;
    await inFlight.idle();
    await settling.idle();
    nextLook.cancel();
  }
}
