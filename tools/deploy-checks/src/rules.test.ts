import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apps } from '@sheaf/kernel';
import { root } from './manifests';
import { readRules, ruleGroups } from './rules';

// Evaluated by Prometheus itself: the rules run on synthetic series, minute by minute. The promtool on PATH, or Debian's, kept in our cache. Without
// either, the alerts are parsed but not evaluated.
const onPath = spawnSync('promtool', ['--version'], { stdio: 'ignore', timeout: 240_000 }).status === 0;
const fetched = onPath
  ? ''
  : spawnSync(process.execPath, [join(root, 'tools/build/fetch-promtool.mjs')], { encoding: 'utf8', timeout: 300_000 }).stdout.trim();
const promtool = fetched === '' ? 'promtool' : join(fetched, 'promtool');
const hasPromtool = onPath || fetched !== '';
if (!hasPromtool) console.warn('There is no promtool: the alerts are parsed but not evaluated.');
const { alerts, recordings } = readRules();
const describeIfPromtool = hasPromtool ? describe : describe.skip;

let folder: string;
const write = (groups: object[]) => writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups }));
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-rules-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Series {
  series: string;
  values: string;
}

const submissions = (status: number, values: string, namespace = 'forms-of-acme'): Series => ({
  series: `sheaf_http_duration_seconds_count{namespace="${namespace}", route="/public/v1/forms/:form/submissions", method="post", status="${status}"}`,
  values,
});
const pages = (status: number, values: string): Series => ({
  series: `sheaf_http_duration_seconds_count{namespace="forms-of-acme", route="/f/", method="get", status="${status}"}`,
  values,
});
const running = (service: string, values: string): Series => ({
  series: `up{namespace="forms-of-acme", part_of="sheaf", service="${service}", pod="${service}-1"}`,
  values,
});
const allRunning = apps.map((app) => running(app, '1x600'));
const allButHooks = allRunning.filter(({ series }) => !series.includes('"hooks"'));

/** An alert, and the recordings that it reads: to evaluate all others each minute of some days takes a minute of a processor. */
function needed(alert: string): object[] {
  const isRead = (name: string, expr: string): boolean =>
    expr.includes(name) || recordings.some(({ record, expr: other }) => expr.includes(record) && other.includes(name));
  const { expr = '' } = alerts.find((rule) => rule.alert === alert) ?? {};
  return ruleGroups()
    .map((group) => ({
      ...group,
      rules: group.rules.filter((rule) => ('alert' in rule ? rule.alert === alert : isRead(rule.record, expr))),
    }))
    .filter(({ rules }) => rules.length > 0);
}

/** @returns the labels, without annotations, of the alerts with this name that fire at this minute */
function firing(alert: string, minute: number, series: Series[]): Record<string, string>[] {
  const fires = (exp_alerts: object[]) => {
    const tests = {
      rule_files: ['rules.yaml'],
      evaluation_interval: '1m',
      tests: [{ interval: '1m', input_series: series, alert_rule_test: [{ eval_time: `${minute}m`, alertname: alert, exp_alerts }] }],
    };
    write(needed(alert));
    writeFileSync(join(folder, 'test.yaml'), JSON.stringify(tests));
    return spawnSync(promtool, ['test', 'rules', 'test.yaml'], { cwd: folder, encoding: 'utf8', timeout: 240_000 });
  };
  const { status, stdout, stderr } = fires([]);
  if (status === 0) return [];
  // An empty expectation makes promtool print the actual alerts.
  const got = (stdout + stderr).split('got:')[1] ?? '';
  return [...got.matchAll(/Labels:\{([^}]*)\}/g)].map(([, labels = '']) =>
    Object.fromEntries([...labels.matchAll(/\b(\w+)="([^"]*)"/g)].map(([, name, value]) => [name ?? '', value ?? ''])),
  );
}

