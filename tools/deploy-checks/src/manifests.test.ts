import type { IDeployment } from 'kubernetes-models/apps/v1';
import { apps, services } from '@sheaf/kernel';
import { checks, type CheckName } from './checks';
import { generatedSecrets, hasKubectl, nameOf, ofKind, render, renderOwn, titleOf, workloads, type Manifest } from './manifests';

// Rendering uses kubectl itself: our own renderer could differ from what `kubectl apply -k` sends.
if (!hasKubectl) console.warn('There is no kubectl here: the manifests are not checked.');
const whereKubectlIs = hasKubectl ? describe : describe.skip;

jest.setTimeout(120_000);

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

/** Secrets that the operator creates for them in addition to the generated ones. */
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

const environments = ['dev', 'production'] as const;

let secrets: Manifest[];
let platform: Manifest[];
let migrating: Manifest[];
let monitoring: Manifest[];
let tracing: Manifest[];
let overlays: Record<(typeof environments)[number], Record<string, Manifest[]>>;
let umbrellas: Record<(typeof environments)[number], Manifest[]>;

beforeAll(async () => {
  if (!hasKubectl) return;
  secrets = generatedSecrets();
  platform = (await Promise.all(['namespace', 'postgres', 'nats'].map((part) => render(`deploy/platform/${part}`)))).flat();
  migrating = (await Promise.all(services.map((service) => render(`deploy/services/${service}/migrate`)))).flat();
  monitoring = await render('deploy/platform/monitoring');
  tracing = await render('deploy/platform/tracing');
  const ofEnvironment = async (environment: string) =>
    Object.fromEntries(
      await Promise.all(apps.map(async (app) => [app, await render(`deploy/services/${app}/overlays/${environment}`)] as const)),
    );
  overlays = { dev: await ofEnvironment('dev'), production: await ofEnvironment('production') };
  umbrellas = { dev: await render('deploy/environments/dev'), production: await render('deploy/environments/production') };
});

const system = (running: Manifest[]): Manifest[] => [...secrets, ...platform, ...migrating, ...running];

whereKubectlIs('the manifests', () => {
  describe.each(environments)('of %s', (environment) => {
    it.each(Object.keys(checks) as CheckName[])('hold to: %s', async (check) => {
      expect(await checks[check](system(umbrellas[environment]))).toEqual([]);
    });

    it('are for all services at once what they are for each alone', () => {
      const text = (manifests: Manifest[]) => manifests.map((manifest) => JSON.stringify(manifest)).sort();
      expect(text(umbrellas[environment])).toEqual(text(Object.values(overlays[environment]).flat()));
    });

    it.each(apps)('hold of %s nothing but its own, and all of it', (app) => {
      const own = overlays[environment][app] ?? [];
      const foreign = own.filter(
        (manifest) =>
          manifest.metadata?.labels?.['app.kubernetes.io/name'] !== app ||
          !new RegExp(`^${app}(-settings-[a-z0-9]+|-files)?$`).test(nameOf(manifest)),
      );
      expect(foreign.map(titleOf)).toEqual([]);
      expect(own.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['ConfigMap', 'Deployment', 'NetworkPolicy', 'Service', 'ServiceAccount']),
      );
      expect(new Set(own.map(({ metadata }) => metadata?.namespace))).toEqual(new Set(['sheaf']));
    });
  });

  it('roll the pods of a service when its settings change', () => {
    const [map] = ofKind(overlays.production.forms ?? [], 'ConfigMap');
    const [changed] = ofKind(overlays.dev.forms ?? [], 'ConfigMap');
    expect(map?.metadata?.name).toMatch(/^forms-settings-[a-z0-9]+$/);
    expect(changed?.metadata?.name).not.toBe(map?.metadata?.name);
  });

  it('of the monitoring are what the cluster would take, and open the metrics and nothing else', async () => {
    const all = [...system(umbrellas.production), ...monitoring];
    expect(await checks.schemas(monitoring)).toEqual([]);
    expect(checks.network(all)).toEqual([]);
  });

  it('hold to everything where traces are collected, with a secret for the collector or without', async () => {
    const all = [...system(umbrellas.production), ...tracing];
    for (const given of [all, [...all, collectorSecret]]) {
      for (const name of Object.keys(checks) as CheckName[])
        expect({ name, faults: await checks[name](given) }).toEqual({ name, faults: [] });
    }
  });

  it.each(options)('hold to everything with the options $components in $service/$to', async ({ service, to, components }) => {
    const rest = apps.filter((app) => app !== service).flatMap((app) => overlays.production[app] ?? []);
    const added = await renderOwn({ [service]: { resources: [`deploy/services/${service}/${to}`], components } });

    const all = [...system([...rest, ...added]), ...optionalSecrets];
    for (const name of Object.keys(checks) as CheckName[]) expect({ name, faults: await checks[name](all) }).toEqual({ name, faults: [] });
  });
});

