import { Counter, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** Scrapers usually time out after ten seconds, and the healthy metrics should arrive in time. */
const collectWithinMs = 1_000;

/**
 * All metrics in Prometheus' text format. A metric whose collector fails or takes too long is omitted and counted: metrics matter most
 * while a dependency that some of them query is down.
 */
export class MetricsPage {
  private readonly failures: Counter<'metric'>;
  /** A collector that timed out and is still running is not started again. */
  private readonly underWay = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly registry: Registry,
    private readonly withinMs = collectWithinMs,
  ) {
    this.failures = new Counter({
      name: 'sheaf_metrics_collector_failures_total',
      help: 'Metrics omitted from a scrape because they could not be collected.',
      labelNames: ['metric'],
      registers: [registry],
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async read(): Promise<string> {
    const names = this.registry.getMetricsAsArray().map(({ name }: Pick<MetricObjectWithValues<MetricValue<string>>, 'name'>) => name);
    const failuresName = 'sheaf_metrics_collector_failures_total';
    const collected = await Promise.all(names.filter((name) => name !== failuresName).map((name) => this.collected(name)));
    // Last, because it counts the omissions of this scrape.
    const texts = [...collected.filter((text) => text !== undefined), await this.registry.getSingleMetricAsString(failuresName)];
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
