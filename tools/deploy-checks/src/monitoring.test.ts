import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { parse } from 'yaml';
import { apps, root } from './manifests';

const folder = join(root, 'deploy/components/monitoring');
const dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as { panels: { id: number; title: string; targets: { expr: string }[] }[]; templating: { list: { query: string }[] } };
const alerts = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as { spec: { groups: { rules: { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }[] }[] } };
const rules = alerts.spec.groups.flatMap((group) => group.rules);

/** The metrics that a process has, with the labels that it gives them: those in the code, and those of prom-client. */
function registered(): Map<string, string[]> {
  const sources = ['apps', 'libs'].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: 'utf8' }).filter((file) => /\/src\/.*\.ts$/.test(file) && !file.endsWith('.test.ts')).map((file) => readFileSync(join(root, part, file), 'utf8')),
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

/** What Prometheus itself, and our PodMonitor, put on every series. */
const fromOutside = ['namespace', 'pod', 'service', 'version', 'le'];

const expressions = [
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`the panel "${title}"`, expr] as const)),
  ...rules.map(({ alert, expr }) => [`the alert ${alert}`, expr] as const),
];

it.each(expressions)('%s asks for metrics and labels that there are', (_where, expr) => {
  const known = registered();
  const metrics = [...expr.matchAll(/\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?=[{[])/g)].map(([, name]) => name ?? '');
  const others = metrics.filter((name) => !known.has(name));
  expect(others).toEqual([]);
  expect(metrics.length + (/\bup\{/.test(expr) ? 1 : 0)).toBeGreaterThan(0);

  const inBraces = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) => [...inner.matchAll(/([a-z_]+)\s*[=!]/g)].map(([, label]) => label ?? ''));
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, inner = '']) => inner.split(',').map((label) => label.trim()));
  const labels = [...fromOutside, ...metrics.flatMap((name) => known.get(name) ?? [])];
  expect([...inBraces, ...grouped].filter((label) => !labels.includes(label))).toEqual([]);
});

it('the names of our metrics are found in the code', () => {
  const known = registered();
  expect([...known.keys()]).toEqual(expect.arrayContaining(['sheaf_http_duration_seconds_bucket', 'sheaf_outbox_oldest_seconds', 'process_resident_memory_bytes']));
  expect(known.get('sheaf_delivery_attempts_total')).toEqual(['outcome']);
  expect(known.has('sheaf_made_up_total')).toBe(false);
});

it('each panel and each alert stands once', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(rules.every(({ labels, annotations }) => ['critical', 'warning'].includes(labels.severity) && annotations.summary !== '')).toBe(true);
});

it.each(['pod-monitor.yaml', 'network-policy.yaml'])('%s is about all processes', (file) => {
  const { spec } = parse(readFileSync(join(folder, file), 'utf8')) as { spec: Record<string, { matchExpressions: { values: string[] }[] }> };
  expect((spec.selector ?? spec.podSelector)?.matchExpressions[0]?.values).toEqual([...apps]);
});
