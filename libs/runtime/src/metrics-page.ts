import { Counter, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** A scrape is mostly given up after ten seconds, and what is well should be told in time. */
const collectWithinMs = 1_000;

/**
 * All metrics as Prometheus reads them. One whose collector fails or takes too long is left out and counted; metrics are needed most
 * while what some of them look at is away.
 */
export class MetricsPage {
  private readonly failures: Counter<'metric'>;
  /** One that was given up and has not ended is not begun once more. */
  private readonly underWay = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly registry: Registry,
    private readonly withinMs = collectWithinMs,
  ) {
    this.failures = new Counter({
      name: 'sheaf_metrics_collector_failures_total',
      help: 'How often a metric was left out because it could not be collected.',
      labelNames: ['metric'],
      registers: [registry],
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async read(): Promise<string> {
    const names = this.registry.getMetricsAsArray().map(({ name }: Pick<MetricObjectWithValues<MetricValue<string>>, 'name'>) => name);
    const own = 'sheaf_metrics_collector_failures_total';
    const told = await Promise.all(names.filter((name) => name !== own).map((name) => this.collected(name)));
    // Last, as it counts what was left out just now.
    const texts = [...told.filter((text) => text !== undefined), await this.registry.getSingleMetricAsString(own)];
    return `${texts.join('\n\n')}\n`;
  }

  private async collected(name: string): Promise<string | undefined> {
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise<undefined>((resolve) => (late = setTimeout(() => resolve(undefined), this.withinMs)));
    const text = await Promise.race([this.collect(name), tooLate]);
    clearTimeout(late);
    if (text === undefined) this.failures.inc({ metric: name });
    return text;
  }

  private collect(name: string): Promise<string | undefined> {
    const begun = this.underWay.get(name);
    if (begun) return begun;
    const collecting = this.registry
      .getSingleMetricAsString(name)
      .catch(() => undefined)
      .finally(() => this.underWay.delete(name));
    this.underWay.set(name, collecting);
    return collecting;
  }
}