describeIfPromtool('the alerts', () => {
  it('are rules that Prometheus accepts', () => {
    write(ruleGroups());
    expect(execFileSync(promtool, ['check', 'rules', 'rules.yaml'], { cwd: folder, encoding: 'utf8' })).toContain('SUCCESS');
  });

  it.each([
    ['none of its pods has ever been seen', allButHooks],
    ['its pods are gone', [...allButHooks, running('hooks', '1x10 stale')]],
    ['none of its pods answers', [...allButHooks, running('hooks', '1x10 0x600')]],
  ])('report a process when %s, and no other process', (_how, series) => {
    const fired = firing('SheafProcessIsGone', 30, series);
    expect(new Set(fired.map(({ service }) => service))).toEqual(new Set(['hooks']));
  });

  it('do not fire while every process runs and every request succeeds', () => {
    const calm = [...allRunning, submissions(201, '0+60x600')];
    for (const alert of [
      'SheafProcessIsGone',
      'SheafIsNotScraped',
      'SheafIntakeBurnsItsBudgetFast',
      'SheafIntakeBurnsItsBudget',
      'SheafRequestsFail',
    ])
      expect(firing(alert, 400, calm)).toEqual([]);
  });

  it('report a consumer that has fallen behind for a quarter of an hour, and not a burst', () => {
    const waiting = (values: string): Series[] =>
      ['delivery-1', 'delivery-2'].map((pod) => ({
        series: `sheaf_consumer_messages{namespace="forms-of-acme", service="delivery", pod="${pod}", consumer="delivery-submissions", state="waiting"}`,
        values,
      }));
    expect(firing('SheafConsumerIsBehind', 30, waiting('0+20x60'))).toEqual([
      {
        alertname: 'SheafConsumerIsBehind',
        namespace: 'forms-of-acme',
        service: 'delivery',
        consumer: 'delivery-submissions',
        severity: 'warning',
      },
    ]);
    expect(firing('SheafConsumerIsBehind', 30, waiting('0x20 900x5 0x40'))).toEqual([]);
  });

  it('warn of a certificate two weeks before it ends, and urge two days before', () => {
    const certificate = (end: number): Series[] => [
      {
        series: 'sheaf_certificate_expires_timestamp_seconds{namespace="forms-of-acme", service="forms", pod="a", certificate="own"}',
        values: `${end}x120`,
      },
      {
        series: 'sheaf_certificate_expires_timestamp_seconds{namespace="forms-of-acme", service="forms", pod="a", certificate="authority"}',
        values: '315360000x120',
      },
    ];
    const fired = (days: number) =>
      ['SheafCertificateEndsSoon', 'SheafCertificateEnds'].map((alert) =>
        firing(alert, 120, certificate(7_200 + days * 86_400)).map(({ certificate: which }) => which),
      );
    expect(fired(15)).toEqual([[], []]);
    expect(fired(13)).toEqual([['own'], []]);
    expect(fired(1)).toEqual([['own'], ['own']]);
  });

  it('warn of versions that forms does not have, once for all copies, and end when they are there again', () => {
    const missing = (pod: string, values: string): Series => ({
      series: `sheaf_missing_versions{namespace="forms-of-acme", service="submissions", pod="${pod}"}`,
      values,
    });
    const fired = (minute: number, values: string) =>
      firing('SheafVersionsAreMissing', minute, [missing('submissions-1', values), missing('submissions-2', values)]);
    expect(fired(20, '2x600')).toMatchObject([{ namespace: 'forms-of-acme', severity: 'warning' }]);
    expect(fired(3, '2x600')).toEqual([]);
    expect(fired(20, '0x600')).toEqual([]);
    expect(fired(60, '2x30 0x600')).toEqual([]);
  });

  it('warn of a system that has not ended to change over to TLS', () => {
    const open = (values: string): Series => ({
      series: 'sheaf_grpc_plaintext_connections{namespace="forms-of-acme", service="forms", pod="a"}',
      values,
    });
    expect(firing('SheafAnswersWithoutTls', 1500, [open('0x1500')])).toHaveLength(1);
    expect(firing('SheafAnswersWithoutTls', 1500, [open('0x1000 stale')])).toEqual([]);
  });

  it('tell two systems in one Prometheus apart', () => {
    const series = [submissions(503, '0+60x120'), submissions(201, '0+60x120', 'staging')];
    expect(firing('SheafRequestsFail', 30, series)).toMatchObject([{ namespace: 'forms-of-acme' }]);
  });
});