whereKubectlIs('a manifest in which', () => {
  const deployment = (manifests: Manifest[], name = 'forms'): IDeployment => {
    const found = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata?.name === name);
    if (found === undefined) throw new Error(`There is no deployment ${name}.`);
    return found;
  };
  const container = (manifests: Manifest[], name = 'forms') => workloads([deployment(manifests, name)])[0]?.container ?? never();
  const pod = (manifests: Manifest[], name = 'forms') => workloads([deployment(manifests, name)])[0]?.pod ?? never();
  /** Finds a manifest by name, or by the start of its name if a hash or a version follows. */
  const one = <K extends Manifest['kind']>(manifests: Manifest[], kind: K, name: string) => {
    const some = ofKind(manifests, kind);
    return some.find((manifest) => nameOf(manifest) === name) ?? some.find((manifest) => nameOf(manifest).startsWith(name)) ?? never();
  };
  const remove = (manifests: Manifest[], kind: Manifest['kind'], name: string) => {
    manifests.splice(
      manifests.findIndex((manifest) => manifest.kind === kind && nameOf(manifest) === name),
      1,
    );
  };

  const breakages: [string, CheckName, (manifests: Manifest[]) => unknown][] = [
    ['a field is misspelt', 'schemas', (all) => Object.assign(pod(all), { terminationGracePeriodSecond: 30 })],
    ['a value has the wrong type', 'schemas', (all) => Object.assign(deployment(all).spec ?? {}, { revisionHistoryLimit: 'five' })],
    ['a value is none of those that there are', 'schemas', (all) => Object.assign(container(all), { imagePullPolicy: 'Sometimes' })],
    ['a quantity cannot be read', 'schemas', (all) => Object.assign(container(all).resources?.limits ?? {}, { memory: '256 megabytes' })],
    ['a required field is missing', 'schemas', (all) => Object.assign(container(all), { name: undefined })],
    ['a secret has another name than the one that is generated', 'references', (all) => remove(all, 'Secret', 'forms-secrets')],
    ['a key of a secret is missing', 'references', (all) => delete one(all, 'Secret', 'delivery-secrets').stringData?.CALLER_KEY],
    [
      'the settings of a service are gone',
      'references',
      (all) => remove(all, 'ConfigMap', nameOf(one(all, 'ConfigMap', 'forms-settings'))),
    ],
    ['the service account is gone', 'references', (all) => remove(all, 'ServiceAccount', 'hooks')],
    [
      'the autoscaler is for something else',
      'references',
      (all) => Object.assign(one(all, 'HorizontalPodAutoscaler', 'forms').spec?.scaleTargetRef ?? {}, { name: 'form' }),
    ],
    [
      'the way in leads to nothing',
      'references',
      (all) =>
        all.push({
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name: 'gateway' },
          spec: {
            rules: [
              { http: { paths: [{ pathType: 'Prefix', path: '/', backend: { service: { name: 'gate', port: { name: 'http' } } } }] } },
            ],
          },
        }),
    ],
    ['the volume of the files is gone', 'references', (all) => remove(all, 'PersistentVolumeClaim', 'submissions-files')],
    [
      'a volume is not there',
      'references',
      (all) => Object.assign(container(all), { volumeMounts: [{ name: 'files', mountPath: '/files' }] }),
    ],
    [
      'the service selects nothing',
      'selectors',
      (all) => Object.assign(one(all, 'Service', 'forms').spec ?? {}, { selector: { app: 'forms' } }),
    ],
    [
      'the service selects the pods of another',
      'selectors',
      (all) => Object.assign(one(all, 'Service', 'forms').spec ?? {}, { selector: { 'app.kubernetes.io/name': 'hooks' } }),
    ],
    [
      'the deployment does not select its pods',
      'selectors',
      (all) => Object.assign(deployment(all).spec?.selector ?? {}, { matchLabels: { 'app.kubernetes.io/name': 'form' } }),
    ],
    [
      'a policy selects nothing',
      'selectors',
      (all) => Object.assign(one(all, 'NetworkPolicy', 'forms').spec?.podSelector ?? {}, { matchLabels: { app: 'forms' } }),
    ],
    [
      'pods spread by the labels of others',
      'selectors',
      (all) => Object.assign(pod(all).topologySpreadConstraints?.[0]?.labelSelector ?? {}, { matchLabels: { app: 'forms' } }),
    ],
    [
      'the service goes to a port that nobody opens',
      'ports',
      (all) => Object.assign(one(all, 'Service', 'forms').spec?.ports?.[0] ?? {}, { targetPort: 'http' }),
    ],
    [
      'the container says another port than its process opens',
      'ports',
      (all) => Object.assign(container(all).ports?.[0] ?? {}, { containerPort: 50052 }),
    ],
    ['a gRPC service has one address for all', 'ports', (all) => delete one(all, 'Service', 'forms').spec?.clusterIP],
    [
      'liveness depends on the database',
      'probes',
      (all) => Object.assign(container(all).livenessProbe?.httpGet ?? {}, { path: '/readyz' }),
    ],
    ['there is no startup probe', 'probes', (all) => delete container(all).startupProbe],
    ['readiness asks another port', 'probes', (all) => Object.assign(container(all).readinessProbe ?? {}, { grpc: { port: 9090 } })],
    [
      'readiness is judged before the process could answer',
      'probes',
      (all) => Object.assign(container(all).readinessProbe ?? {}, { timeoutSeconds: 1 }),
    ],
    ['a service may not reach its neighbour', 'network', (all) => one(all, 'NetworkPolicy', 'submissions').spec?.egress?.pop()],
    ['a neighbour does not let it in', 'network', (all) => one(all, 'NetworkPolicy', 'workspaces').spec?.ingress?.[0]?.from?.pop()],
    ['a service may be reached by everybody', 'network', (all) => delete one(all, 'NetworkPolicy', 'forms').spec?.ingress?.[0]?.from],
    [
      'the gateway may be reached by everybody',
      'network',
      (all) => Object.assign(one(all, 'NetworkPolicy', 'gateway').spec ?? {}, { ingress: [{ ports: [{ protocol: 'TCP', port: 8080 }] }] }),
    ],
    [
      'the gateway may be reached by a whole namespace',
      'network',
      (all) =>
        Object.assign(one(all, 'NetworkPolicy', 'gateway').spec ?? {}, {
          ingress: [
            {
              from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
              ports: [{ protocol: 'TCP', port: 8080 }],
            },
          ],
        }),
    ],
    [
      'a service is under no policy, and nothing is denied by default',
      'network',
      (all) => {
        remove(all, 'NetworkPolicy', 'forms');
        remove(all, 'NetworkPolicy', 'default-deny');
      },
    ],
    [
      'delivery may go to addresses inside',
      'network',
      (all) =>
        one(all, 'NetworkPolicy', 'delivery')
          .spec?.egress?.at(-1)
          ?.to?.forEach(({ ipBlock }) => delete ipBlock?.except),
    ],
    ['delivery may go to any port', 'network', (all) => delete one(all, 'NetworkPolicy', 'delivery').spec?.egress?.at(-1)?.ports],
    ['delivery has no way out', 'network', (all) => one(all, 'NetworkPolicy', 'delivery').spec?.egress?.pop()],
    [
      'another service may leave the cluster',
      'network',
      (all) => one(all, 'NetworkPolicy', 'hooks').spec?.egress?.push({ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] }),
    ],
    ['traces have no way to the collector', 'network', (all) => remove(all, 'NetworkPolicy', 'traces')],
    [
      'pods that make no traces may go to the collector',
      'network',
      (all) => Object.assign(one(all, 'NetworkPolicy', 'traces').spec ?? {}, { podSelector: {} }),
    ],
    [
      'what the collector is told is no secret',
      'secrets',
      (all) =>
        Object.assign(one(all, 'ConfigMap', 'tracing-settings').data ?? {}, { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer x' }),
    ],
    [
      'the sampler is none that there is',
      'settings',
      (all) => Object.assign(one(all, 'ConfigMap', 'tracing-settings').data ?? {}, { OTEL_TRACES_SAMPLER: 'sometimes' }),
    ],
    ['names cannot be asked for', 'network', (all) => one(all, 'NetworkPolicy', 'forms').spec?.egress?.shift()],
    [
      'an address is of a service that it may not reach',
      'network',
      (all) => Object.assign(one(all, 'ConfigMap', 'submissions-settings').data ?? {}, { FORMS_ADDR: 'dns:///hooks:50051' }),
    ],
    [
      'every private address may say who the client is',
      'settings',
      (all) => Object.assign(one(all, 'ConfigMap', 'gateway-settings').data ?? {}, { TRUSTED_PROXIES: 'uniquelocal' }),
    ],
    [
      'a whole network of pods may say who the client is',
      'settings',
      (all) => Object.assign(one(all, 'ConfigMap', 'gateway-settings').data ?? {}, { TRUSTED_PROXIES: '192.0.2.7,10.0.0.0/8' }),
    ],
    [
      'a setting is misspelt',
      'settings',
      (all) => Object.assign(one(all, 'ConfigMap', 'forms-settings').data ?? {}, { LOGLEVEL: 'debug' }),
    ],
    [
      'a setting has a value that the process refuses',
      'settings',
      (all) => Object.assign(one(all, 'ConfigMap', 'forms-settings').data ?? {}, { LOG_LEVEL: 'loud' }),
    ],
    ['a required setting is missing', 'settings', (all) => delete one(all, 'ConfigMap', 'forms-settings').data?.WORKSPACES_ADDR],
    [
      'a required secret is not handed on',
      'settings',
      (all) =>
        container(all, 'workspaces').env?.splice(
          container(all, 'workspaces').env?.findIndex(({ name }) => name === 'SESSION_SECRET') ?? 0,
          1,
        ),
    ],
    [
      'a secret stands among the settings',
      'secrets',
      (all) => Object.assign(one(all, 'ConfigMap', 'workspaces-settings').data ?? {}, { SESSION_SECRET: 'x'.repeat(32) }),
    ],
    [
      'a secret stands in the container',
      'secrets',
      (all) => container(all).env?.push({ name: 'DATABASE_URL', value: 'postgres://a:b@c/d' }),
    ],
    [
      'a service has the role that owns its database',
      'secrets',
      (all) =>
        container(all).env?.push({
          name: 'DATABASE_URL',
          valueFrom: { secretKeyRef: { name: 'forms-migrate-secrets', key: 'DATABASE_URL' } },
        }),
    ],
    ['replicas stand beside an autoscaler', 'scale', (all) => Object.assign(deployment(all).spec ?? {}, { replicas: 3 })],
    [
      'there may be a single pod',
      'scale',
      (all) => Object.assign(one(all, 'HorizontalPodAutoscaler', 'forms').spec ?? {}, { minReplicas: 1 }),
    ],
    [
      'the budget keeps every pod',
      'scale',
      (all) => Object.assign(one(all, 'PodDisruptionBudget', 'forms').spec ?? {}, { maxUnavailable: undefined, minAvailable: 2 }),
    ],
    [
      'pods that are not ready keep a node from being drained',
      'scale',
      (all) => delete one(all, 'PodDisruptionBudget', 'forms').spec?.unhealthyPodEvictionPolicy,
    ],
    ['there is no budget', 'scale', (all) => remove(all, 'PodDisruptionBudget', 'forms')],
    [
      'the process is killed while it drains',
      'stopping',
      (all) => Object.assign(pod(all, 'delivery'), { terminationGracePeriodSeconds: 20 }),
    ],
    ['it stops before its callers know', 'stopping', (all) => delete container(all).lifecycle],
    [
      'an old pod goes before a new one is there',
      'stopping',
      (all) => Object.assign(deployment(all).spec?.strategy?.rollingUpdate ?? {}, { maxUnavailable: 1 }),
    ],
    ['there is no bound to memory', 'resources', (all) => delete container(all).resources?.limits?.memory],
    ['the process may be root', 'security', (all) => Object.assign(container(all).securityContext ?? {}, { runAsUser: 0 })],
    [
      'it may write to its files',
      'security',
      (all) => Object.assign(container(all).securityContext ?? {}, { readOnlyRootFilesystem: false }),
    ],
    ['it has a capability', 'security', (all) => Object.assign(container(all).securityContext?.capabilities ?? {}, { add: ['NET_RAW'] })],
    ['it may gain privileges', 'security', (all) => delete container(all).securityContext?.allowPrivilegeEscalation],
    ['there is no seccomp profile', 'security', (all) => delete pod(all).securityContext?.seccompProfile],
    ['it has a token of the cluster', 'security', (all) => Object.assign(pod(all), { automountServiceAccountToken: true })],
    [
      'it sees the files of its node',
      'security',
      (all) => Object.assign(pod(all), { volumes: [{ name: 'node', hostPath: { path: '/' } }] }),
    ],
    [
      'the image is whatever is latest',
      'images',
      (all) => Object.assign(container(all), { image: 'registry.example.org/sheaf/forms:latest' }),
    ],
    ['the image comes from no registry of ours', 'images', (all) => Object.assign(container(all), { image: 'sheaf/forms:0.1.0' })],
    [
      'an image of others has no digest',
      'images',
      (all) => Object.assign(one(all, 'StatefulSet', 'nats').spec?.template.spec?.containers[0] ?? {}, { image: 'nats:2.11.17-alpine' }),
    ],
    ['the image has no version', 'images', (all) => Object.assign(container(all), { image: 'registry.example.org/sheaf/forms' })],
    [
      'the image is of another version than the labels say',
      'images',
      (all) => Object.assign(container(all), { image: 'registry.example.org/sheaf/forms:9.9.9' }),
    ],
    [
      'the migration is of another version than the service',
      'migrations',
      (all) => Object.assign(container(all), { image: 'registry.example.org/sheaf/forms:9.9.9' }),
    ],
    [
      'the job has the name of another version',
      'migrations',
      (all) => Object.assign(one(all, 'Job', 'forms-migrate').metadata ?? {}, { name: 'forms-migrate-v0.0.1' }),
    ],
    [
      'the job migrates as the role that only reads and writes rows',
      'migrations',
      (all) => Object.assign(one(all, 'Secret', 'forms-migrate-secrets').stringData ?? {}, one(all, 'Secret', 'forms-secrets').stringData),
    ],
    ['a service has no migration', 'migrations', (all) => remove(all, 'Job', nameOf(one(all, 'Job', 'forms-migrate')))],
  ];

  it.each(breakages)('%s fails the check of %s', async (_what, check, broken) => {
    const copy = structuredClone([...system(umbrellas.production), ...tracing]);
    broken(copy);
    expect(await checks[check](copy)).not.toEqual([]);
  });
});

const never = (): never => {
  throw new Error('There is nothing of that name to break.');
};
