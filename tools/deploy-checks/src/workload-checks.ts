import { isService } from '@sheaf/kernel';
import { matches, nameLabel, ofKind, appDeployments, titleOf, workloads, type Manifest } from './manifests';
import { environmentOf, valuesOf } from './settings';

/** Only readiness may depend on PostgreSQL and NATS. */
export function probes(manifests: readonly Manifest[]): string[] {
  return appDeployments(manifests).flatMap(({ title, container }) => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const callsLivez = (probe: typeof livenessProbe) => probe?.httpGet?.path === '/livez' && probe.httpGet.port === 'health';
    // Not `grpc`, of which a kubelet knows no TLS.
    const isReady = readinessProbe?.httpGet?.path === '/readyz' && readinessProbe.httpGet.port === 'health';
    return [
      ...(callsLivez(startupProbe) ? [] : [`${title}: the startup probe must call /livez`]),
      ...(callsLivez(livenessProbe) ? [] : [`${title}: the liveness probe must call /livez`]),
      ...(isReady ? [] : [`${title}: the readiness probe must call /readyz`]),
      // The process allows 2 s for each of its own checks.
      ...((readinessProbe?.timeoutSeconds ?? 1) > 2 ? [] : [`${title}: the readiness probe times out before the process does`]),
    ];
  });
}

/** Exactly one owner of the replica count, and a budget that allows node drains and keeps some pods. */
export function scale(manifests: readonly Manifest[]): string[] {
  const budgets = ofKind(manifests, 'PodDisruptionBudget');
  return appDeployments(manifests).flatMap(({ name, title, manifest }) => {
    if (manifest.kind !== 'Deployment') return [];
    const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').filter(({ spec }) => spec?.scaleTargetRef.name === name);
    const scaled = ofKind(manifests, 'ScaledObject').filter(({ spec }) => spec.scaleTargetRef.name === name);
    const budget = budgets.find(({ spec }) => matches({ [nameLabel]: name }, spec?.selector?.matchLabels));
    const scalerCount = scaler.length + scaled.length;
    if (scalerCount === 0) {
      return [
        ...(manifest.spec?.replicas === 1 ? [] : [`${title}: has more than one pod and no autoscaler`]),
        ...(budget ? [`${title}: a disruption budget for a single pod blocks node drains or does nothing`] : []),
      ];
    }
    const min = scaler[0]?.spec?.minReplicas ?? scaled[0]?.spec.minReplicaCount ?? 1;
    const max = scaler[0]?.spec?.maxReplicas ?? scaled[0]?.spec.maxReplicaCount ?? 1;
    const kept = budget?.spec?.minAvailable ?? min - Number(budget?.spec?.maxUnavailable ?? 0);
    return [
      ...(scalerCount > 1 ? [`${title}: has ${scalerCount} autoscalers`] : []),
      ...(manifest.spec?.replicas === undefined
        ? []
        : [`${title}: sets replicas and has an autoscaler; each deployment would undo the scaling`]),
      ...(min < 2 ? [`${title}: may run fewer than two pods`] : []),
      ...(max < min ? [`${title}: its maximum of ${max} pods is below its minimum of ${min}`] : []),
      ...(budget === undefined ? [`${title}: has no disruption budget`] : []),
      ...(budget !== undefined && budget.spec?.unhealthyPodEvictionPolicy !== 'AlwaysAllow'
        ? [`${title}: a pod that is not ready blocks the drain of its node`]
        : []),
      ...(budget !== undefined && (Number(kept) < 1 || Number(kept) >= min)
        ? [`${title}: the disruption budget keeps ${String(kept)} of ${min} pods`]
        : []),
    ];
  });
}

/** Seconds between the longest shutdown of a process and the moment when it is killed. */
const slackSeconds = 3;

/** Work in progress has time to finish, and a new pod is ready before an old one stops. */
export async function stopping(manifests: readonly Manifest[]): Promise<string[]> {
  const faults = await Promise.all(
    appDeployments(manifests).map(async (workload) => {
      const { title, pod, container, manifest, app } = workload;
      if (manifest.kind !== 'Deployment') return [];
      const values = await valuesOf(app, environmentOf(workload, manifests).env).catch(() => undefined);
      const pause = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
      const needed = pause + Number(values?.SHUTDOWN_GRACE_MS ?? 0) / 1000 + slackSeconds;
      const { rollingUpdate, type } = manifest.spec?.strategy ?? {};
      return [
        ...((pod.terminationGracePeriodSeconds ?? 30) >= needed
          ? []
          : [`${title}: is killed after ${pod.terminationGracePeriodSeconds ?? 30} s but may need ${needed} s`]),
        ...(pause > 0 ? [] : [`${title}: has no preStop pause, so it stops while clients still call it`]),
        ...(type === 'RollingUpdate' && rollingUpdate?.maxUnavailable === 0 && rollingUpdate.maxSurge !== 0
          ? []
          : [`${title}: an old pod stops before a new one is ready`]),
      ];
    }),
  );
  return faults.flat();
}

/** Containers declare the ports that the process opens; services and probes use them. */
export async function ports(manifests: readonly Manifest[]): Promise<string[]> {
  const opened = await Promise.all(
    appDeployments(manifests).map(async (workload) => {
      const { title, container, app } = workload;
      const values = await valuesOf(app, environmentOf(workload, manifests).env).catch(() => undefined);
      if (values === undefined) return [];
      const expected: Record<string, unknown> = isService(app)
        ? { grpc: values.GRPC_PORT, health: values.HEALTH_PORT }
        : { http: values.PORT, health: values.HEALTH_PORT };
      const named = Object.fromEntries((container.ports ?? []).map(({ name, containerPort }) => [name ?? '', containerPort]));
      return Object.entries(expected)
        .filter(([name, port]) => named[name] !== port)
        .map(
          ([name, port]) =>
            `${title}: the process opens port ${String(port)} as ${name}, but the container declares ${String(named[name])}`,
        );
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
    .map((service) => `${titleOf(service)}: has one address for all pods, so a connection always reaches the same pod`);
  return [...opened.flat(), ...served, ...headless];
}