describeIfPromtool('the alerts on a replicated PostgreSQL', () => {
  const labels = 'namespace="forms-of-acme", cluster="postgres", part_of="sheaf"';
  const replicas = (value: string, values: string): Series => ({
    series: `cnpg_collector_sync_replicas{${labels}, pod="postgres-1", value="${value}"}`,
    values,
  });

  it('report that no standby confirms writes, or that none is asked to', () => {
    const fired = (...series: Series[]) => firing('SheafPostgresHasNoSynchronousStandby', 30, series);
    expect(fired(replicas('expected', '1x60'), replicas('observed', '2x60'))).toEqual([]);
    expect(fired(replicas('expected', '1x60'), replicas('observed', '2x10 0x60'))).toMatchObject([{ severity: 'critical' }]);
    expect(fired(replicas('expected', '0x60'), replicas('observed', '0x60'))).toMatchObject([{ namespace: 'forms-of-acme' }]);
  });

  it('report a backup of the day before yesterday, and a cluster without any', () => {
    const backup = (values: string): Series => ({
      series: `barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${labels}, pod="postgres-1"}`,
      values,
    });
    // The series begin at 1970: a backup at its first second is 50 hours old at minute 3000.
    expect(firing('SheafPostgresBackupIsOld', 3000, [backup('0x3000')])).toHaveLength(1);
    expect(firing('SheafPostgresBackupIsOld', 3000, [backup('0x2000 120000x1000')])).toEqual([]);
    expect(firing('SheafPostgresBackupIsOld', 60, [])).toHaveLength(1);
  });
});

describeIfPromtool('the alerts on objectives', () => {
  it('fire within minutes when a tenth of submissions fail, and end soon after', () => {
    const outage = [submissions(201, '0+54x180 9720+60x240'), submissions(503, '0+6x180 1080+0x240')];
    expect(firing('SheafIntakeBurnsItsBudgetFast', 20, outage)).toEqual([
      { alertname: 'SheafIntakeBurnsItsBudgetFast', namespace: 'forms-of-acme', severity: 'critical' },
    ]);
    // The burn rate over six hours is still too high, but over half an hour it has recovered.
    expect(firing('SheafIntakeBurnsItsBudgetFast', 240, outage)).toEqual([]);
  });

  it('count the pages of forms as well', () => {
    const outage = [submissions(201, '0+60x60'), pages(200, '0+54x60'), pages(503, '0+6x60')];
    expect(firing('SheafIntakeBurnsItsBudgetFast', 30, outage)).toHaveLength(1);
  });

  it('only warn when a small share fails for hours', () => {
    const trickle = [submissions(201, '0+1000x600'), submissions(500, '0+2x600')];
    expect(firing('SheafIntakeBurnsItsBudgetFast', 500, trickle)).toEqual([]);
    expect(firing('SheafIntakeBurnsItsBudget', 500, trickle)).toMatchObject([{ severity: 'warning' }]);
  });

  it.each(['10', '10.0'])('count an event as late if its first POST takes longer than 10 s, with the bucket written as %s', (bound) => {
    const events = (late: number): Series[] => [
      { series: `sheaf_delivery_first_post_seconds_bucket{namespace="forms-of-acme", le="${bound}"}`, values: `0+${100 - late}x120` },
      { series: 'sheaf_delivery_first_post_seconds_count{namespace="forms-of-acme"}', values: '0+100x120' },
    ];
    expect(firing('SheafDeliveryBurnsItsBudgetFast', 60, events(20))).toHaveLength(1);
    expect(firing('SheafDeliveryBurnsItsBudgetFast', 60, events(1))).toEqual([]);
  });
});
