import { isIP } from 'node:net';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { nameLabel, nameOf, ofKind, titleOf, workloads, type Manifest, type Workload } from './manifests';
import { allows, selects, type Peer } from './network';
import { environmentOf } from './settings';

const publicAddresses = ['93.184.216.34', '2606:2800:220:1::1'];
const internalAddresses = [
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
  const ends = [...pods.map(endOf), ...operatedServers(manifests)];
  const { needed, external } = neededConnections(pods, ends, manifests);
  const open = openConnections(ends, policies);
  return [
    ...[...needed].filter((connection) => !open.has(connection)).map((connection) => `${connection} is needed but not open`),
    ...[...open].filter((connection) => !needed.has(connection)).map((connection) => `${connection} is open but not needed`),
    ...internetFaults(pods, policies, manifests),
    ...collectorFaults(pods, policies, manifests),
    ...externalServerFaults(pods, policies, external),
    ...proxyFaults(pods, policies),
    ...dnsFaults(pods, policies),
  ];
}

const peerOf = ({ name, manifest, labels }: Workload): Peer => ({ name, namespace: manifest.metadata?.namespace ?? '', labels });

/** A set of pods of ours: its name is that of its Service. */
interface End {
  name: string;
  peer: Peer;
  ports: readonly number[];
}

const endOf = (pod: Workload): End => ({
  name: pod.name,
  peer: peerOf(pod),
  ports: (pod.container.ports ?? []).map(({ containerPort }) => containerPort),
});

/** The pods that CloudNativePG runs, with the labels and the services that it gives them. */
const operatedServers = (manifests: readonly Manifest[]): End[] => [
  ...ofKind(manifests, 'Cluster').map((cluster) => ({
    name: `${nameOf(cluster)}-rw`,
    peer: {
      name: nameOf(cluster),
      namespace: cluster.metadata?.namespace ?? '',
      labels: { 'cnpg.io/cluster': nameOf(cluster), 'cnpg.io/podRole': 'instance' },
    },
    ports: [5432],
  })),
  ...ofKind(manifests, 'Pooler').map((pooler) => ({
    name: nameOf(pooler),
    peer: {
      name: nameOf(pooler),
      namespace: pooler.metadata?.namespace ?? '',
      labels: { 'cnpg.io/cluster': pooler.spec.cluster.name, 'cnpg.io/poolerName': nameOf(pooler), 'cnpg.io/podRole': 'pooler' },
    },
    ports: [5432],
  })),
];

/** The connections that settings refer to, between our pods and to servers elsewhere, which are identified by address. */
function neededConnections(
  pods: readonly Workload[],
  ends: readonly End[],
  manifests: readonly Manifest[],
): { needed: ReadonlySet<string>; external: ReadonlySet<string> } {
  const needed = new Set<string>();
  const external = new Set<string>();
  const need = (from: string, address: string) => {
    const { hostname, port } = new URL(address);
    // A pod of a StatefulSet may be named by itself: `nats-0.nats`.
    const name = /^(.+)-\d+\.\1$/.exec(hostname)?.[1] ?? hostname;
    (ends.some((end) => end.name === name) ? needed : external).add(`${from} → ${name}:${port}`);
  };
  for (const pod of pods) {
    for (const [name, value] of Object.entries(environmentOf(pod, manifests).env)) {
      if (name.endsWith('_ADDR')) {
        const [, target, port] = /^(?:dns:\/\/\/)?([a-z-]+):(\d+)$/.exec(value) ?? [];
        needed.add(`${pod.name} → ${target ?? value}:${port ?? ''}`);
      }
      if (name === 'DATABASE_URL' || name === 'NATS_URL') for (const server of value.split(',')) need(pod.name, server);
      if (name === 'WEBHOOK_PROXY_URL') need(pod.name, value);
      if (name === 'PGHOST') needed.add(`${pod.name} → ${value}:5432`);
    }
    for (const argument of pod.container.args ?? []) if (argument.startsWith('http://')) need(pod.name, argument);
  }
  for (const pooler of ofKind(manifests, 'Pooler')) needed.add(`${nameOf(pooler)} → ${pooler.spec.cluster.name}-rw:5432`);
  return { needed, external };
}

/** The connections to our pods that the policies allow: from our other pods, and from another namespace. */
function openConnections(ends: readonly End[], policies: readonly INetworkPolicy[]): ReadonlySet<string> {
  const outsider: Peer = { name: 'outside', namespace: 'elsewhere', labels: { [nameLabel]: 'forms' } };
  return new Set(
    ends.flatMap((to) =>
      to.ports.flatMap((port) =>
        [...ends.filter((from) => from !== to), { name: outsider.name, peer: outsider }]
          .filter(({ peer }) => allows(policies, peer, to.peer, port))
          .map((from) => `${from.name} → ${to.name}:${port}`),
      ),
    ),
  );
}

