import { isService } from '@sheaf/kernel';
import { appDeployments, nameOf, ofKind, workloads, type Manifest, type Workload } from './manifests';
import { environmentOf, valuesOf } from './settings';

const MiB = 1024 * 1024;
// A connection of a service that has run its statements for a while, with its caches of plans and of the catalogue: an estimate, from 320 of them in
// about 2 GB.
const bytesPerConnection = 6 * MiB;
// For the superuser, the operator or an exporter, and a person who looks.
const setAside = 13;

/** Each server has a connection for every one that all pods may open together, and the memory for them. */
export async function budget(manifests: readonly Manifest[]): Promise<string[]> {
  const demand = new Map<string, number>();
  const add = (host: string, connections: number) => demand.set(host, (demand.get(host) ?? 0) + connections);
  for (const pod of workloads(manifests)) {
    const { env } = environmentOf(pod, manifests);
    if (env.PGHOST !== undefined) add(env.PGHOST, 1);
    if (env.DATABASE_URL !== undefined) add(new URL(env.DATABASE_URL).hostname, await connectionsOf(pod, env, manifests));
  }

  const poolers = ofKind(manifests, 'Pooler').flatMap((pooler) => {
    const { cluster, instances, pgbouncer } = pooler.spec;
    const { max_client_conn, default_pool_size, reserve_pool_size } = pgbouncer.parameters;
    const services = appDeployments(manifests).filter(({ app }) => isService(app)).length;
    add(`${cluster.name}-rw`, instances * services * (Number(default_pool_size) + Number(reserve_pool_size)));
    const needed = demand.get(nameOf(pooler)) ?? 0;
    // While one instance is being replaced, the others serve every client.
    const offered = Number(max_client_conn) * Math.max(1, instances - 1);
    return needed > offered ? [`Pooler/${nameOf(pooler)}: takes ${offered} clients, but the pods open up to ${needed}`] : [];
  });
  return [
    ...poolers,
    ...servers(manifests).flatMap(({ host, title, maxConnections, sharedBuffers, memory }) => {
      const needed = (demand.get(host) ?? 0) + setAside;
      const bytes = sharedBuffers + needed * bytesPerConnection;
      return [
        ...(needed > maxConnections ? [`${title}: allows ${maxConnections} connections, but the pods open up to ${needed}`] : []),
        ...(bytes > memory
          ? [`${title}: has ${Math.round(memory / MiB)} MiB, but ${needed} connections need ${Math.round(bytes / MiB)}`]
          : []),
      ];
    }),
  ];
}

/** The connections that all copies of a pod hold at once, with one more while a version replaces another. A migration has one. */
async function connectionsOf(
  { app, manifest, name }: Workload,
  env: Record<string, string>,
  manifests: readonly Manifest[],
): Promise<number> {
  if (app === undefined || manifest.kind !== 'Deployment') return 1;
  const values = await valuesOf(app, env).catch(() => undefined);
  const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(({ spec }) => spec?.scaleTargetRef.name === name)?.spec?.maxReplicas;
  const scaled = ofKind(manifests, 'ScaledObject').find(({ spec }) => spec.scaleTargetRef.name === name)?.spec.maxReplicaCount;
  return ((scaler ?? scaled ?? manifest.spec?.replicas ?? 1) + 1) * Number(values?.DATABASE_POOL ?? 0);
}

interface Server {
  host: string;
  title: string;
  maxConnections: number;
  sharedBuffers: number;
  memory: number;
}

const servers = (manifests: readonly Manifest[]): Server[] => [
  ...workloads(manifests)
    .filter(({ container }) => container.args?.some((argument) => argument.startsWith('max_connections=')))
    .map(({ name, title, container }) => {
      const setting = (key: string) => container.args?.find((argument) => argument.startsWith(`${key}=`))?.split('=')[1] ?? '';
      return {
        host: name,
        title,
        maxConnections: Number(setting('max_connections')),
        sharedBuffers: bytesOf(setting('shared_buffers')),
        memory: bytesOf(String(container.resources?.limits?.memory)),
      };
    }),
  ...ofKind(manifests, 'Cluster').map((cluster) => ({
    host: `${nameOf(cluster)}-rw`,
    title: `Cluster/${nameOf(cluster)}`,
    maxConnections: Number(cluster.spec.postgresql.parameters.max_connections),
    sharedBuffers: bytesOf(cluster.spec.postgresql.parameters.shared_buffers ?? ''),
    memory: bytesOf(cluster.spec.resources.limits.memory),
  })),
];

/** A size as Kubernetes or PostgreSQL writes it: `256Mi`, `3Gi`, `256MB`, `1GB`. */
function bytesOf(size: string): number {
  const [, count, unit] = /^(\d+)(Mi|MB|Gi|GB)$/.exec(size) ?? [];
  if (count === undefined) throw new Error(`${size} is not a size in mebibytes or gibibytes.`);
  return Number(count) * (unit?.startsWith('G') === true ? 1024 * MiB : MiB);
}
