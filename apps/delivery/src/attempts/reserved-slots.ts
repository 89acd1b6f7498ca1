import type { Lane } from '../subscriptions/lanes';
import type { Slot } from './slots';

/** The slots that planning has taken for first attempts, by subscription. */
export class ReservedSlots {
  private readonly bySubscription = new Map<string, { lane: Lane; slots: Slot[] }>();

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
    for (const { lane, slots } of this.bySubscription.values()) for (const slot of slots.splice(0)) slot.end(lane);
  }
}
