import { services } from '@sheaf/kernel';
import { appDeployments, versionLabel, workloads, type Manifest } from './manifests';
import { environmentOf } from './settings';

/** Every image has an immutable version, and ours have the version in the labels. */
export function images(manifests: readonly Manifest[]): string[] {
  return workloads(manifests).flatMap(({ title, container, app, labels }) => {
    const [, tag, digest] = /^[^:@]+(?::\d+\/[^:@]+)?(?::([^@]+))?(@sha256:[0-9a-f]{64})?$/.exec(container.image ?? '') ?? [];
    return [
      ...(tag === undefined && digest === undefined ? [`${title}: ${container.image ?? ''} has no version`] : []),
      ...(app === undefined && digest === undefined ? [`${title}: ${container.image ?? ''} is not pinned by a digest`] : []),
      ...(tag !== undefined && !/\d/.test(tag) ? [`${title}: ${tag} is not a version`] : []),
      ...(app !== undefined && !/^[^./]+\.[^/]+\//.test(container.image ?? '')
        ? [`${title}: ${container.image ?? ''} names no registry, so it could come from a public registry`]
        : []),
      ...(app !== undefined && tag !== undefined && tag !== labels[versionLabel]
        ? [`${title}: is version ${tag}, but its label says ${labels[versionLabel] ?? 'nothing'}`]
        : []),
    ];
  });
}

/** Each service has one migration job per version, with the owner's role and no other settings. */
export function migrations(manifests: readonly Manifest[]): string[] {
  const jobs = workloads(manifests).filter(({ manifest, app }) => manifest.kind === 'Job' && app !== undefined);
  const missing = services.filter((service) => !jobs.some((job) => job.app === service)).map((service) => `${service} has no migration`);
  return [
    ...missing,
    ...jobs.flatMap((job) => {
      const deployment = appDeployments(manifests).find(({ app }) => app === job.app);
      const { env } = environmentOf(job, manifests);
      const serviceEnv = deployment === undefined ? {} : environmentOf(deployment, manifests).env;
      const owner = env.DATABASE_URL === undefined ? undefined : new URL(env.DATABASE_URL);
      const user = serviceEnv.DATABASE_URL === undefined ? undefined : new URL(serviceEnv.DATABASE_URL);
      return [
        ...(job.name === `${job.app ?? ''}-migrate-v${job.labels[versionLabel] ?? ''}`
          ? []
          : [`${job.title}: is not named after its version`]),
        ...(deployment?.container.image === job.container.image ? [] : [`${job.title}: uses a different image from its service`]),
        ...(job.container.args?.join(' ') === 'migrate' ? [] : [`${job.title}: does not migrate`]),
        ...(Object.keys(env).join() === 'DATABASE_URL' ? [] : [`${job.title}: has more settings than the database`]),
        ...(owner?.username === `${user?.username ?? ''}_owner` && owner.pathname === user?.pathname
          ? []
          : [`${job.title}: does not migrate the service's database as the owner role`]),
      ];
    }),
  ];
}
