import { apps, type App } from '@sheaf/kernel';
import { matches, nameOf, ofKind, titleOf, workloads, type Labels, type Manifest, type Workload } from './manifests';
import { network } from './connections';
import { selects } from './network';
import { schemaFaults } from './schemas';
import { environmentOf, settingFaults, valuesOf } from './settings';

/**
 * Rules for a whole system in a cluster: platform, migrations, services, and the secrets generated for it. Each rule returns its
 * faults, one line each.
 */
export const checks = {
  schemas: schemaFaults,
  references,
  selectors,
  ports,
  probes,
  network,
  settings,
  secrets,
  scale,
  stopping,
  resources,
  security,
  images,
  migrations,
} satisfies Record<string, (manifests: readonly Manifest[]) => string[] | Promise<string[]>>;

export type CheckName = keyof typeof checks;

const nameLabel = 'app.kubernetes.io/name';
const versionLabel = 'app.kubernetes.io/version';

const serving = (manifests: readonly Manifest[]): (Workload & { app: App })[] =>
  workloads(manifests).flatMap((workload) =>
    workload.app !== undefined && workload.manifest.kind === 'Deployment' ? [{ ...workload, app: workload.app }] : [],
  );

/** Every reference resolves. */
function references(manifests: readonly Manifest[]): string[] {
  const has = (kind: Manifest['kind'], name: string | undefined, title: string) =>
    manifests.some((manifest) => manifest.kind === kind && nameOf(manifest) === name)
      ? []
      : [`${title}: there is no ${kind} ${name ?? ''}`];
  return [
    ...workloads(manifests).flatMap((workload) => {
      const { pod, container, title, manifest } = workload;
      const claims =
        manifest.kind === 'StatefulSet' ? (manifest.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? '') : [];
      const volumes = [...(pod.volumes ?? []).map(({ name }) => name), ...claims];
      return [
        ...environmentOf(workload, manifests).faults,
        ...(pod.serviceAccountName === undefined ? [] : has('ServiceAccount', pod.serviceAccountName, title)),
        ...(pod.volumes ?? []).flatMap(({ configMap, secret, persistentVolumeClaim: claim }) => [
          ...(configMap ? has('ConfigMap', configMap.name, title) : []),
          ...(secret ? has('Secret', secret.secretName, title) : []),
          ...(claim ? has('PersistentVolumeClaim', claim.claimName, title) : []),
        ]),
        ...(container.volumeMounts ?? [])
          .filter(({ name }) => !volumes.includes(name))
          .map(({ name }) => `${title}: there is no volume ${name}`),
        ...(manifest.kind === 'StatefulSet' ? has('Service', manifest.spec?.serviceName, title) : []),
      ];
    }),
    ...ofKind(manifests, 'Ingress').flatMap((way) =>
      (way.spec?.rules ?? []).flatMap(({ http }) =>
        (http?.paths ?? []).flatMap(({ backend }) => has('Service', backend.service?.name, titleOf(way))),
      ),
    ),
    ...ofKind(manifests, 'HTTPRoute').flatMap((way) =>
      (way.spec.rules ?? []).flatMap(({ backendRefs = [] }) => backendRefs.flatMap(({ name }) => has('Service', name, titleOf(way)))),
    ),
    ...ofKind(manifests, 'HTTPRoute').flatMap((way) =>
      (way.spec.parentRefs ?? []).flatMap(({ name }) => has('Gateway', name, titleOf(way))),
    ),
    ...ofKind(manifests, 'HorizontalPodAutoscaler').flatMap((scaler) =>
      has('Deployment', scaler.spec?.scaleTargetRef.name, titleOf(scaler)),
    ),
  ];
}

/** A selector matches only the pods with its own name. */
function selectors(manifests: readonly Manifest[]): string[] {
  const pods = workloads(manifests);
  const selected = (title: string, name: string, selector: Labels | undefined) => {
    const found = pods.filter(({ labels }) => selector !== undefined && matches(labels, selector)).map((pod) => pod.name);
    return found.length === 1 && found[0] === name ? [] : [`${title}: selects ${found.join(', ') || 'nothing'}`];
  };
  return [
    ...pods.flatMap(({ manifest, labels, title, pod }) => [
      ...(manifest.kind !== 'Job' && !matches(labels, manifest.spec?.selector.matchLabels)
        ? [`${title}: does not select its own pods`]
        : []),
      ...(pod.topologySpreadConstraints ?? [])
        .filter(({ labelSelector }) => !matches(labels, labelSelector?.matchLabels))
        .map(() => `${title}: spreads other pods than its own`),
    ]),
    ...ofKind(manifests, 'Service').flatMap((service) => selected(titleOf(service), nameOf(service), service.spec?.selector)),
    ...ofKind(manifests, 'PodDisruptionBudget').flatMap((budget) =>
      selected(titleOf(budget), nameOf(budget), budget.spec?.selector?.matchLabels),
    ),
    ...ofKind(manifests, 'NetworkPolicy')
      .filter(({ spec }) => spec !== undefined && !pods.some(({ labels }) => selects(spec.podSelector, labels)))
      .map((policy) => `${titleOf(policy)}: selects nothing`),
  ];
}

