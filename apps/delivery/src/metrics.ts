import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { queueAt } from './metrics.queries';

/** The metrics of this service. */
export interface Metrics {
  attempts: Counter<'outcome'>;
  inFlight: Gauge<'lane'>;
  toFirstPost: Histogram;
  dropped: Counter;
  overBudget: Gauge;
}

export const deliveryMetrics = (registry: Registry): Metrics => ({
  attempts: new Counter({
    name: 'sheaf_delivery_attempts_total',
    help: 'Attempts, by the class of the status that came back (2xx, …) or the name of the failure; own_… are failures of ours, which the subscriber does not pay for.',
    labelNames: ['outcome'],
    registers: [registry],
  }),
  inFlight: new Gauge({
    name: 'sheaf_delivery_in_flight',
    help: 'POSTs under way, by the lane that they count in.',
    labelNames: ['lane'],
    registers: [registry],
  }),
  toFirstPost: new Histogram({
    name: 'sheaf_delivery_first_post_seconds',
    help: 'Time from what happened to the first POST about it.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  }),
  dropped: new Counter({
    name: 'sheaf_delivery_dropped_total',
    help: 'Deliveries that failed without an attempt, as too many of their subscription were pending.',
    registers: [registry],
  }),
  overBudget: new Gauge({
    name: 'sheaf_delivery_instances_over_budget',
    help: 'Instances that have spent their DELIVERY_PER_INSTANCE_PER_MINUTE, whose deliveries wait.',
    registers: [registry],
  }),
});

// Scrapes that follow within this time, or come from other scrapers, get the same result.
const rememberMs = 5_000;

/** The state of the queue in the database; every process reports the same values. */
export function watchQueue(registry: Registry, { db, clock }: { db: Database; clock: Clock }): void {
  let last: { at: number; found: ReturnType<typeof queueAt> } | undefined;
  const look = () => {
    const at = clock.now().getTime();
    if (!last || at - last.at >= rememberMs) last = { at, found: queueAt(db, clock) };
    return last.found;
  };
  new Gauge({
    name: 'sheaf_delivery_due',
    help: 'Deliveries that are due and wait for a slot, counted up to 100000. The same in every process.',
    registers: [registry],
    async collect() {
      this.set((await look()).due);
    },
  });
  new Gauge({
    name: 'sheaf_delivery_oldest_due_seconds',
    help: 'For how long the one that waits longest for a slot has been due. The same in every process.',
    registers: [registry],
    async collect() {
      this.set((await look()).oldestSeconds);
    },
  });
}
