import { isIP } from 'node:net';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { ofKind, titleOf, workloads, type Manifest, type Workload } from './manifests';
import { lets, selects, type Peer } from './network';
import { environmentOf } from './settings';

const nameLabel = 'app.kubernetes.io/name';
const publicAddresses = ['93.184.216.34', '2606:2800:220:1::1'];
const insideAddresses = [
  '10.1.2.3',
  '172.20.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '127.0.0.1',
  'fd00::1',
  'fe80::1',
  '::1',
];

/** The policies allow exactly the connections that the settings refer to. */
export function network(manifests: readonly Manifest[]): string[] {
  const policies: INetworkPolicy[] = ofKind(manifests, 'NetworkPolicy');
  const pods = workloads(manifests);
  const namespaceOf = ({ manifest }: Workload) => manifest.metadata?.namespace ?? '';
  const peer = (pod: Workload): Peer => ({ name: pod.name, namespace: namespaceOf(pod), labels: pod.labels });

  const wanted = new Set<string>();
  /** Servers outside our pods, identified by address. */
  const elsewhere = new Set<string>();
  for (const pod of pods) {
    const { env } = environmentOf(pod, manifests);
    for (const [name, value] of Object.entries(env)) {
      if (name.endsWith('_ADDR')) {
        const [, target, port] = /^dns:\/\/\/([a-z-]+):(\d+)$/.exec(value) ?? [];
        wanted.add(`${pod.name} → ${target ?? value}:${port ?? ''}`);
      }
      if (name === 'DATABASE_URL' || name === 'NATS_URL') {
        const { hostname, port } = new URL(value);
        if (pods.some((other) => other.name === hostname)) wanted.add(`${pod.name} → ${hostname}:${port}`);
        else elsewhere.add(`${pod.name} → ${hostname}:${port}`);
      }
      if (name === 'PGHOST') wanted.add(`${pod.name} → ${value}:5432`);
    }
  }

  const stranger: Peer = { name: 'another namespace', namespace: 'elsewhere', labels: { [nameLabel]: 'forms' } };
  const dns: Peer = { name: 'dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
  const found = new Set<string>();
  for (const to of pods) {
    for (const { containerPort } of to.container.ports ?? []) {
      for (const from of pods)
        if (from !== to && lets(policies, peer(from), peer(to), containerPort)) found.add(`${from.name} → ${to.name}:${containerPort}`);
      if (lets(policies, stranger, peer(to), containerPort)) found.add(`outside → ${to.name}:${containerPort}`);
    }
  }

  const waysOut = pods.flatMap((pod) => {
    const reaches = (addresses: string[], port: number) =>
      addresses.filter((address) => lets(policies, peer(pod), { name: address, address }, port));
    const open = reaches(publicAddresses, 443);
    return [
      ...(isMeantToLeave(pod, manifests)
        ? publicAddresses
            .filter((address) => !open.includes(address))
            .map((address) => `${pod.name} → ${address}:443 is needed and not open`)
        : open.map((address) => `${pod.name} → ${address}:443 is open and not needed`)),
      ...[...reaches(insideAddresses, 443), ...reaches(publicAddresses, 80)].map(
        (address) => `${pod.name} → ${address} is open and not needed`,
      ),
    ];
  });
  const deaf = pods
    .filter((pod) => pod.app !== undefined && !lets(policies, peer(pod), dns, 53))
    .map((pod) => `${pod.name} cannot ask for names`);
  return [
    ...[...wanted].filter((edge) => !found.has(edge)).map((edge) => `${edge} is needed and not open`),
    ...[...found].filter((edge) => !wanted.has(edge)).map((edge) => `${edge} is open and not needed`),
    ...waysOut,
    ...toCollectors(pods, policies, manifests),
    ...toServersElsewhere(pods, policies, elsewhere),
    ...waysIn(pods, policies),
    ...deaf,
  ];
}

/** Traces go to a collector in its own namespace, `http://<service>.<namespace>:<port>`, from pods with that setting only. */
function toCollectors(pods: readonly Workload[], policies: readonly INetworkPolicy[], manifests: readonly Manifest[]): string[] {
  const endpointOf = (pod: Workload) => environmentOf(pod, manifests).env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  const endpoints = [...new Set(pods.map(endpointOf))].filter((endpoint) => endpoint !== '');
  return endpoints.flatMap((endpoint) => {
    const { hostname, port } = new URL(endpoint);
    const collector: Peer = { name: hostname, namespace: hostname.split('.')[1] ?? '', labels: {} };
    return pods.flatMap((pod) => {
      const reaches = (on: number) =>
        lets(policies, { name: pod.name, namespace: pod.manifest.metadata?.namespace ?? '', labels: pod.labels }, collector, on);
      const isTold = endpointOf(pod) === endpoint;
      return [
        ...(reaches(Number(port)) === isTold
          ? []
          : [`${pod.name} → ${endpoint} is ${isTold ? 'needed and not open' : 'open and not needed'}`]),
        ...(reaches(443) ? [`${pod.name} → ${hostname}:443 is open and not needed`] : []),
      ];
    });
  });
}

/** Subscribers are outside the cluster, and so are the servers in these settings. */
const isMeantToLeave = (pod: Workload, manifests: readonly Manifest[]) => {
  const { env } = environmentOf(pod, manifests);
  return pod.manifest.kind === 'Deployment' && (pod.app === 'delivery' || outsideSettings.some((name) => (env[name] ?? '') !== ''));
};
const outsideSettings = ['STRIPE_SECRET_KEY', 'SPAM_CHECK_URL', 'FILES_S3_BUCKET'];

/** A pod reaches the PostgreSQL and NATS servers of its own settings, on their ports, and no other pod does. */
function toServersElsewhere(pods: readonly Workload[], policies: readonly INetworkPolicy[], wanted: ReadonlySet<string>): string[] {
  const servers = new Set([...wanted].map((edge) => edge.split(' → ')[1] ?? ''));
  return [...servers].flatMap((server) => {
    const { hostname, port } = new URL(`tcp://${server}`);
    if (isIP(hostname) === 0) return [`${server} is no pod, and without an address nobody can say whether it is reached`];
    return pods.flatMap((pod) => {
      const isReached = lets(
        policies,
        { name: pod.name, namespace: pod.manifest.metadata?.namespace ?? '', labels: pod.labels },
        { name: server, address: hostname },
        Number(port),
      );
      const isWanted = wanted.has(`${pod.name} → ${server}`);
      return isReached === isWanted ? [] : [`${pod.name} → ${server} is ${isWanted ? 'needed and not open' : 'open and not needed'}`];
    });
  });
}

/** Ingress is limited to the pods of a proxy: a whole namespace or an address would allow more. */
function waysIn(pods: readonly Workload[], policies: readonly INetworkPolicy[]): string[] {
  return policies
    .filter(({ spec }) => pods.some(({ app, labels }) => app === 'gateway' && spec !== undefined && selects(spec.podSelector, labels)))
    .flatMap((policy) =>
      (policy.spec?.ingress ?? [])
        .filter(({ ports }) => ports?.some(({ port }) => port === 8080) ?? true)
        .flatMap(({ from }) => (from ?? [{}]).map((peer) => ({ policy, peer }))),
    )
    .filter(({ peer }) => peer.podSelector === undefined)
    .map(({ policy }) => `${titleOf(policy)}: lets in more than the pods of a proxy`);
}
