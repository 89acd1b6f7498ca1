const minRestMs = 250;
const maxRestMs = 5_000;
/** After this many consecutive failures, the handler is assumed to be at fault, not an event. */
const sickAfter = 3;
/** A message that has failed alone this often is skipped, provided that others succeed. */
const maxDeliveries = 5;

/**
 * Decides how a consumer continues after its handler failed: it rests, longer each time, then pulls one message, and twice as many after each
 * success. So a failing copy takes few messages from the others, and an event that always fails is soon isolated and delays no others.
 */
export class Recovery {
  /** Consecutive failures. */
  failures = 0;
  /** How many messages to pull at once. */
  maxMessages: number;
  private restMs = 0;

  constructor(
    private readonly limit: number,
    private readonly onChange: (failures: number) => void,
  ) {
    this.maxMessages = limit;
    onChange(0);
  }

  get isSick(): boolean {
    return this.failures >= sickAfter;
  }

  /** Returns the rest before the next pull and resets it. */
  takeRestMs(): number {
    const ms = this.restMs;
    this.restMs = 0;
    return ms;
  }

  succeeded(): void {
    if (this.failures > 0) this.onChange(0);
    this.failures = 0;
    this.maxMessages = Math.min(this.limit, 2 * this.maxMessages);
  }

  /**
   * @param deliveries how often the failed message was delivered, if it failed alone.
   * @returns the delay before its redelivery in milliseconds, or `skip` to skip it: the outbox is the source of truth and will send its
   *   events again.
   */
  failed(deliveries?: number): number | 'skip' {
    this.failures += 1;
    this.onChange(this.failures);
    this.maxMessages = 1;
    this.restMs = Math.min(maxRestMs, minRestMs * 2 ** (this.failures - 1));
    if (deliveries === undefined) return 0;
    if (deliveries >= maxDeliveries && this.failures === 1) return 'skip';
    return Math.min(maxRestMs, minRestMs * 2 ** (deliveries - 1));
  }
}
