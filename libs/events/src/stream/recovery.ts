const shortestRestMs = 250;
const longestRestMs = 5_000;
/** After so many failures in a row it is the handler that fails, and not an event. */
const sickAfter = 3;
/** A message that failed so often alone is left out, provided that others succeed. */
const mostDeliveries = 5;

/**
 * How a consumer goes on after its handler failed: it rests, longer each time, then takes one message, and twice as many after each success.
 * So a copy that is sick takes hardly anything from the others, and an event that cannot be worked off is soon alone and keeps nothing else.
 */
export class Recovery {
  /** In a row. */
  failures = 0;
  /** How many messages to take at once. */
  atOnce: number;
  private restMs = 0;

  constructor(
    private readonly most: number,
    private readonly onChange: (failures: number) => void,
  ) {
    this.atOnce = most;
    onChange(0);
  }

  get isSick(): boolean {
    return this.failures >= sickAfter;
  }

  /** How long to wait before the next messages are taken; asked once after each failure. */
  takeRestMs(): number {
    const ms = this.restMs;
    this.restMs = 0;
    return ms;
  }

  succeeded(): void {
    if (this.failures > 0) this.onChange(0);
    this.failures = 0;
    this.atOnce = Math.min(this.most, 2 * this.atOnce);
  }

  /**
   * @param deliveries how often the message that failed was delivered, if it failed alone.
   * @returns after how many milliseconds that message may come again, or to leave it out: the outbox, which holds the truth, brings its
   *   events again later.
   */
  failed(deliveries?: number): number | 'leave out' {
    this.failures += 1;
    this.onChange(this.failures);
    this.atOnce = 1;
    this.restMs = Math.min(longestRestMs, shortestRestMs * 2 ** (this.failures - 1));
    if (deliveries === undefined) return 0;
    if (deliveries >= mostDeliveries && this.failures === 1) return 'leave out';
    return Math.min(longestRestMs, shortestRestMs * 2 ** (deliveries - 1));
  }
}
