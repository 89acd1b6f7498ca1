import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { CheckName } from './checks';
import { nameOf, ofKind, workloads, type Manifest } from './manifests';

const deployment = (manifests: Manifest[], name = 'forms'): IDeployment => {
  const found = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata?.name === name);
  if (found === undefined) throw new Error(`There is no deployment ${name}.`);
  return found;
};
const container = (manifests: Manifest[], name = 'forms') => workloads([deployment(manifests, name)])[0]?.container ?? notFound();
const pod = (manifests: Manifest[], name = 'forms') => workloads([deployment(manifests, name)])[0]?.pod ?? notFound();
/** Finds a manifest by name, or by the start of its name if a hash or a version follows. */
const find = <K extends Manifest['kind']>(manifests: Manifest[], kind: K, name: string) => {
  const candidates = ofKind(manifests, kind);
  return (
    candidates.find((manifest) => nameOf(manifest) === name) ??
    candidates.find((manifest) => nameOf(manifest).startsWith(name)) ??
    notFound()
  );
};
/** The parts of a kind that is checked only against its schema. */
const specOf = (manifests: Manifest[], kind: Manifest['kind'], name: string) =>
  ((manifests.find((manifest) => manifest.kind === kind && nameOf(manifest) === name) ?? notFound()) as { spec: Record<string, unknown> })
    .spec;
const remove = (manifests: Manifest[], kind: Manifest['kind'], name: string) => {
  manifests.splice(
    manifests.findIndex((manifest) => manifest.kind === kind && nameOf(manifest) === name),
    1,
  );
};

