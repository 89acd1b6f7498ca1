import type { Process } from '@sheaf/runtime';
import { Counter } from 'prom-client';

/** The counter that all publishers of a process share. */
export const publishFailures = ({ metrics }: Pick<Process, 'metrics'>): Counter =>
  (metrics.getSingleMetric('sheaf_publish_failures_total') as Counter | undefined) ??
  new Counter({
    name: 'sheaf_publish_failures_total',
    help: 'Times that events could not be published. They stay in the outbox, and are published again.',
    registers: [metrics],
  });
