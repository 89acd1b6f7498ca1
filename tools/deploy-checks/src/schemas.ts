import { titleOf, type Manifest } from './manifests';

/** The package for an API group, and the module within it. */
function moduleOf({ apiVersion }: Manifest): string {
  const group = apiVersion.split('/')[0];
  if (group === 'keda.sh') return `@kubernetes-models/keda/${apiVersion}`;
  if (group === 'monitoring.coreos.com') return `@kubernetes-models/prometheus-operator/${apiVersion}`;
  if (group === 'gateway.networking.k8s.io') return `@kubernetes-models/gateway-api/${apiVersion}`;
  return `kubernetes-models/${apiVersion}`;
}

/** Values and missing fields for which the API server would reject a manifest. It refuses unknown fields itself when they are applied. */
export async function schemaFaults(manifests: readonly Manifest[]): Promise<string[]> {
  return (await Promise.all(manifests.map(valueFaults))).flat();
}

async function valueFaults(manifest: Manifest): Promise<string[]> {
  const models = (await import(moduleOf(manifest))) as Record<string, (new (data: Manifest) => { validate(): void }) | undefined>;
  const Model = models[manifest.kind];
  if (Model === undefined) return [`${titleOf(manifest)}: ${manifest.apiVersion} has no such kind`];
  try {
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [`${titleOf(manifest)}: ${(error as Error).message}`];
  }
}
