import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { root, titleOf, type Manifest } from './manifests';

/** The package for an API group, and the module within it. */
function moduleOf({ apiVersion }: Manifest): { module: string; isEsOnly: boolean } {
  const group = apiVersion.split('/')[0] ?? '';
  const found = Object.entries(groups).find(([suffix]) => group === suffix || group.endsWith(`.${suffix}`))?.[1];
  return { module: `${found?.from ?? 'kubernetes-models'}/${apiVersion}`, isEsOnly: found?.isEsOnly ?? false };
}
const groups: Record<string, { from: string; isEsOnly?: boolean }> = {
  'keda.sh': { from: '@kubernetes-models/keda' },
  'monitoring.coreos.com': { from: '@kubernetes-models/prometheus-operator' },
  'gateway.networking.k8s.io': { from: '@kubernetes-models/gateway-api' },
  'argoproj.io': { from: '@kubernetes-models/argo-cd' },
  'postgresql.cnpg.io': { from: '@kubernetes-models/cloudnative-pg', isEsOnly: true },
  'cert-manager.io': { from: '@kubernetes-models/cert-manager', isEsOnly: true },
  'toolkit.fluxcd.io': { from: '@kubernetes-models/flux-cd', isEsOnly: true },
  'external-secrets.io': { from: '@kubernetes-models/external-secrets', isEsOnly: true },
};

/** By text. Systems that are checked one after another differ in few manifests. */
const checked = new Map<string, string[]>();

/** Values and missing fields for which the API server would reject a manifest. It refuses unknown fields itself when they are applied. */
export async function schemaFaults(manifests: readonly Manifest[]): Promise<string[]> {
  const known = manifests.map(asKnownKind).map((manifest) => ({ manifest, text: JSON.stringify(manifest) }));
  const unchecked = known.filter(({ text }) => !checked.has(text));
  const esOnly = unchecked.filter(({ manifest }) => moduleOf(manifest).isEsOnly);
  const others = unchecked.filter(({ manifest }) => !moduleOf(manifest).isEsOnly);
  for (const { manifest, text } of others) checked.set(text, await valueFaults(manifest));
  const faults = esOnly.length === 0 ? [] : await esOnlyFaults(esOnly.map(({ manifest }) => manifest));
  for (const [index, { text }] of esOnly.entries()) checked.set(text, faults[index] ?? ['was not checked']);
  return known.flatMap(({ text }) => checked.get(text) ?? []);
}

/**
 * The plugin for backups has no package with its schema. It takes a part of the operator's own kind, which could archive to a bucket before
 * there was a plugin.
 */
function asKnownKind(manifest: Manifest): Manifest {
  if (manifest.kind !== 'ObjectStore') return manifest;
  const { configuration, retentionPolicy } = manifest.spec as { configuration: unknown; retentionPolicy: unknown };
  const backup = { barmanObjectStore: configuration, retentionPolicy };
  return { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', metadata: manifest.metadata, spec: { instances: 1, backup } } as never;
}

type Models = Record<string, (new (data: Manifest) => { validate(): void }) | undefined>;

async function valueFaults(manifest: Manifest): Promise<string[]> {
  const models = (await import(moduleOf(manifest).module)) as Models;
  const Model = models[manifest.kind];
  if (Model === undefined) return [`${titleOf(manifest)}: ${manifest.apiVersion} has no such kind`];
  try {
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [`${titleOf(manifest)}: ${(error as Error).message}`];
  }
}

/** For packages that are ES modules with an `import` condition only, which jest cannot load: by Node itself. */
async function esOnlyFaults(manifests: readonly Manifest[]): Promise<string[][]> {
  const child = spawn(process.execPath, [join(root, 'tools/deploy-checks/es-schemas.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(manifests.map((manifest) => ({ module: moduleOf(manifest).module, title: titleOf(manifest), manifest }))));
  return JSON.parse(await text(child.stdout)) as string[][];
}
