import { appDeployments, nameOf, ofKind, workloads, type Manifest } from './manifests';
import { environmentOf } from './settings';

/** Servers with several copies confirm a write only when another copy has it, and an image is pinned here as in every pod. */
export function replication(manifests: readonly Manifest[]): string[] {
  const clusters = ofKind(manifests, 'Cluster').flatMap((cluster) => {
    const title = `Cluster/${nameOf(cluster)}`;
    const { instances, imageName, postgresql } = cluster.spec;
    const { number = 0, dataDurability, failoverQuorum } = postgresql.synchronous ?? {};
    return [
      ...(instances - number >= 2 ? [] : [`${title}: writes stop as soon as one of ${instances} instances is down`]),
      ...(number >= 1 && dataDurability === 'required' ? [] : [`${title}: confirms writes that only one instance has`]),
      ...(failoverQuorum === true ? [] : [`${title}: may promote an instance that lacks confirmed writes`]),
      ...(/:\d[^@:/]*@sha256:[0-9a-f]{64}$/.test(imageName) ? [] : [`${title}: ${imageName} is not pinned by a digest`]),
    ];
  });
  const isCluster = (host: string | undefined) =>
    ofKind(manifests, 'Cluster').some((cluster) => host === `${nameOf(cluster)}-rw`) ||
    ofKind(manifests, 'Pooler').some((pooler) => host === nameOf(pooler));
  const silent = appDeployments(manifests)
    .filter(({ name }) => isCluster(hostOf(name, manifests)))
    .filter((pod) => environmentOf(pod, manifests).env.DATABASE_REPLICATED !== 'true')
    .map(({ title }) => `${title}: does not ask whether its database replicates synchronously`);
  const poolers = ofKind(manifests, 'Pooler').flatMap((pooler) => {
    const clients = appDeployments(manifests).filter((pod) => hostOf(pod.name, manifests) === nameOf(pooler));
    return [
      ...(pooler.spec.pgbouncer.poolMode === 'transaction' ? [] : [`Pooler/${nameOf(pooler)}: holds a connection for each client`]),
      ...clients
        .filter((pod) => environmentOf(pod, manifests).env.DATABASE_STARTUP_SETTINGS !== 'false')
        .map(({ title }) => `${title}: sends settings that PgBouncer refuses`),
    ];
  });
  const brokers = workloads(manifests).filter(({ name, manifest }) => name === 'nats' && manifest.kind === 'StatefulSet');
  const streams = brokers.flatMap(({ manifest }) => {
    const servers = manifest.kind === 'StatefulSet' ? (manifest.spec?.replicas ?? 1) : 1;
    return appDeployments(manifests)
      .map((pod) => ({ title: pod.title, env: environmentOf(pod, manifests).env }))
      .filter(({ env }) => env.NATS_URL !== undefined && Number(env.NATS_STREAM_REPLICAS ?? 1) !== servers)
      .map(({ title, env }) => `${title}: keeps ${env.NATS_STREAM_REPLICAS ?? '1'} copies of the stream on ${servers} servers`);
  });
  return [...clusters, ...silent, ...poolers, ...streams];
}

function hostOf(name: string, manifests: readonly Manifest[]): string | undefined {
  const pod = appDeployments(manifests).find((other) => other.name === name);
  const url = pod === undefined ? undefined : environmentOf(pod, manifests).env.DATABASE_URL;
  return url === undefined ? undefined : new URL(url).hostname;
}