/** Containers declare the ports that the process opens; services and probes use them. */
async function ports(manifests: readonly Manifest[]): Promise<string[]> {
  const opened = await Promise.all(
    serving(manifests).map(async (workload) => {
      const { title, container, app } = workload;
      const values = await valuesOf(app, environmentOf(workload, manifests).env).catch(() => undefined);
      if (values === undefined) return [];
      const wanted: Record<string, unknown> =
        app === 'gateway' ? { http: values.PORT, health: values.HEALTH_PORT } : { grpc: values.GRPC_PORT, health: values.HEALTH_PORT };
      const named = Object.fromEntries((container.ports ?? []).map(({ name, containerPort }) => [name ?? '', containerPort]));
      return Object.entries(wanted)
        .filter(([name, port]) => named[name] !== port)
        .map(([name, port]) => `${title}: opens ${String(port)} as ${name}, and says ${String(named[name])}`);
    }),
  );
  const pods = workloads(manifests);
  const served = ofKind(manifests, 'Service').flatMap((service) => {
    const pod = pods.find(({ labels }) => matches(labels, service.spec?.selector));
    const names = (pod?.container.ports ?? []).map(({ name }) => name);
    return (service.spec?.ports ?? [])
      .filter(({ targetPort }) => !names.includes(String(targetPort)))
      .map(({ targetPort }) => `${titleOf(service)}: its pods have no port ${String(targetPort)}`);
  });
  const headless = ofKind(manifests, 'Service')
    .filter(({ spec }) => spec?.clusterIP !== 'None' && (spec?.ports ?? []).some(({ name }) => name === 'grpc'))
    .map((service) => `${titleOf(service)}: has one address for all pods, so that a connection stays with one`);
  return [...opened.flat(), ...served, ...headless];
}

/** Only readiness may depend on PostgreSQL and NATS. */
function probes(manifests: readonly Manifest[]): string[] {
  return serving(manifests).flatMap(({ title, container, app }) => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const asksLife = (probe: typeof livenessProbe) => probe?.httpGet?.path === '/livez' && probe.httpGet.port === 'health';
    const grpc = (container.ports ?? []).find(({ name }) => name === 'grpc')?.containerPort;
    const isReady =
      app === 'gateway'
        ? readinessProbe?.httpGet?.path === '/readyz' && readinessProbe.httpGet.port === 'health'
        : readinessProbe?.grpc !== undefined && readinessProbe.grpc.port === grpc;
    return [
      ...(asksLife(startupProbe) ? [] : [`${title}: the startup probe has to ask /livez`]),
      ...(asksLife(livenessProbe) ? [] : [`${title}: the liveness probe has to ask /livez`]),
      ...(isReady ? [] : [`${title}: the readiness probe does not ask the door that is served`]),
      // The process allows each of its own checks 2 s.
      ...((readinessProbe?.timeoutSeconds ?? 1) > 2 ? [] : [`${title}: the readiness probe gives up before the process does`]),
    ];
  });
}

/** Every process would start with its settings, and gets none that it does not know. */
async function settings(manifests: readonly Manifest[]): Promise<string[]> {
  const faults = await Promise.all(
    serving(manifests).map((workload) => settingFaults(workload.app, environmentOf(workload, manifests).env, workload.title)),
  );
  return [...faults.flat(), ...trust(manifests)];
}

/** Only the proxies in front of the gateway are trusted with the client's address, not all private addresses, where every pod is. */
function trust(manifests: readonly Manifest[]): string[] {
  return serving(manifests).flatMap((workload) => {
    const trusted = (environmentOf(workload, manifests).env.TRUSTED_PROXIES ?? '').split(',').filter((proxy) => proxy !== '');
    const isBroad = (proxy: string) => !/^[0-9a-f]*[.:]/.test(proxy) || Number(proxy.split('/')[1] ?? 128) < 20;
    return trusted.filter(isBroad).map((proxy) => `${workload.title}: believes ${proxy}, which is more than a proxy`);
  });
}

const secretSettings = /(?:SECRET|SECRETS|PASSWORD|_URL|CALLER_KEYS?|SECRET_KEY|ACCESS_KEY|OTLP_HEADERS)$/;

