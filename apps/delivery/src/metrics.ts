import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What this service counts. */
export interface Metrics {
  attempts: Counter<'outcome'>;
  inFlight: Gauge;
  toFirstPost: Histogram;
}

export const deliveryMetrics = (registry: Registry): Metrics => ({
  attempts: new Counter({
    name: 'sheaf_delivery_attempts_total',
    help: 'Attempts, by the class of the status that came back (2xx, …) or the name of the failure.',
    labelNames: ['outcome'],
    registers: [registry],
  }),
  inFlight: new Gauge({ name: 'sheaf_delivery_in_flight', help: 'POSTs under way.', registers: [registry] }),
  toFirstPost: new Histogram({
    name: 'sheaf_delivery_first_post_seconds',
    help: 'Time from what happened to the first POST about it.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  }),
});
