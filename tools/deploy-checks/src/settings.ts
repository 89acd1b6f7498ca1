import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readConfig } from '@sheaf/runtime';
import type { z } from 'zod';
import type { App } from '@sheaf/kernel';
import { ofKind, root, type Manifest, type Workload } from './manifests';

/** An app's own settings schema. Imported by a computed path, so that it does not become a dependency of this project. */
export async function configOf(app: App): Promise<z.ZodObject> {
  const module = (await import(join(root, 'apps', app, 'src/config'))) as { Config: z.ZodObject };
  return module.Config;
}

/** The environment that a container would get, and the references that do not resolve. */
export function environmentOf(
  { container, title }: Workload,
  manifests: readonly Manifest[],
): { env: Record<string, string>; faults: string[] } {
  const faults: string[] = [];
  const env: Record<string, string> = {};
  const data = (kind: 'ConfigMap' | 'Secret', name = '', optional = false): Record<string, string> => {
    const found = ofKind(manifests, kind).find(({ metadata }) => metadata?.name === name);
    if (found === undefined && !optional) faults.push(`${title}: there is no ${kind} ${name}`);
    return { ...(found?.kind === 'Secret' ? found.stringData : found?.data) };
  };
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    if (configMapRef) Object.assign(env, data('ConfigMap', configMapRef.name, configMapRef.optional));
    if (secretRef) Object.assign(env, data('Secret', secretRef.name, secretRef.optional));
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const reference = valueFrom?.secretKeyRef ?? valueFrom?.configMapKeyRef;
    if (reference === undefined) {
      env[name] = value ?? '';
      continue;
    }
    const found = data(valueFrom?.secretKeyRef ? 'Secret' : 'ConfigMap', reference.name)[reference.key];
    if (found === undefined) faults.push(`${title}: ${reference.name ?? ''} has no key ${reference.key}`);
    else env[name] = found;
  }
  return { env, faults };
}

/** Faults in this environment: settings that the app does not know, and values with which it refuses to start. */
export async function settingFaults(app: App, env: Record<string, string>, title: string): Promise<string[]> {
  const config = await configOf(app);
  const unknown = Object.keys(env).filter(
    (name) =>
      ![name, name.replace(/_FILE$/, '')].some((setting) => Object.hasOwn(config.shape, setting)) &&
      !(isAwsSetting(name) && 'FILES_S3_BUCKET' in config.shape),
  );
  return [...unknown.map((name) => `${title}: ${app} has no setting ${name}`), ...valueFaults(config, env, title)];
}

/** Settings for the S3 client library; our own code does not read them. */
export const isAwsSetting = (name: string): boolean => name.startsWith('AWS_');

function valueFaults(config: z.ZodObject, env: Record<string, string>, title: string): string[] {
  try {
    readConfig(config, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [`${title}: ${error.message}`];
  }
}

/** The settings with defaults filled in. */
export const valuesOf = async (app: App, env: Record<string, string>): Promise<Record<string, unknown>> =>
  readConfig(await configOf(app), env);

/** The names in the tables of deploy/README.md. */
export function documentedSettings(): Set<string> {
  const text = readFileSync(join(root, 'deploy/README.md'), 'utf8');
  const chapter = text.slice(text.indexOf('\n## Settings'));
  const cells = chapter
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split('|').slice(1, 3));
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name ?? '')));
}
