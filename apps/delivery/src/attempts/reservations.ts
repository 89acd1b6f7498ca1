import type { Lane } from '../subscriptions/lanes';
import type { Claim } from './claims.queries';
import type { Shared } from './in-flight';
import { ReservedSlots } from './reserved-slots';

/** A planned delivery: the lane in which its subscription waits, null if nothing was ever planned for it, and whether its first attempt is claimed. */
interface Planned {
  subscription_id: string;
  lane: Lane | null;
  begun: boolean;
  /** Its instance has used up its budget, so no look takes it before its turn. */
  held: boolean;
}

/** Slots reserved for first attempts. */
export interface Reservation {
  rooms: { id: string; lane: Lane; room: number }[];
  /**
   * Begins the claims and gives back the other slots.
   * @param made the planned deliveries: the actual lane of each subscription, and whether the delivery has begun or waits there.
   */
  begin(claims: readonly Claim[], made: readonly Planned[]): void;
  /** Gives back all slots without an attempt. */
  end(): void;
}

/**
 * Reserves free slots for the first attempts of deliveries that are being planned. Each of the `rooms` names the lane that we remember
 * for its subscription; if the subscription waits in another lane by now, none of its attempts begins.
 * @param deliveries the subscription and the instance of each.
 */
export async function reserve(
  shared: Shared,
  deliveries: readonly { subscription_id: string; instance_id: string }[],
): Promise<Reservation> {
  const { slots, budgets, settling } = shared;
  const spent = new Set(budgets.spent());
  const within = deliveries.filter(({ instance_id }) => !spent.has(instance_id));
  const wanted = within.map(({ subscription_id: id }) => ({ id, lane: slots.laneOf(id) }));
  // Usually that look claims everything, so nothing is left to queue behind. Without this wait, deliveries that arrive faster than looks
  // end would never get out of the queue again.
  const look = slots.afterLook(wanted.map(({ lane }) => lane));
  if (look) await look;
  const reserved = new ReservedSlots();
  for (const { id, lane } of settling.stalled ? [] : wanted) {
    const slot = slots.take(id, lane);
    if (slot) reserved.add(id, lane, slot);
  }
  return { rooms: reserved.rooms(), begin: (claims, made) => begin(shared, reserved, { claims, made }), end: () => reserved.end() };
}

function begin(
  { slots, nextLook, inFlight }: Shared,
  reserved: ReservedSlots,
  { claims, made }: { claims: readonly Claim[]; made: readonly Planned[] },
): void {
  for (const claim of claims) {
    const slot = reserved.next(claim.subscription_id);
    if (slot) inFlight.begin(claim, slot);
  }
  // A slot taken in the wrong lane would count as an attempt to a subscription that may have only one.
  reserved.end();
  let canBegin = false;
  for (const { subscription_id: id, lane, begun, held } of made) {
    if (lane) slots.noteLane(id, lane);
    if (begun) continue;
    slots.noteQueued(id);
    nextLook.onPlanned(lane ?? 'unproven');
    canBegin ||= !held && slots.hasRoom(id, lane ?? 'unproven');
  }
  // A look is pointless for deliveries without room, and planning would have to wait for it. A freed slot triggers one anyway.
  if (canBegin) nextLook.now();
}