/** Only pods whose work is outside the cluster reach public addresses, on port 443; none reaches internal addresses. */
function internetFaults(pods: readonly Workload[], policies: readonly INetworkPolicy[], manifests: readonly Manifest[]): string[] {
  return pods.flatMap((pod) => {
    const reaches = (addresses: string[], port: number) =>
      addresses.filter((address) => allows(policies, peerOf(pod), { name: address, address }, port));
    const open = reaches(publicAddresses, 443);
    const needed = needsInternet(pod, manifests) ? publicAddresses : [];
    return [
      ...needed.filter((address) => !open.includes(address)).map((address) => `${pod.name} → ${address}:443 is needed but not open`),
      ...open.filter((address) => !needed.includes(address)).map((address) => `${pod.name} → ${address}:443 is open but not needed`),
      ...[...reaches(internalAddresses, 443), ...reaches(publicAddresses, 80)].map(
        (address) => `${pod.name} → ${address} is open but not needed`,
      ),
    ];
  });
}

function dnsFaults(pods: readonly Workload[], policies: readonly INetworkPolicy[]): string[] {
  const dns: Peer = { name: 'dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
  return pods
    .filter((pod) => pod.app !== undefined && !allows(policies, peerOf(pod), dns, 53))
    .map((pod) => `${pod.name} cannot resolve names`);
}

/** Traces go to a collector in a separate namespace, `http://<service>.<namespace>:<port>`, from pods with that setting only. */
function collectorFaults(pods: readonly Workload[], policies: readonly INetworkPolicy[], manifests: readonly Manifest[]): string[] {
  const endpointOf = (pod: Workload) => environmentOf(pod, manifests).env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  const endpoints = [...new Set(pods.map(endpointOf))].filter((endpoint) => endpoint !== '');
  return endpoints.flatMap((endpoint) => {
    const { hostname, port } = new URL(endpoint);
    const collector: Peer = { name: hostname, namespace: hostname.split('.')[1] ?? '', labels: {} };
    return pods.flatMap((pod) => {
      const reaches = (on: number) => allows(policies, peerOf(pod), collector, on);
      const isNeeded = endpointOf(pod) === endpoint;
      return [
        ...(reaches(Number(port)) === isNeeded
          ? []
          : [`${pod.name} → ${endpoint} is ${isNeeded ? 'needed but not open' : 'open but not needed'}`]),
        ...(reaches(443) ? [`${pod.name} → ${hostname}:443 is open but not needed`] : []),
      ];
    });
  });
}

/** Subscribers are outside the cluster, unless a proxy leads to them, and so are the servers in these settings. */
const needsInternet = (pod: Workload, manifests: readonly Manifest[]) => {
  const { env } = environmentOf(pod, manifests);
  const callsSubscribers = pod.app === 'delivery' && env.WEBHOOK_PROXY_URL === undefined;
  return pod.manifest.kind === 'Deployment' && (callsSubscribers || outsideSettings.some((name) => (env[name] ?? '') !== ''));
};
const outsideSettings = ['STRIPE_SECRET_KEY', 'SPAM_CHECK_URL', 'FILES_S3_BUCKET'];

/** A pod reaches the PostgreSQL and NATS servers of its own settings, on their ports, and no other pod does. */
function externalServerFaults(
  pods: readonly Workload[],
  policies: readonly INetworkPolicy[],
  neededServers: ReadonlySet<string>,
): string[] {
  const servers = new Set([...neededServers].map((edge) => edge.split(' → ')[1] ?? ''));
  return [...servers].flatMap((server) => {
    const { hostname, port } = new URL(`tcp://${server}`);
    if (isIP(hostname) === 0) return [`${server} is neither a pod nor an address, so the policies cannot be checked`];
    return pods.flatMap((pod) => {
      const isReached = allows(policies, peerOf(pod), { name: server, address: hostname }, Number(port));
      const isNeeded = neededServers.has(`${pod.name} → ${server}`);
      return isReached === isNeeded ? [] : [`${pod.name} → ${server} is ${isNeeded ? 'needed but not open' : 'open but not needed'}`];
    });
  });
}

/** Ingress is limited to the pods of a proxy: a whole namespace or an address would allow more. */
function proxyFaults(pods: readonly Workload[], policies: readonly INetworkPolicy[]): string[] {
  return policies
    .filter(({ spec }) => pods.some(({ app, labels }) => app === 'gateway' && spec !== undefined && selects(spec.podSelector, labels)))
    .flatMap((policy) =>
      (policy.spec?.ingress ?? [])
        .filter(({ ports }) => ports?.some(({ port }) => port === 8080) ?? true)
        .flatMap(({ from }) => (from ?? [{}]).map((peer) => ({ policy, peer }))),
    )
    .filter(({ peer }) => peer.podSelector === undefined)
    .map(({ policy }) => `${titleOf(policy)}: admits more than the pods of a proxy`);
}
