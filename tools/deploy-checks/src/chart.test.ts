import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apps, services } from '@sheaf/kernel';
import { checks, type CheckName } from './checks';
import {
  generatedSecrets,
  hasKubectl,
  manifestsIn,
  nameOf,
  ofKind,
  render,
  renderKustomizations,
  root,
  titleOf,
  workloads,
  type Manifest,
} from './manifests';
import { replicatedServers } from './rendered';

const run = promisify(execFile);

// A Helm on PATH, or one from the registry, kept in our cache. Without either, the chart is not checked.
const onPath = spawnSync('helm', ['version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
const fetched = onPath
  ? ''
  : spawnSync(process.execPath, [join(root, 'tools/build/fetch-helm.mjs')], { encoding: 'utf8', timeout: 300_000 }).stdout.trim();
const helm = onPath ? 'helm' : fetched === '' ? undefined : join(fetched, 'helm');
if (helm === undefined) console.warn('There is no Helm: the chart is not checked.');
const describeIfHelm = hasKubectl && helm !== undefined ? describe : describe.skip;

let chart = '';
beforeAll(async () => {
  if (!hasKubectl || helm === undefined) return;
  mkdirSync(join(root, 'dist'), { recursive: true });
  chart = mkdtempSync(join(root, 'dist/chart-test-'));
  await run(process.execPath, [join(root, 'deploy/chart/build.mjs'), chart]);
});
afterAll(() => {
  if (chart !== '') rmSync(chart, { recursive: true });
});

/** The manifests that `helm install` would send; with `--is-upgrade`, `helm upgrade`. */
async function template(...options: string[]): Promise<Manifest[]> {
  const { stdout } = await run(helm ?? '', ['template', 'sheaf', chart, '--namespace', 'sheaf', ...options], { maxBuffer: 2 ** 24 });
  return manifestsIn(stdout);
}
const values = (size: string) => ['--values', join(chart, `values-${size}.yaml`)];
const set = (...pairs: string[]) => pairs.flatMap((pair) => ['--set', pair]);

const secret = (name: string, ...keys: string[]): Manifest => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData: Object.fromEntries(keys.map((key) => [key, 'test'])),
});
const ownSecrets = [
  secret('stripe-secrets', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'),
  secret('files-secrets', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'),
  { ...secret('webhook-proxy-secrets'), stringData: { WEBHOOK_PROXY_CREDENTIALS: 'name:password' } },
];
/** An address for the proxy of webhooks, by which the checks find the policy that opens it. */
const webhookProxy = ['enabled=true', 'host=10.40.0.9', 'port=8888', 'cidr=10.40.0.9/32', 'credentials=true'].map(
  (pair) => `webhooks.proxy.${pair}`,
);
/** The seed reads and writes a secret of its own, which no other pod may: it is checked apart. */
const isSeed = (manifest: Manifest) => nameOf(manifest) === 'workspaces-seed';

async function faultsOf(manifests: readonly Manifest[], ...addresses: string[]): Promise<string[]> {
  const system = [...generatedSecrets(...addresses), ...ownSecrets, ...manifests.filter((manifest) => !isSeed(manifest))];
  return (await Promise.all((Object.keys(checks) as CheckName[]).map(async (name) => checks[name](system)))).flat();
}

/** The same manifests without what only a release has: the order of Argo CD, and checksums instead of hashes in names. */
function comparable(manifests: readonly Manifest[]): Record<string, object> {
  const text = JSON.stringify(manifests).replaceAll(/\b([a-z-]+-(?:settings|roles))-[a-z0-9]{10}\b/g, '$1');
  const isNothing = (key: string, value: unknown) =>
    value === null ||
    // An option may add to these lists.
    (['volumes', 'volumeMounts'].includes(key) && Array.isArray(value) && value.length === 0) ||
    key.startsWith('argocd.argoproj.io/') ||
    key === 'checksum/settings';
  const plain = JSON.parse(text, (key, value: unknown) => {
    if (isNothing(key, value)) return undefined;
    return key === 'annotations' && Object.keys(value as object).length === 0 ? undefined : value;
  }) as Manifest[];
  return Object.fromEntries(plain.filter(({ kind }) => kind !== 'Namespace').map((manifest) => [titleOf(manifest), manifest]));
}

describeIfHelm('the chart', () => {
  it('has no fault that Helm finds by itself', () => {
    expect(execFileSync(helm ?? '', ['lint', '--strict', chart], { encoding: 'utf8' })).toContain('0 chart(s) failed');
  });

  it.each([
    ['production', [], ['environments/production', 'platform/certificates', 'platform/postgres', 'platform/nats']],
    [
      'replicated',
      ['postgres.mode=pooled', 'nats.mode=cluster'],
      ['environments/replicated', 'platform/certificates', 'platform/postgres-cluster', 'platform/pgbouncer', 'platform/nats-cluster'],
    ],
  ])('sends the manifests of the environment %s', async (_name, pairs, folders) => {
    const migrations = services.map((service) => `services/${service}/migrate`);
    const rendered = await Promise.all(['platform/namespace', ...folders, ...migrations].map((folder) => render(`deploy/${folder}`)));
    expect(comparable(await template(...set(...pairs)))).toEqual(comparable(rendered.flat()));
  });

  it.each([
    ['small', () => values('small'), []],
    ['large', () => values('large'), replicatedServers],
    ['with a cluster without PgBouncer', () => set('postgres.mode=cluster'), ['--postgres', 'postgres-rw:5432']],
    [
      'with servers elsewhere',
      () => set('postgres.mode=elsewhere', 'postgres.cidr=10.20.0.7/32', 'nats.mode=elsewhere', 'nats.cidr=10.30.0.8/32'),
      ['--postgres', '10.20.0.7:5432', '--nats', '10.30.0.8:4222'],
    ],
    ['with an Ingress', () => set('gateway.ingress.enabled=true', 'gateway.trustedProxies=10.42.3.17'), []],
    ['with the Gateway API', () => set('gateway.gatewayApi.enabled=true', 'gateway.trustedProxies=10.42.3.17'), []],
    ['with payments, a bucket and KEDA', () => set('payments.enabled=true', 'files.mode=bucket', 'keda.enabled=true'), []],
    ['with a proxy for webhooks and an authority of receivers', () => set(...webhookProxy, 'webhooks.ca.enabled=true'), []],
    ['with monitoring and traces', () => set('monitoring.enabled=true', 'tracing.enabled=true'), []],
    ['without TLS', () => set('tls.enabled=false'), []],
    ['with certificates of the operator, while it changes over', () => set('tls.certificates=existing', 'tls.step=accept'), []],
    ['with secrets from a store', () => set('externalSecrets.enabled=true'), []],
  ])('passes every check %s', async (_name, options, addresses) => {
    expect(await faultsOf(await template(...options()), ...addresses)).toEqual([]);
  });

  it('runs one pod of each process for a small system', async () => {
    const manifests = await template(...values('small'));
    expect(ofKind(manifests, 'Deployment').map(({ spec }) => spec?.replicas)).toEqual(apps.map(() => 1));
    expect(manifests.filter(({ kind }) => ['HorizontalPodAutoscaler', 'PodDisruptionBudget'].includes(kind))).toEqual([]);
    expect(ofKind(manifests, 'PersistentVolumeClaim')[0]?.spec?.accessModes).toEqual(['ReadWriteOnce']);
  });

  it('takes its names, sizes and settings from the values', async () => {
    const manifests = await template(
      ...set('image.registry=ghcr.io/acme', 'image.tag=0.2.0', 'gateway.host=forms.acme.example', 'gateway.ingress.enabled=true'),
      ...set('apps.forms.settings.LOG_LEVEL=debug', 'apps.forms.settings.NATS_MAX_ACK_PENDING=200', 'apps.forms.maxReplicas=4'),
      ...set('apps.forms.resources.limits.memory=1Gi', 'files.volume.size=7Gi'),
    );
    const own = workloads(manifests).filter(({ app }) => app !== undefined);
    expect(own.map(({ container }) => container.image)).toEqual(own.map(({ app }) => `ghcr.io/acme/sheaf/${app ?? ''}:0.2.0`));
    expect(own.map(({ name }) => name)).toContain('forms-migrate-v0.2.0');
    const named = (kind: Manifest['kind'], name: string) => manifests.find((each) => each.kind === kind && nameOf(each) === name);
    expect(named('ConfigMap', 'forms-settings')).toMatchObject({
      data: { LOG_LEVEL: 'debug', NATS_MAX_ACK_PENDING: '200', SHUTDOWN_GRACE_MS: '10000' },
    });
    expect(named('HorizontalPodAutoscaler', 'forms')).toMatchObject({ spec: { minReplicas: 2, maxReplicas: 4 } });
    expect(own.find(({ name }) => name === 'forms')?.container.resources).toEqual({ limits: { memory: '1Gi' } });
    expect(named('Ingress', 'gateway')).toMatchObject({
      spec: { rules: [{ host: 'forms.acme.example' }], tls: [{ hosts: ['forms.acme.example'] }] },
    });
    expect(named('PersistentVolumeClaim', 'submissions-files')).toMatchObject({ spec: { resources: { requests: { storage: '7Gi' } } } });
  });

  it('lets webhooks out by their proxy alone, and tells hooks and delivery the same hosts', async () => {
    const hosts = 'hooks.zapier.com\\,*.make.com';
    const manifests = await template(...set(...webhookProxy, `webhooks.proxy.allowHosts=${hosts}`));
    const settingsOf = (app: string) => manifests.find((each) => each.kind === 'ConfigMap' && nameOf(each) === `${app}-settings`);
    const listed = { WEBHOOK_PROXY_ALLOW_HOSTS: 'hooks.zapier.com,*.make.com' };
    expect(settingsOf('delivery')).toMatchObject({ data: { ...listed, WEBHOOK_PROXY_URL: 'http://10.40.0.9:8888' } });
    expect(settingsOf('hooks')).toMatchObject({ data: listed });
    const policy = manifests.find((each) => each.kind === 'NetworkPolicy' && nameOf(each) === 'delivery');
    expect(JSON.stringify(policy)).not.toContain('0.0.0.0/0');
  });

  it('takes the steps to TLS of a running system, with certificates of cert-manager or without', async () => {
    const stepOf = (manifests: Manifest[]) =>
      workloads(manifests).flatMap(({ container }) =>
        (container.env ?? []).flatMap(({ name, value }) => (name === 'GRPC_TLS' ? [value] : [])),
      );
    const certificatesIn = (manifests: Manifest[]) => manifests.filter(({ kind }) => kind === 'Certificate').length;
    for (const step of ['accept', 'call'] as const) {
      const manifests = await template(...set(`tls.step=${step}`));
      expect(stepOf(manifests)).toEqual(apps.map(() => step));
      expect(certificatesIn(manifests)).toBe(apps.length + 1);
    }
    const existing = await template(...set('tls.certificates=existing'));
    expect([stepOf(existing), certificatesIn(existing)]).toEqual([[], 0]);
    const without = await template(...set('tls.enabled=false', 'tls.step=accept'));
    expect(JSON.stringify(without)).not.toMatch(/GRPC_TLS|-tls"/);
  });

  it('restarts the pods of a process when its settings change, and no others', async () => {
    const sums = async (...pairs: string[]) =>
      Object.fromEntries(
        ofKind(await template(...set(...pairs)), 'Deployment').map((deployment) => [
          nameOf(deployment),
          deployment.spec?.template.metadata?.annotations?.['checksum/settings'],
        ]),
      );
    const [before, after] = await Promise.all([sums(), sums('apps.forms.settings.LOG_LEVEL=debug')]);
    expect(apps.filter((app) => before[app] !== after[app])).toEqual(['forms']);
  });

  it('migrates before an upgrade replaces a pod, and beside the servers in an installation', async () => {
    const hooks = async (...options: string[]) =>
      ofKind(await template(...options), 'Job')
        .map((job) => `${nameOf(job).replace(/-v.*/, '')}: ${job.metadata?.annotations?.['helm.sh/hook'] ?? 'none'}`)
        .sort();
    const names = ['postgres-roles', ...services.map((service) => `${service}-migrate`)].sort();
    expect(await hooks()).toEqual(names.map((name) => `${name}: none`));
    expect(await hooks('--is-upgrade')).toEqual(names.map((name) => `${name}: pre-upgrade`));
  });

  it('keeps finished jobs for tools that would create them again', async () => {
    const jobs = ofKind(await template(...set('migrations.keepJobs=true')), 'Job');
    expect(jobs.filter(({ spec }) => spec?.ttlSecondsAfterFinished !== undefined).map(titleOf)).toEqual([]);
  });

  it.each([[[]], [['postgres.mode=pooled', 'nats.mode=cluster', 'payments.enabled=true', 'files.mode=bucket', ...webhookProxy]]])(
    'takes from a store the secrets that its pods use, with %j',
    async (pairs) => {
      const manifests = await template(...set('externalSecrets.enabled=true', ...pairs));
      const used = workloads(manifests).flatMap(({ container }) => [
        ...(container.env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? ''),
        ...(container.envFrom ?? []).map(({ secretRef }) => (secretRef?.optional === true ? '' : (secretRef?.name ?? ''))),
      ]);
      const ofOperator = pairs.length > 0 ? ['backup-secrets'] : [];
      const kept = manifests.filter(({ kind }) => kind === 'ExternalSecret').map(nameOf);
      expect(kept.sort()).toEqual([...new Set([...used.filter((name) => name !== ''), ...ofOperator])].sort());
    },
  );

  it('gives the seed no other right than to create its secret', async () => {
    const seed = (await template(...values('small'))).filter(isSeed);
    expect(await checks.schemas(seed)).toEqual([]);
    expect(checks.images(seed)).toEqual([]);
    expect(seed.find(({ kind }) => kind === 'Role')).toMatchObject({
      rules: [
        { apiGroups: [''], resources: ['secrets'], resourceNames: ['sheaf-owner'], verbs: ['get'] },
        { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      ],
    });
  });

  it.each([
    ['postgres.mode=asynchronous', 'postgres/mode'],
    ['postgres.cidr=db.example.org', 'postgres/cidr'],
    ['apps.froms.minReplicas=2', 'froms'],
    ['apps.forms.minReplicas=1', 'apps/forms/minReplicas'],
    ['apps.forms.settings.log_level=debug', 'apps/forms/settings'],
    ['image.registry=UPPER/case', 'image/registry'],
    ['files.volume.size=10', 'files/volume/size'],
    ['gateway.host=https://forms.example.org', 'gateway/host'],
    ['files.volume.accessMode=ReadWriteOnce', 'autoscaling/enabled'],
    ['seed.enable=true', 'seed'],
    ['tls.step=off', 'tls/step'],
  ])('refuses %s and names %s', async (pair, field) => {
    // Helm 4 writes the place with slashes, earlier versions with points.
    await expect(template(...set(pair))).rejects.toThrow(new RegExp(field.replaceAll('/', '[./]')));
  });
});

describe('the examples for tools that deploy from a repository', () => {
  const read = (file: string) => manifestsIn(readFileSync(join(root, 'deploy/examples', file), 'utf8'));
  const files = ['argo-cd/application.yaml', 'flux/helm-release.yaml', 'flux/kustomization.yaml'];

  it.each(files)('%s matches the schemas of its tool', async (file) => {
    expect(await checks.schemas(read(file))).toEqual([]);
  });

  (hasKubectl && helm !== undefined ? it.each : it.skip.each)(files.slice(0, 2))('the values in %s suit the chart', async (file) => {
    const found = read(file).map(
      (manifest) => (manifest as { spec: unknown }).spec as { values?: object; source?: { helm: { valuesObject: object } } },
    );
    const own = found.map((spec) => spec.values ?? spec.source?.helm.valuesObject).find((each) => each !== undefined);
    const valuesFile = join(chart, 'example.json');
    writeFileSync(valuesFile, JSON.stringify(own));
    expect(await faultsOf(await template('--values', valuesFile))).toEqual([]);
  });

  (hasKubectl ? it : it.skip)('may keep the finished jobs of migrations', async () => {
    const jobs = ofKind(
      await renderKustomizations({ kept: { resources: ['deploy/services/forms/migrate'], components: ['deploy/components/kept-jobs'] } }),
      'Job',
    );
    expect(jobs.map(({ spec }) => spec?.ttlSecondsAfterFinished)).toEqual([undefined]);
  });
});