/** Changes that a check must detect: a description of the fault, the name of the check, and the change. */
export const breakages: [string, CheckName, (manifests: Manifest[]) => unknown][] = [
  ['a value has the wrong type', 'schemas', (all) => Object.assign(deployment(all).spec ?? {}, { revisionHistoryLimit: 'five' })],
  ['a value is not one of the allowed ones', 'schemas', (all) => Object.assign(container(all), { imagePullPolicy: 'Sometimes' })],
  ['a quantity is malformed', 'schemas', (all) => Object.assign(container(all).resources?.limits ?? {}, { memory: '256 megabytes' })],
  ['a required field is missing', 'schemas', (all) => Object.assign(container(all), { name: undefined })],
  ['a secret does not have the generated name', 'settings', (all) => remove(all, 'Secret', 'forms-secrets')],
  ['a key of a secret is missing', 'settings', (all) => delete find(all, 'Secret', 'delivery-secrets').stringData?.CALLER_KEY],
  ["a service's settings are missing", 'settings', (all) => remove(all, 'ConfigMap', nameOf(find(all, 'ConfigMap', 'forms-settings')))],
  [
    'the service targets a port that no pod opens',
    'ports',
    (all) => Object.assign(find(all, 'Service', 'forms').spec?.ports?.[0] ?? {}, { targetPort: 'http' }),
  ],
  [
    'the container declares another port than its process opens',
    'ports',
    (all) => Object.assign(container(all).ports?.[0] ?? {}, { containerPort: 50052 }),
  ],
  ['a gRPC service has one address for all pods', 'ports', (all) => delete find(all, 'Service', 'forms').spec?.clusterIP],
  ['liveness depends on the database', 'probes', (all) => Object.assign(container(all).livenessProbe?.httpGet ?? {}, { path: '/readyz' })],
  ['there is no startup probe', 'probes', (all) => delete container(all).startupProbe],
  [
    'the readiness probe speaks gRPC without TLS',
    'probes',
    (all) => Object.assign(container(all).readinessProbe ?? {}, { httpGet: undefined, grpc: { port: 50051 } }),
  ],
  [
    'the readiness probe times out before the process answers',
    'probes',
    (all) => Object.assign(container(all).readinessProbe ?? {}, { timeoutSeconds: 1 }),
  ],
  ['a policy does not let a service call its neighbour', 'network', (all) => find(all, 'NetworkPolicy', 'submissions').spec?.egress?.pop()],
  [
    'a neighbour does not admit a service that calls it',
    'network',
    (all) => find(all, 'NetworkPolicy', 'workspaces').spec?.ingress?.[0]?.from?.pop(),
  ],
  ['every pod may call a service', 'network', (all) => delete find(all, 'NetworkPolicy', 'forms').spec?.ingress?.[0]?.from],
  [
    'every pod may call the gateway',
    'network',
    (all) => Object.assign(find(all, 'NetworkPolicy', 'gateway').spec ?? {}, { ingress: [{ ports: [{ protocol: 'TCP', port: 8080 }] }] }),
  ],
  [
    'a whole namespace may call the gateway',
    'network',
    (all) =>
      Object.assign(find(all, 'NetworkPolicy', 'gateway').spec ?? {}, {
        ingress: [
          {
            from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
            ports: [{ protocol: 'TCP', port: 8080 }],
          },
        ],
      }),
  ],
  [
    'a service has no policy and there is no default denial',
    'network',
    (all) => {
      remove(all, 'NetworkPolicy', 'forms');
      remove(all, 'NetworkPolicy', 'default-deny');
    },
  ],
  [
    'delivery may connect to internal addresses',
    'network',
    (all) =>
      find(all, 'NetworkPolicy', 'delivery')
        .spec?.egress?.at(-1)
        ?.to?.forEach(({ ipBlock }) => delete ipBlock?.except),
  ],
  ['delivery may connect to any port', 'network', (all) => delete find(all, 'NetworkPolicy', 'delivery').spec?.egress?.at(-1)?.ports],
  ['delivery may not leave the cluster', 'network', (all) => find(all, 'NetworkPolicy', 'delivery').spec?.egress?.pop()],
  [
    'another service may leave the cluster',
    'network',
    (all) => find(all, 'NetworkPolicy', 'hooks').spec?.egress?.push({ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] }),
  ],
  ['no policy lets traces reach the collector', 'network', (all) => remove(all, 'NetworkPolicy', 'traces')],
  [
    'pods without traces may reach the collector',
    'network',
    (all) => Object.assign(find(all, 'NetworkPolicy', 'traces').spec ?? {}, { podSelector: {} }),
  ],
  [
    "the collector's credentials are not in a secret",
    'secrets',
    (all) => Object.assign(find(all, 'ConfigMap', 'tracing-settings').data ?? {}, { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer x' }),
  ],
  [
    'the sampler does not exist',
    'settings',
    (all) => Object.assign(find(all, 'ConfigMap', 'tracing-settings').data ?? {}, { OTEL_TRACES_SAMPLER: 'sometimes' }),
  ],
  ['a service cannot resolve names', 'network', (all) => find(all, 'NetworkPolicy', 'forms').spec?.egress?.shift()],
  [
    'an address belongs to a service that the policies do not let it call',
    'network',
    (all) => Object.assign(find(all, 'ConfigMap', 'submissions-settings').data ?? {}, { FORMS_ADDR: 'dns:///hooks:50051' }),
  ],
  [
    'every private address is trusted as a proxy',
    'settings',
    (all) => Object.assign(find(all, 'ConfigMap', 'gateway-settings').data ?? {}, { TRUSTED_PROXIES: 'uniquelocal' }),
  ],
  [
    'a whole network of pods is trusted as a proxy',
    'settings',
    (all) => Object.assign(find(all, 'ConfigMap', 'gateway-settings').data ?? {}, { TRUSTED_PROXIES: '192.0.2.7,10.0.0.0/8' }),
  ],
  ['a setting is misspelt', 'settings', (all) => Object.assign(find(all, 'ConfigMap', 'forms-settings').data ?? {}, { LOGLEVEL: 'debug' })],
  [
    'a setting has a value that the process rejects',
    'settings',
    (all) => Object.assign(find(all, 'ConfigMap', 'forms-settings').data ?? {}, { LOG_LEVEL: 'loud' }),
  ],
  ['a required setting is missing', 'settings', (all) => delete find(all, 'ConfigMap', 'forms-settings').data?.WORKSPACES_ADDR],
  [
    'a required secret is not passed to the container',
    'settings',
    (all) =>
      container(all, 'workspaces').env?.splice(
        container(all, 'workspaces').env?.findIndex(({ name }) => name === 'SESSION_SECRET') ?? 0,
        1,
      ),
  ],
  [
    'a secret is in a ConfigMap',
    'secrets',
    (all) => Object.assign(find(all, 'ConfigMap', 'workspaces-settings').data ?? {}, { SESSION_SECRET: 'x'.repeat(32) }),
  ],
  [
    'a secret is written into the container',
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
  ['replicas are set beside an autoscaler', 'scale', (all) => Object.assign(deployment(all).spec ?? {}, { replicas: 3 })],
  [
    'the autoscaler allows a single pod',
    'scale',
    (all) => Object.assign(find(all, 'HorizontalPodAutoscaler', 'forms').spec ?? {}, { minReplicas: 1 }),
  ],
  [
    'the disruption budget keeps every pod',
    'scale',
    (all) => Object.assign(find(all, 'PodDisruptionBudget', 'forms').spec ?? {}, { maxUnavailable: undefined, minAvailable: 2 }),
  ],
  [
    'a pod that is not ready blocks the drain of its node',
    'scale',
    (all) => delete find(all, 'PodDisruptionBudget', 'forms').spec?.unhealthyPodEvictionPolicy,
  ],
  ['there is no disruption budget', 'scale', (all) => remove(all, 'PodDisruptionBudget', 'forms')],
  [
    'the process is killed while it drains',
    'stopping',
    (all) => Object.assign(pod(all, 'delivery'), { terminationGracePeriodSeconds: 20 }),
  ],
  ['the process stops before its callers know', 'stopping', (all) => delete container(all).lifecycle],
  [
    'an old pod stops before a new one is ready',
    'stopping',
    (all) => Object.assign(deployment(all).spec?.strategy?.rollingUpdate ?? {}, { maxUnavailable: 1 }),
  ],
  ['the image is tagged latest', 'images', (all) => Object.assign(container(all), { image: 'registry.example.org/sheaf/forms:latest' })],
  ['the image names no registry', 'images', (all) => Object.assign(container(all), { image: 'sheaf/forms:0.1.0' })],
  [
    'a third-party image has no digest',
    'images',
    (all) => Object.assign(find(all, 'StatefulSet', 'nats').spec?.template.spec?.containers[0] ?? {}, { image: 'nats:2.11.17-alpine' }),
  ],
  ['the image has no version', 'images', (all) => Object.assign(container(all), { image: 'registry.example.org/sheaf/forms' })],
  [
    'the image has another version than the labels',
    'images',
    (all) => Object.assign(container(all), { image: 'registry.example.org/sheaf/forms:9.9.9' }),
  ],
  [
    'the migration has another version than the service',
    'migrations',
    (all) => Object.assign(container(all), { image: 'registry.example.org/sheaf/forms:9.9.9' }),
  ],
  [
    'the job is named after another version',
    'migrations',
    (all) => Object.assign(find(all, 'Job', 'forms-migrate').metadata ?? {}, { name: 'forms-migrate-v0.0.1' }),
  ],
  [
    'the job migrates as the role that only reads and writes rows',
    'migrations',
    (all) => Object.assign(find(all, 'Secret', 'forms-migrate-secrets').stringData ?? {}, find(all, 'Secret', 'forms-secrets').stringData),
  ],
  [
    'the pods may open more connections than PostgreSQL allows',
    'budget',
    (all) => Object.assign(find(all, 'HorizontalPodAutoscaler', 'delivery').spec ?? {}, { maxReplicas: 16 }),
  ],
  [
    'the memory of PostgreSQL does not suffice for its connections',
    'budget',
    (all) =>
      Object.assign(find(all, 'StatefulSet', 'postgres').spec?.template.spec?.containers[0]?.resources?.limits ?? {}, { memory: '1Gi' }),
  ],
  ['a service has no migration', 'migrations', (all) => remove(all, 'Job', nameOf(find(all, 'Job', 'forms-migrate')))],
];

/** The same for a system on replicated servers. */
export const replicatedBreakages: [string, CheckName, (manifests: Manifest[]) => unknown][] = [
  [
    'a field of the operator has the wrong type',
    'schemas',
    (all) => Object.assign(find(all, 'Cluster', 'postgres').spec, { instances: 'three' }),
  ],
  [
    'durability has a value that the operator does not know',
    'schemas',
    (all) => Object.assign(find(all, 'Cluster', 'postgres').spec.postgresql.synchronous ?? {}, { dataDurability: 'always' }),
  ],
  ['the bucket has no path', 'schemas', (all) => Object.assign(specOf(all, 'ObjectStore', 'postgres-backups'), { configuration: {} })],
  ['backups have no schedule', 'schemas', (all) => delete specOf(all, 'ScheduledBackup', 'postgres').schedule],
  ['a certificate names no issuer', 'schemas', (all) => delete specOf(all, 'Certificate', 'nats-tls').issuerRef],
  ['PostgreSQL replicates asynchronously', 'replication', (all) => delete find(all, 'Cluster', 'postgres').spec.postgresql.synchronous],
  [
    'PostgreSQL confirms writes without a standby',
    'replication',
    (all) => Object.assign(find(all, 'Cluster', 'postgres').spec.postgresql.synchronous ?? {}, { dataDurability: 'preferred' }),
  ],
  [
    'an instance may be promoted that lacks confirmed writes',
    'replication',
    (all) => Object.assign(find(all, 'Cluster', 'postgres').spec.postgresql.synchronous ?? {}, { failoverQuorum: false }),
  ],
  ['writes stop with the only standby', 'replication', (all) => Object.assign(find(all, 'Cluster', 'postgres').spec, { instances: 2 })],
  [
    'the image of PostgreSQL has no digest',
    'replication',
    (all) => Object.assign(find(all, 'Cluster', 'postgres').spec, { imageName: 'ghcr.io/cloudnative-pg/postgresql:18.6' }),
  ],
  [
    'PgBouncer holds a connection for each client',
    'replication',
    (all) => Object.assign(find(all, 'Pooler', 'postgres-pooler').spec.pgbouncer, { poolMode: 'session' }),
  ],
  [
    'a service sends settings that PgBouncer refuses',
    'replication',
    (all) => {
      const { env = [] } = container(all);
      env.splice(
        env.findIndex(({ name }) => name === 'DATABASE_STARTUP_SETTINGS'),
        1,
      );
    },
  ],
  [
    'a service does not ask whether its database replicates',
    'replication',
    (all) => {
      const { env = [] } = container(all);
      env.splice(
        env.findIndex(({ name }) => name === 'DATABASE_REPLICATED'),
        1,
      );
    },
  ],
  [
    'the stream has fewer copies than there are servers',
    'replication',
    (all) => {
      const { env = [] } = container(all);
      env.splice(
        env.findIndex(({ name }) => name === 'NATS_STREAM_REPLICAS'),
        1,
      );
    },
  ],
  [
    'pods open more connections than PgBouncer takes',
    'budget',
    (all) => Object.assign(find(all, 'Pooler', 'postgres-pooler').spec.pgbouncer.parameters, { max_client_conn: '300' }),
  ],
  [
    'the pools of PgBouncer open more connections than PostgreSQL allows',
    'budget',
    (all) => Object.assign(find(all, 'Pooler', 'postgres-pooler').spec.pgbouncer.parameters, { default_pool_size: '40' }),
  ],
  [
    'the memory of PostgreSQL does not suffice for its connections',
    'budget',
    (all) => Object.assign(find(all, 'Cluster', 'postgres').spec.resources.limits, { memory: '2Gi' }),
  ],
  ['PgBouncer may not reach PostgreSQL', 'network', (all) => find(all, 'NetworkPolicy', 'postgres-pooler').spec?.egress?.shift()],
  [
    'services reach PostgreSQL beside PgBouncer',
    'network',
    (all) =>
      find(all, 'NetworkPolicy', 'postgres-cluster-services').spec?.egress?.push({
        to: [{ podSelector: { matchLabels: { 'cnpg.io/cluster': 'postgres' } } }],
        ports: [{ protocol: 'TCP', port: 5432 }],
      }),
  ],
];

const notFound = (): never => {
  throw new Error('The part of the manifest to break does not exist.');
};
