import { isService } from '@sheaf/kernel';
import { matches, nameLabel, ofKind, appDeployments, titleOf, workloads, type Manifest } from './manifests';
import { environmentOf, valuesOf } from './settings';

/** Only readiness may depend on PostgreSQL and NATS. */
export function probes(manifests: readonly Manifest[]): string[] {
  return appDeployments(manifests).flatMap(({ title, container, app }) => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const callsLivez = (probe: typeof livenessProbe) => probe?.httpGet?.path === '/livez' && probe.httpGet.port === 'health';
    const grpc = (container.ports ?? []).find(({ name }) => name === 'grpc')?.containerPort;
    const isReady = isService(app)
      ? readinessProbe?.grpc !== undefined && readinessProbe.grpc.port === grpc
      : readinessProbe?.httpGet?.path === '/readyz' && readinessProbe.httpGet.port === 'health';
    return [
      ...(callsLivez(startupProbe) ? [] : [`${title}: the startup probe must call /livez`]),
      ...(callsLivez(livenessProbe) ? [] : [`${title}: the liveness probe must call /livez`]),
      ...(isReady ? [] : [`${title}: the readiness probe does not check the port that the app serves`]),
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

export function resources(manifests: readonly Manifest[]): string[] {
  return workloads(manifests).flatMap(({ title, container }) =>
    (['requests', 'limits'] as const).flatMap((part) =>
      (['cpu', 'memory'] as const)
        .filter((kind) => container.resources?.[part]?.[kind] === undefined)
        .map((kind) => `${title}: has no ${kind} ${part}`),
    ),
  );
}

/** The "restricted" Pod Security Standard, a read-only root file system, and no token for the cluster's API. */
export function security(manifests: readonly Manifest[]): string[] {
  const tokens = ofKind(manifests, 'ServiceAccount')
    .filter(({ automountServiceAccountToken }) => automountServiceAccountToken !== false)
    .map((account) => `${titleOf(account)}: mounts a token for the cluster API`);
  return [
    ...tokens,
    ...workloads(manifests).flatMap(({ title, pod, container }) => {
      const context = container.securityContext;
      const wrong = {
        'may run as root':
          pod.securityContext?.runAsNonRoot !== true ||
          context?.runAsNonRoot !== true ||
          (context.runAsUser ?? pod.securityContext.runAsUser ?? 0) === 0,
        'has no seccomp profile': pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault',
        'may gain privileges': context?.allowPrivilegeEscalation !== false || context.privileged === true,
        'has capabilities': context?.capabilities?.drop?.join() !== 'ALL' || (context.capabilities.add ?? []).length > 0,
        'may write to its root file system': context?.readOnlyRootFilesystem !== true,
        'mounts a token for the cluster API': pod.automountServiceAccountToken !== false,
        'has access to its node':
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
