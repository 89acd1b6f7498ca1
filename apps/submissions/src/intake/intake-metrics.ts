import { Gauge, Histogram, type Registry } from 'prom-client';

export interface IntakeMetrics {
  waited(seconds: number): void;
  /** @param length how many submissions wait to be stored. */
  watch(length: () => number): void;
}

export function intakeMetrics(registry: Registry): IntakeMetrics {
  const waits = new Histogram({
    name: 'sheaf_intake_wait_seconds',
    help: 'How long submissions waited for their turn to be stored, without the storing.',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    waited: (seconds) => waits.observe(seconds),
    watch: (length) => {
      new Gauge({
        name: 'sheaf_intake_waiting',
        help: 'Submissions that wait in this process for their turn to be stored.',
        registers: [registry],
        collect() {
          this.set(length());
        },
      });
    },
  };
}
