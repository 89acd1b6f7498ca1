import type { Lane, Slot } from './lanes';

/** The slots that planning has taken for first attempts, by subscription. */
export class ReservedSlots {
  private readonly bySubscription = new Map<string, { lane: Lane; slots: Slot[] }>();

  /** @param onFreed called once for each subscription whose slots are given back unused. */
  constructor(private readonly onFreed: (lane: Lane) => void) {}

  add(subscriptionId: string, lane: Lane, slot: Slot): void {
    const reserved = this.bySubscription.get(subscriptionId);
    if (reserved) reserved.slots.push(slot);
    else this.bySubscription.set(subscriptionId, { lane, slots: [slot] });
  }

  /** How many attempts may begin for each subscription, if it waits in this lane. */
  rooms(): { id: string; lane: Lane; room: number }[] {
    return [...this.bySubscription].map(([id, { lane, slots }]) => ({ id, lane, room: slots.length }));
  }

  /** The next slot for an attempt to this subscription. */
  next(subscriptionId: string): Slot | undefined {
    return this.bySubscription.get(subscriptionId)?.slots.shift();
  }

  /** Gives back the slots without an attempt. */
  end(): void {
    for (const { lane, slots } of this.bySubscription.values()) {
      const unused = slots.splice(0);
      for (const slot of unused) slot.end(lane);
      // A look may have passed over the subscription meanwhile.
      if (unused.length > 0) this.onFreed(lane);
    }
  }
}
