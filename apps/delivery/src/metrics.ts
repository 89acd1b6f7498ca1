import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { measureQueue } from './metrics.queries';

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
    help: 'Attempts by outcome: the class of the response status (2xx, …) or the name of the failure; own_… are failures on our side, which use up no attempt.',
    labelNames: ['outcome'],
    registers: [registry],
  }),
  inFlight: new Gauge({
    name: 'sheaf_delivery_in_flight',
    help: 'POSTs in flight, by the lane in which they count.',
    labelNames: ['lane'],
    registers: [registry],
  }),
  toFirstPost: new Histogram({
    name: 'sheaf_delivery_first_post_seconds',
    help: 'Seconds from an event to its first POST.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  }),
  dropped: new Counter({
    name: 'sheaf_delivery_dropped_total',
    help: 'Deliveries that failed without an attempt because too many of their subscription were pending.',
    registers: [registry],
  }),
  overBudget: new Gauge({
    name: 'sheaf_delivery_instances_over_budget',
    help: 'Instances that have used up their DELIVERY_PER_INSTANCE_PER_MINUTE; their deliveries wait.',
    registers: [registry],
  }),
});

// Scrapes within this time get the same result.
const cacheMs = 5_000;

/** Registers metrics of the queue in the database; every process reports the same values. */
export function watchQueue(registry: Registry, { db, clock }: { db: Database; clock: Clock }): void {
  let cached: { at: number; queue: ReturnType<typeof measureQueue> } | undefined;
  const measure = () => {
    const at = clock.now().getTime();
    if (!cached || at - cached.at >= cacheMs) cached = { at, queue: measureQueue(db, clock) };
    return cached.queue;
  };
  new Gauge({
    name: 'sheaf_delivery_due',
    help: 'Due deliveries that wait for a slot, counted up to 100000. The same in every process.',
    registers: [registry],
    async collect() {
      this.set((await measure()).due);
    },
  });
  new Gauge({
    name: 'sheaf_delivery_oldest_due_seconds',
    help: 'How long the oldest due delivery has waited for a slot. The same in every process.',
    registers: [registry],
    async collect() {
      this.set((await measure()).oldestSeconds);
    },
  });
}
