import { apps, services } from '@sheaf/kernel';
import { generatedSecrets, render, type Manifest } from './manifests';

export const environments = ['dev', 'production'] as const;
export type Environment = (typeof environments)[number];

/** The manifests of this tree, as kubectl renders them. */
export interface Rendered {
  /** The manifests of each app alone. */
  overlays: Record<Environment, Record<string, Manifest[]>>;
  /** The same manifests from the kustomization for all apps. */
  umbrellas: Record<Environment, Manifest[]>;
  monitoring: Manifest[];
  tracing: Manifest[];
  replicated: Manifest[];
  /** A whole system: generated secrets, platform, migrations, and these apps. */
  system: (running: Manifest[]) => Manifest[];
}

const natsServers = [0, 1, 2].map((number) => `tls://nats-${number}.nats:4222`).join(',');
/** The options of deploy/generate-secrets.mjs for those servers. */
export const replicatedServers = [
  '--postgres',
  'postgres-pooler:5432',
  '--postgres-direct',
  'postgres-rw:5432',
  '--postgres-verify',
  '--nats',
  natsServers,
];

const renderAll = async (folders: readonly string[]) => (await Promise.all(folders.map(render))).flat();
const platformOf = (...parts: string[]) => renderAll(parts.map((part) => `deploy/platform/${part}`));
const migrations = () => renderAll(services.map((service) => `deploy/services/${service}/migrate`));

/** A whole system on servers with several copies: PostgreSQL behind PgBouncer, and NATS. */
export const replicated = async (): Promise<Manifest[]> => [
  ...generatedSecrets(...replicatedServers),
  ...(await platformOf('namespace', 'postgres-cluster', 'pgbouncer', 'nats-cluster')),
  ...(await migrations()),
  ...(await render('deploy/environments/replicated')),
];

export async function rendered(): Promise<Rendered> {
  const overlaysOf = async (environment: Environment) =>
    Object.fromEntries(
      await Promise.all(apps.map(async (app) => [app, await render(`deploy/services/${app}/overlays/${environment}`)] as const)),
    );
  const platform = [...generatedSecrets(), ...(await platformOf('namespace', 'postgres', 'nats')), ...(await migrations())];
  return {
    overlays: { dev: await overlaysOf('dev'), production: await overlaysOf('production') },
    umbrellas: { dev: await render('deploy/environments/dev'), production: await render('deploy/environments/production') },
    monitoring: await render('deploy/platform/monitoring'),
    tracing: await render('deploy/platform/tracing'),
    replicated: await replicated(),
    system: (running) => [...platform, ...running],
  };
}
