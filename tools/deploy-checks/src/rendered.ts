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
  /** A whole system: generated secrets, platform, migrations, and these apps. */
  system: (running: Manifest[]) => Manifest[];
}

export async function rendered(): Promise<Rendered> {
  const renderAll = async (folders: readonly string[]) => (await Promise.all(folders.map(render))).flat();
  const overlaysOf = async (environment: Environment) =>
    Object.fromEntries(
      await Promise.all(apps.map(async (app) => [app, await render(`deploy/services/${app}/overlays/${environment}`)] as const)),
    );
  const platform = [
    ...generatedSecrets(),
    ...(await renderAll(['namespace', 'postgres', 'nats'].map((part) => `deploy/platform/${part}`))),
    ...(await renderAll(services.map((service) => `deploy/services/${service}/migrate`))),
  ];
  return {
    overlays: { dev: await overlaysOf('dev'), production: await overlaysOf('production') },
    umbrellas: { dev: await render('deploy/environments/dev'), production: await render('deploy/environments/production') },
    monitoring: await render('deploy/platform/monitoring'),
    tracing: await render('deploy/platform/tracing'),
    system: (running) => [...platform, ...running],
  };
}