/** Secrets are passed by reference only, and each process gets only its own. */
function secrets(manifests: readonly Manifest[]): string[] {
  const inTheOpen = ofKind(manifests, 'ConfigMap').flatMap((map) =>
    Object.keys(map.data ?? {})
      .filter((key) => isSecret(key))
      .map((key) => `${titleOf(map)}: ${key} is a secret`),
  );
  const written = workloads(manifests).flatMap(({ container, title }) =>
    (container.env ?? [])
      .filter(({ name, value }) => value !== undefined && isSecret(name))
      .map(({ name }) => `${title}: ${name} is a secret`),
  );
  const foreign = workloads(manifests).flatMap(({ container, title, app, manifest }) => {
    if (app === undefined) return [];
    const used = [
      ...(container.env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
      ...(container.envFrom ?? []).map(({ secretRef }) => secretRef?.name),
    ];
    const own =
      manifest.kind === 'Job' ? [`${app}-migrate-secrets`] : [`${app}-secrets`, 'stripe-secrets', 'files-secrets', 'tracing-secrets'];
    return used.filter((name) => name !== undefined && !own.includes(name)).map((name) => `${title}: ${name ?? ''} is not for it`);
  });
  return [...inTheOpen, ...written, ...foreign];
}

const isSecret = (name: string) => secretSettings.test(name) && !name.startsWith('PAYMENT_') && name !== 'SPAM_CHECK_URL';

/** Exactly one owner of the replica count, and a budget that allows node drains and keeps some pods. */
function scale(manifests: readonly Manifest[]): string[] {
  const budgets = ofKind(manifests, 'PodDisruptionBudget');
  return serving(manifests).flatMap(({ name, title, manifest }) => {
    if (manifest.kind !== 'Deployment') return [];
    const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').filter(({ spec }) => spec?.scaleTargetRef.name === name);
    const scaled = ofKind(manifests, 'ScaledObject').filter(({ spec }) => spec.scaleTargetRef.name === name);
    const budget = budgets.find(({ spec }) => matches({ [nameLabel]: name }, spec?.selector?.matchLabels));
    const keepers = scaler.length + scaled.length;
    if (keepers === 0) {
      return [
        ...(manifest.spec?.replicas === 1 ? [] : [`${title}: has no autoscaler, and more than one pod`]),
        ...(budget ? [`${title}: a budget over a single pod keeps nodes from being drained, or does nothing`] : []),
      ];
    }
    const least = scaler[0]?.spec?.minReplicas ?? scaled[0]?.spec.minReplicaCount ?? 1;
    const most = scaler[0]?.spec?.maxReplicas ?? scaled[0]?.spec.maxReplicaCount ?? 1;
    const kept = budget?.spec?.minAvailable ?? least - Number(budget?.spec?.maxUnavailable ?? 0);
    return [
      ...(keepers > 1 ? [`${title}: ${keepers} autoscalers pull at it`] : []),
      ...(manifest.spec?.replicas === undefined
        ? []
        : [`${title}: says replicas beside its autoscaler, and each deployment would undo what that did`]),
      ...(least < 2 ? [`${title}: fewer than two pods`] : []),
      ...(most < least ? [`${title}: at most ${most} pods, and at least ${least}`] : []),
      ...(budget === undefined ? [`${title}: has no disruption budget`] : []),
      ...(budget !== undefined && budget.spec?.unhealthyPodEvictionPolicy !== 'AlwaysAllow'
        ? [`${title}: a pod that is not ready keeps its node from being drained`]
        : []),
      ...(budget !== undefined && (Number(kept) < 1 || Number(kept) >= least)
        ? [`${title}: the disruption budget keeps ${String(kept)} of ${least} pods`]
        : []),
    ];
  });
}

/** Seconds between the longest shutdown of a process and the moment when it is killed. */
const slackSeconds = 3;

/** Work in progress has time to finish, and a new pod is ready before an old one stops. */
async function stopping(manifests: readonly Manifest[]): Promise<string[]> {
  const faults = await Promise.all(
    serving(manifests).map(async (workload) => {
      const { title, pod, container, manifest, app } = workload;
      if (manifest.kind !== 'Deployment') return [];
      const values = await valuesOf(app, environmentOf(workload, manifests).env).catch(() => undefined);
      const pause = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
      const needed = pause + Number(values?.SHUTDOWN_GRACE_MS ?? 0) / 1000 + slackSeconds;
      const { rollingUpdate, type } = manifest.spec?.strategy ?? {};
      return [
        ...((pod.terminationGracePeriodSeconds ?? 30) >= needed
          ? []
          : [`${title}: is killed after ${pod.terminationGracePeriodSeconds ?? 30} s, and may need ${needed} s`]),
        ...(pause > 0 ? [] : [`${title}: stops before everybody has heard of it`]),
        ...(type === 'RollingUpdate' && rollingUpdate?.maxUnavailable === 0 && rollingUpdate.maxSurge !== 0
          ? []
          : [`${title}: an old pod goes before a new one is there`]),
      ];
    }),
  );
  return faults.flat();
}

function resources(manifests: readonly Manifest[]): string[] {
  return workloads(manifests).flatMap(({ title, container }) =>
    (['requests', 'limits'] as const).flatMap((part) =>
      (['cpu', 'memory'] as const)
        .filter((kind) => container.resources?.[part]?.[kind] === undefined)
        .map((kind) => `${title}: has no ${part} of ${kind}`),
    ),
  );
}

/** The "restricted" Pod Security Standard, a read-only root file system, and no token for the cluster's API. */
function security(manifests: readonly Manifest[]): string[] {
  const tokens = ofKind(manifests, 'ServiceAccount')
    .filter(({ automountServiceAccountToken }) => automountServiceAccountToken !== false)
    .map((account) => `${titleOf(account)}: has a token`);
  return [
    ...tokens,
    ...workloads(manifests).flatMap(({ title, pod, container }) => {
      const own = container.securityContext;
      const wrong = {
        'may run as root':
          pod.securityContext?.runAsNonRoot !== true ||
          own?.runAsNonRoot !== true ||
          (own.runAsUser ?? pod.securityContext.runAsUser ?? 0) === 0,
        'has no seccomp profile': pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault',
        'may gain privileges': own?.allowPrivilegeEscalation !== false || own.privileged === true,
        'has capabilities': own?.capabilities?.drop?.join() !== 'ALL' || (own.capabilities.add ?? []).length > 0,
        'may write to its root file system': own?.readOnlyRootFilesystem !== true,
        'has a token': pod.automountServiceAccountToken !== false,
        'sees its node':
          pod.hostNetwork === true ||
          pod.hostPID === true ||
          pod.hostIPC === true ||
          (pod.volumes ?? []).some(({ hostPath }) => hostPath !== undefined) ||
          (container.ports ?? []).some(({ hostPort }) => hostPort !== undefined),
      };
      return Object.entries(wrong)
        .filter(([, is]) => is)
        .map(([what]) => `${title}: ${what}`);
    }),
  ];
}

/** Immutable versions; for our images, the version in the labels. */
function images(manifests: readonly Manifest[]): string[] {
  return workloads(manifests).flatMap(({ title, container, app, labels }) => {
    const [, tag, digest] = /^[^:@]+(?::\d+\/[^:@]+)?(?::([^@]+))?(@sha256:[0-9a-f]{64})?$/.exec(container.image ?? '') ?? [];
    return [
      ...(tag === undefined && digest === undefined ? [`${title}: ${container.image ?? ''} has no version`] : []),
      ...(app === undefined && digest === undefined ? [`${title}: ${container.image ?? ''} is not pinned by a digest`] : []),
      ...(tag !== undefined && !/\d/.test(tag) ? [`${title}: ${tag} is no version`] : []),
      ...(app !== undefined && !/^[^/]+\.[^/]+\//.test(container.image ?? '')
        ? [`${title}: ${container.image ?? ''} names no registry, so a stranger's could answer`]
        : []),
      ...(app !== undefined && tag !== undefined && tag !== labels[versionLabel]
        ? [`${title}: is version ${tag}, and its label says ${labels[versionLabel] ?? 'nothing'}`]
        : []),
    ];
  });
}

/** One job per version, with the owner's role and nothing else. */
function migrations(manifests: readonly Manifest[]): string[] {
  const jobs = workloads(manifests).filter(({ manifest, app }) => manifest.kind === 'Job' && app !== undefined);
  const missing = apps.filter((app) => app !== 'gateway' && !jobs.some((job) => job.app === app)).map((app) => `${app} has no migration`);
  return [
    ...missing,
    ...jobs.flatMap((job) => {
      const deployment = serving(manifests).find(({ app }) => app === job.app);
      const { env } = environmentOf(job, manifests);
      const runs = deployment === undefined ? {} : environmentOf(deployment, manifests).env;
      const owner = env.DATABASE_URL === undefined ? undefined : new URL(env.DATABASE_URL);
      const user = runs.DATABASE_URL === undefined ? undefined : new URL(runs.DATABASE_URL);
      return [
        ...(job.name === `${job.app ?? ''}-migrate-v${job.labels[versionLabel] ?? ''}`
          ? []
          : [`${job.title}: is not named after its version`]),
        ...(deployment?.container.image === job.container.image ? [] : [`${job.title}: is of another image than its service`]),
        ...(job.container.args?.join(' ') === 'migrate' ? [] : [`${job.title}: does not migrate`]),
        ...(Object.keys(env).join() === 'DATABASE_URL' ? [] : [`${job.title}: knows more than the database`]),
        ...(owner?.username === `${user?.username ?? ''}_owner` && owner.pathname === user?.pathname
          ? []
          : [`${job.title}: does not migrate the service's database as its owner`]),
      ];
    }),
  ];
}
