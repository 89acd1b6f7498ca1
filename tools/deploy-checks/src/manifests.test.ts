import { apps } from '@sheaf/kernel';
import { breakages, replicatedBreakages } from './breakages';
import { checks, type CheckName } from './checks';
import { hasKubectl, nameOf, ofKind, renderKustomizations, titleOf, workloads, type Manifest } from './manifests';
import { environments, rendered, type Rendered } from './rendered';

// Rendering uses kubectl itself: our own renderer could differ from what `kubectl apply -k` sends.
if (!hasKubectl) console.warn('kubectl is not installed: the manifests are not checked.');
const describeIfKubectl = hasKubectl ? describe : describe.skip;

/** Components that an operator may choose for a service in addition to its production overlay. */
const options: { service: string; to: string; components: string[] }[] = [
  { service: 'delivery', to: 'overlays/production', components: ['deploy/components/keda'] },
  {
    service: 'gateway',
    to: 'overlays/production',
    components: ['ingress', 'custom-domain'].map((option) => `deploy/services/gateway/options/${option}`),
  },
  { service: 'gateway', to: 'overlays/production', components: ['deploy/services/gateway/options/gateway-api'] },
  {
    service: 'submissions',
    to: 'overlays/production',
    components: ['outside', 'payments'].map((option) => `deploy/services/submissions/options/${option}`),
  },
  // The overlay has already chosen a volume.
  {
    service: 'submissions',
    to: 'base',
    components: ['outside', 'files-bucket'].map((option) => `deploy/services/submissions/options/${option}`),
  },
];

/** Secrets that the operator creates for these options in addition to the generated ones. */
const optionalSecrets: Manifest[] = [
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'stripe-secrets' },
    stringData: { STRIPE_SECRET_KEY: 'sk_test', STRIPE_WEBHOOK_SECRET: 'whsec_test' },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'files-secrets' },
    stringData: { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'test' },
  },
];

const collectorSecret: Manifest = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tracing-secrets' },
  stringData: { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer test' },
};

let all: Rendered;
beforeAll(async () => {
  if (hasKubectl) all = await rendered();
});

const faultsOf = async (manifests: Manifest[]) =>
  (await Promise.all((Object.keys(checks) as CheckName[]).map(async (name) => checks[name](manifests)))).flat();

describeIfKubectl('the manifests', () => {
  describe.each(environments)('for %s', (environment) => {
    it.each(Object.keys(checks) as CheckName[])('pass the check of %s', async (check) => {
      expect(await checks[check](all.system(all.umbrellas[environment]))).toEqual([]);
    });

    it('are the same for all apps together as for each app alone', () => {
      const text = (manifests: Manifest[]) => manifests.map((manifest) => JSON.stringify(manifest)).sort();
      expect(text(all.umbrellas[environment])).toEqual(text(Object.values(all.overlays[environment]).flat()));
    });

    it.each(apps)('have all parts of %s and nothing else', (app) => {
      const manifests = all.overlays[environment][app] ?? [];
      const unexpected = manifests.filter(
        (manifest) =>
          manifest.metadata?.labels?.['app.kubernetes.io/name'] !== app ||
          !new RegExp(`^${app}(-settings-[a-z0-9]+|-files)?$`).test(nameOf(manifest)),
      );
      expect(unexpected.map(titleOf)).toEqual([]);
      expect(manifests.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['ConfigMap', 'Deployment', 'NetworkPolicy', 'Service', 'ServiceAccount']),
      );
      expect(new Set(manifests.map(({ metadata }) => metadata?.namespace))).toEqual(new Set(['sheaf']));
    });
  });

  it.each(Object.keys(checks) as CheckName[])('on replicated servers pass the check of %s', async (check) => {
    expect(await checks[check](all.replicated)).toEqual([]);
  });

  // The namespace enforces the rest: the "restricted" Pod Security Standard.
  it('let no pod write to its root file system or call the cluster API', () => {
    const open = workloads(all.system(all.umbrellas.production)).filter(
      ({ pod, container }) => pod.automountServiceAccountToken !== false || container.securityContext?.readOnlyRootFilesystem !== true,
    );
    expect(open.map(({ title }) => title)).toEqual([]);
  });

  it('restart the pods of a service when its settings change', () => {
    const [map] = ofKind(all.overlays.production.forms ?? [], 'ConfigMap');
    const [changed] = ofKind(all.overlays.dev.forms ?? [], 'ConfigMap');
    expect(map?.metadata?.name).toMatch(/^forms-settings-[a-z0-9]+$/);
    expect(changed?.metadata?.name).not.toBe(map?.metadata?.name);
  });

  it('for monitoring match their schemas and open only the port for metrics', async () => {
    const system = [...all.system(all.umbrellas.production), ...all.monitoring];
    expect(await checks.schemas(all.monitoring)).toEqual([]);
    expect(checks.network(system)).toEqual([]);
  });

  it('pass every check with tracing, with and without a secret for the collector', async () => {
    const system = [...all.system(all.umbrellas.production), ...all.tracing];
    expect(await faultsOf(system)).toEqual([]);
    expect(await faultsOf([...system, collectorSecret])).toEqual([]);
  });

  it.each(options)('pass every check with the options $components in $service/$to', async ({ service, to, components }) => {
    const rest = apps.filter((app) => app !== service).flatMap((app) => all.overlays.production[app] ?? []);
    const added = await renderKustomizations({ [service]: { resources: [`deploy/services/${service}/${to}`], components } });
    expect(await faultsOf([...all.system([...rest, ...added]), ...optionalSecrets])).toEqual([]);
  });
});

describeIfKubectl('a system in which', () => {
  it.each(breakages)('%s fails the check of %s', async (_what, check, breakIt) => {
    const copy = structuredClone([...all.system(all.umbrellas.production), ...all.tracing]);
    breakIt(copy);
    expect(await checks[check](copy)).not.toEqual([]);
  });
});

describeIfKubectl('a replicated system in which', () => {
  it.each(replicatedBreakages)('%s fails the check of %s', async (_what, check, breakIt) => {
    const copy = structuredClone(all.replicated);
    breakIt(copy);
    expect(await checks[check](copy)).not.toEqual([]);
  });
});
