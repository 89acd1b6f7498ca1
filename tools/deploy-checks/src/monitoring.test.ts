import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { parse } from 'yaml';
import { apps } from '@sheaf/kernel';
import { root } from './manifests';
import { parseQuery, readRules } from './rules';

const folder = join(root, 'deploy/components/monitoring');
interface Dashboard {
  uid: string;
  panels: { id: number; title: string; description?: string; options?: { content?: string }; targets: { expr: string }[] }[];
}
const dashboards = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Dashboard) }));
const { alerts, recordings } = readRules();
const runbooks = readFileSync(join(root, 'docs/runbooks.md'), 'utf8');

/** The metrics of a process with their labels: those in our code, and those of prom-client. */
function registered(): Map<string, string[]> {
  const sources = ['apps', 'libs'].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\/src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, part, file), 'utf8')),
  );
  const found = new Map<string, string[]>();
  for (const source of sources) {
    for (const [, type, options = ''] of source.matchAll(/new (Counter|Gauge|Histogram|Summary)\(\{([^]*?)registers:/g)) {
      const name = /name: '([a-z0-9_]+)'/.exec(options)?.[1] ?? '';
      const labels = [...(/labelNames: \[([^\]]*)\]/.exec(options)?.[1] ?? '').matchAll(/'([a-z_]+)'/g)].map(([, label]) => label ?? '');
      for (const suffix of type === 'Histogram' ? ['_bucket', '_count', '_sum'] : ['']) found.set(`${name}${suffix}`, labels);
    }
  }
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults });
  for (const { name } of defaults.getMetricsAsArray()) found.set(name, []);
  defaults.clear();
  return found;
}

/** Labels that Prometheus itself, our PodMonitor, or a kubelet adds to series. */
const externalLabels = ['namespace', 'pod', 'service', 'version', 'part_of', 'le', 'persistentvolumeclaim', 'cluster', 'value'];
/** Metrics from other sources: the scrape itself, the kubelet, and CloudNativePG with its plugin for backups. */
const externalMetrics = [
  'up',
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
  'cnpg_collector_sync_replicas',
  'cnpg_pg_replication_lag',
  'cnpg_pg_stat_archiver_last_archived_time',
  'cnpg_pg_stat_archiver_last_failed_time',
  'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp',
];

const ours = registered();

const expressions = [
  ...dashboards.flatMap(({ file, panels }) =>
    panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => [`the panel "${title}" of ${file}`, expr.replaceAll('$__rate_interval', '5m')] as const),
    ),
  ),
  ...alerts.map(({ alert, expr }) => [`the alert ${alert}`, expr] as const),
  ...recordings.map(({ record, expr }) => [record, expr] as const),
];

it.each(expressions)('%s is valid PromQL with known metrics and labels', (_where, expr) => {
  const { faults, metrics, labels } = parseQuery(expr);
  expect(faults).toEqual([]);

  const others = [...externalMetrics, ...recordings.map(({ record }) => record)];
  const known = new Map<string, string[]>([...ours, ...others.map((name): [string, string[]] => [name, []])]);
  expect(metrics.filter((name) => !known.has(name))).toEqual([]);
  expect(metrics.length).toBeGreaterThan(0);
  expect(labels.filter((label) => ![...externalLabels, ...metrics.flatMap((name) => known.get(name) ?? [])].includes(label))).toEqual([]);
});

it('an invalid query and a misspelt metric or label are reported', () => {
  expect(parseQuery('sum by (namespace) (rate(up[5m])').faults).not.toEqual([]);
  expect(parseQuery('sum by (pod) (rate(sheaf_made_up_total{outcome="x"}[5m]))')).toEqual({
    faults: [],
    metrics: ['sheaf_made_up_total'],
    labels: ['pod', 'outcome'],
  });
});

it('the names of our metrics are read from the code', () => {
  expect([...ours.keys()]).toEqual(
    expect.arrayContaining(['sheaf_http_duration_seconds_bucket', 'sheaf_outbox_oldest_seconds', 'process_resident_memory_bytes']),
  );
  expect(ours.get('sheaf_delivery_attempts_total')).toEqual(['outcome']);
  expect(ours.has('sheaf_made_up_total')).toBe(false);
});

it('no panel or alert is defined twice', () => {
  for (const { panels } of dashboards) expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  expect(alerts.every(({ labels, annotations }) => ['critical', 'warning'].includes(labels.severity) && annotations.summary !== '')).toBe(
    true,
  );
});

it.each(alerts.map(({ alert, annotations }) => [alert, annotations.runbook_url] as const))(
  '%s links to its runbook, which says what it means, what to look at and what to do',
  (alert, url) => {
    expect(url).toBe(`https://git.example.org/sheaf/docs/runbooks.md#${alert.toLowerCase()}`);
    const [, text = ''] = runbooks.split(`\n## ${alert}\n`);
    expect(text.split('\n## ')[0]).toMatch(/\*\*Meaning\.\*\*[^]*\*\*Look at\*\*[^]*\*\*Do\*\*/);
  },
);

it('every dashboard is applied, and names runbooks that exist', () => {
  const { configMapGenerator } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
    configMapGenerator: { files?: string[] }[];
  };
  const applied = configMapGenerator.flatMap(({ files = [] }) => files.map((file) => file.split('=').at(-1)));
  expect(applied.sort()).toEqual(dashboards.map(({ file }) => file).sort());
  const texts = dashboards.flatMap(({ panels }) =>
    panels.map(({ description = '', options }) => `${description} ${options?.content ?? ''}`),
  );
  const named = [...texts.join(' ').matchAll(/\bSheaf[A-Z]\w+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !runbooks.includes(`\n## ${name}\n`))).toEqual([]);
});

it('every runbook belongs to an alert, and every link leads to a runbook', () => {
  const titles = [...runbooks.matchAll(/^## (Sheaf\w+)$/gm)].map(([, title]) => title);
  expect(titles.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  const links = [...runbooks.matchAll(/\]\(#(\w+)\)/g)].map(([, link]) => link);
  expect(links.filter((link) => !titles.some((title) => title?.toLowerCase() === link))).toEqual([]);
});

it('no alert names a namespace, and each keeps the namespace of its series', () => {
  for (const { alert, expr } of alerts) {
    expect({ alert, isFixed: /namespace\s*=/.test(expr) }).toEqual({ alert, isFixed: false });
    for (const [, grouping = ''] of expr.matchAll(/\bby \(([^)]*)\)/g))
      expect({ alert, grouping }).toEqual({ alert, grouping: expect.stringContaining('namespace') as unknown });
  }
});

it('an alert covers the absence of each process', () => {
  const gone = alerts.find(({ alert }) => alert === 'SheafProcessIsGone')?.expr ?? '';
  for (const app of apps) expect(gone).toContain(`absent(up{part_of="sheaf", service="${app}"})`);
});

it.each(['pod-monitor.yaml', 'network-policy.yaml'])('%s covers all processes', (file) => {
  const { spec } = parse(readFileSync(join(folder, file), 'utf8')) as {
    spec: Record<string, { matchExpressions: { values: string[] }[] }>;
  };
  expect((spec.selector ?? spec.podSelector)?.matchExpressions[0]?.values).toEqual([...apps]);
});
