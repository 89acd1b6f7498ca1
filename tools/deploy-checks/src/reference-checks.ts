import { isService } from '@sheaf/kernel';
import { matches, ofKind, nameOf, appDeployments, titleOf, workloads, type Labels, type Manifest } from './manifests';
import { selects } from './network';
import { environmentOf, valuesOf } from './settings';

/** Every reference resolves. */
export function references(manifests: readonly Manifest[]): string[] {
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
    ...ofKind(manifests, 'Ingress').flatMap((route) =>
      (route.spec?.rules ?? []).flatMap(({ http }) =>
        (http?.paths ?? []).flatMap(({ backend }) => has('Service', backend.service?.name, titleOf(route))),
      ),
    ),
    ...ofKind(manifests, 'HTTPRoute').flatMap((route) =>
      (route.spec.rules ?? []).flatMap(({ backendRefs = [] }) => backendRefs.flatMap(({ name }) => has('Service', name, titleOf(route)))),
    ),
    ...ofKind(manifests, 'HTTPRoute').flatMap((route) =>
      (route.spec.parentRefs ?? []).flatMap(({ name }) => has('Gateway', name, titleOf(route))),
    ),
    ...ofKind(manifests, 'HorizontalPodAutoscaler').flatMap((scaler) =>
      has('Deployment', scaler.spec?.scaleTargetRef.name, titleOf(scaler)),
    ),
  ];
}

/** A selector matches only the pods with its own name. */
export function selectors(manifests: readonly Manifest[]): string[] {
  const pods = workloads(manifests);
  const selected = (title: string, name: string, selector: Labels | undefined) => {
    const found = pods.filter(({ labels }) => selector !== undefined && matches(labels, selector)).map((pod) => pod.name);
    return found.length === 1 && found[0] === name ? [] : [`${title}: selects ${found.join(', ') || 'nothing'}`];
  };
  return [
    ...pods.flatMap(({ manifest, labels, title, pod }) => [
      ...(manifest.kind !== 'Job' && !matches(labels, manifest.spec?.selector.matchLabels)
        ? [`${title}: its selector does not match its own pods`]
        : []),
      ...(pod.topologySpreadConstraints ?? [])
        .filter(({ labelSelector }) => !matches(labels, labelSelector?.matchLabels))
        .map(() => `${title}: its topology constraint selects other pods`),
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
