import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, IContainer, INamespace, IPersistentVolumeClaim, IPodSpec, ISecret, IService, IServiceAccount } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';

export const root = join(__dirname, '../../..');
export const apps = ['gateway', 'workspaces', 'forms', 'submissions', 'hooks', 'delivery'] as const;
export type App = (typeof apps)[number];
/** Those with a database. */
export const services = apps.filter((app) => app !== 'gateway');

/** Kinds that only their schema is asked about. */
interface Foreign {
  apiVersion: string;
  kind: 'PodMonitor' | 'PrometheusRule';
  metadata?: { name?: string; namespace?: string; labels?: Labels };
  spec: unknown;
}

/** KEDA's. */
interface ScaledObject {
  apiVersion: string;
  kind: 'ScaledObject';
  metadata?: { name?: string; namespace?: string; labels?: Labels };
  spec: { scaleTargetRef: { name: string }; minReplicaCount?: number; maxReplicaCount?: number };
}

export type Manifest =
  | IDeployment | IStatefulSet | IJob | IHorizontalPodAutoscaler | IIngress | INetworkPolicy | IPodDisruptionBudget
  | IConfigMap | INamespace | IPersistentVolumeClaim | ISecret | IService | IServiceAccount | ScaledObject | Foreign;

export type Labels = Record<string, string>;

export const nameOf = ({ metadata }: Manifest): string => metadata?.name ?? '';
export const titleOf = (manifest: Manifest): string => `${manifest.kind}/${nameOf(manifest)}`;
export const ofKind = <K extends Manifest['kind']>(manifests: readonly Manifest[], kind: K): Extract<Manifest, { kind: K }>[] =>
  manifests.filter((manifest): manifest is Extract<Manifest, { kind: K }> => manifest.kind === kind);

/** Whatever makes pods. Each of ours has one container. */
export interface Workload {
  title: string;
  name: string;
  labels: Labels;
  pod: IPodSpec;
  container: IContainer;
  manifest: IDeployment | IStatefulSet | IJob;
  /** Of which of our images it is. */
  app: App | undefined;
}

export const workloads = (manifests: readonly Manifest[]): Workload[] =>
  [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'StatefulSet'), ...ofKind(manifests, 'Job')].map((manifest) => {
    const pod = manifest.spec?.template.spec;
    const [container, ...others] = pod?.containers ?? [];
    if (pod === undefined || container === undefined || others.length > 0) throw new Error(`${titleOf(manifest)} has not exactly one container.`);
    const name = /(?:^|\/)sheaf\/([a-z]+)[:@]/.exec(container.image ?? '')?.[1];
    return {
      title: titleOf(manifest),
      name: nameOf(manifest),
      labels: manifest.spec?.template.metadata?.labels ?? {},
      pod,
      container,
      manifest,
      app: apps.find((app) => app === name),
    };
  });

export const matches = (labels: Labels, selector: Labels | undefined): boolean =>
  Object.entries(selector ?? {}).every(([key, value]) => labels[key] === value);

/** kubectl has kustomize built in. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore', timeout: 20_000 }).status === 0;

/** What `kubectl apply -k deploy/<folder>` would send. */
export async function render(folder: string): Promise<Manifest[]> {
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', join(root, folder)], { maxBuffer: 16 * 1024 * 1024, timeout: 30_000 });
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

/** What deploy/generate-secrets.mjs makes at this moment. */
export function generatedSecrets(): ISecret[] {
  const text = execFileSync(process.execPath, [join(root, 'deploy/generate-secrets.mjs'), 'kubernetes'], { encoding: 'utf8', timeout: 20_000 });
  return (JSON.parse(text) as { items: ISecret[] }).items;
}
