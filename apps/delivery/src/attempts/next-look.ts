import { lanes, type Lane } from '../subscriptions/lanes';

// Slots freed within this time are filled together.
const gatherMs = 5;

/**
 * Triggers the next look before its time, when it is likely to find something:
 * 1. A round of looks begins, and remembers how many slots have been freed so far.
 * 2. It ends with the lanes in which something still waits. Slots that were freed during the round may be worth another look.
 * 3. From then on, a freed slot triggers a look if something waits in its lane, or was planned there since the last look began.
 */
export class NextLook {
  /** The lanes in which the last look found something due, so that a free slot there is worth another look. */
  private waiting: readonly Lane[] = lanes;
  /** The lanes in which something was planned after that look began; the look may have missed it. */
  private readonly planned = new Set<Lane>();
  private freedSlots = 0;
  private timer: NodeJS.Timeout | undefined;
  private look: () => void = () => undefined;

  /**
   * Begins a round of looks.
   * @param look triggers the next round.
   * @returns a function that ends this round, with the lanes in which something is due.
   */
  begin(look: () => void): (waiting: readonly Lane[]) => void {
    this.look = look;
    const freedBefore = this.freedSlots;
    return (waiting) => {
      this.waiting = waiting;
      // The round did not see slots that were freed while it ran.
      if (this.freedSlots > freedBefore) this.onFreed(...lanes);
    };
  }

  /** A look begins, which sees everything that was planned before. */
  onLook(): void {
    this.planned.clear();
  }

  onPlanned(lane: Lane): void {
    this.planned.add(lane);
  }

  /** These lanes have room: looks again if something waits for it. */
  onFreed(...withRoom: readonly Lane[]): void {
    this.freedSlots += 1;
    if (withRoom.some((lane) => this.waiting.includes(lane) || this.planned.has(lane))) this.soon();
  }

  now(): void {
    this.look();
  }

  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.look();
    }, gatherMs);
  }

  /** Drops a look that was to come soon. */
  cancel(): void {
    clearTimeout(this.timer);
  }
}
