import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type {
  IConfigMap,
  IContainer,
  INamespace,
  IPersistentVolumeClaim,
  IPodSpec,
  ISecret,
  IService,
  IServiceAccount,
} from 'kubernetes-models/v1';
import { type App, apps } from '@sheaf/kernel';
import { keptForAllFiles } from '@sheaf/testing';
import { parseDocument } from 'yaml';

export const root = join(__dirname, '../../..');

/** Kinds that are checked only against their schema. */
interface SchemaOnly {
  apiVersion: string;
  kind:
    | 'Application'
    | 'Certificate'
    | 'ExternalSecret'
    | 'Gateway'
    | 'GitRepository'
    | 'HTTPRoute'
    | 'HelmRelease'
    | 'Issuer'
    | 'Kustomization'
    | 'ObjectStore'
    | 'PodMonitor'
    | 'PrometheusRule'
    | 'Role'
    | 'RoleBinding'
    | 'ScheduledBackup';
  metadata?: { name?: string; namespace?: string; labels?: Labels };
  spec: unknown;
}

/** A ScaledObject of KEDA. */
interface ScaledObject {
  apiVersion: string;
  kind: 'ScaledObject';
  metadata?: { name?: string; namespace?: string; labels?: Labels };
  spec: { scaleTargetRef: { name: string }; minReplicaCount?: number; maxReplicaCount?: number };
}

/** A PostgreSQL of the operator CloudNativePG. */
interface Cluster {
  apiVersion: string;
  kind: 'Cluster';
  metadata?: { name?: string; namespace?: string; labels?: Labels };
  spec: {
    instances: number;
    imageName: string;
    postgresql: {
      parameters: Record<string, string>;
      synchronous?: { method: string; number: number; dataDurability: string; failoverQuorum?: boolean };
    };
    resources: { limits: { memory: string } };
    certificates?: { serverAltDNSNames?: string[] };
  };
}

/** A PgBouncer of the same operator. */
interface Pooler {
  apiVersion: string;
  kind: 'Pooler';
  metadata?: { name?: string; namespace?: string; labels?: Labels };
  spec: { cluster: { name: string }; instances: number; pgbouncer: { poolMode: string; parameters: Record<string, string> } };
}

export type Manifest =
  | IDeployment
  | IStatefulSet
  | IJob
  | IHorizontalPodAutoscaler
  | IIngress
  | INetworkPolicy
  | IPodDisruptionBudget
  | IConfigMap
  | INamespace
  | IPersistentVolumeClaim
  | ISecret
  | IService
  | IServiceAccount
  | ScaledObject
  | Cluster
  | Pooler
  | SchemaOnly;

export type Labels = Record<string, string>;

export const nameOf = ({ metadata }: Manifest): string => metadata?.name ?? '';
export const titleOf = (manifest: Manifest): string => `${manifest.kind}/${nameOf(manifest)}`;
export const ofKind = <K extends Manifest['kind']>(manifests: readonly Manifest[], kind: K): Extract<Manifest, { kind: K }>[] =>
  manifests.filter((manifest): manifest is Extract<Manifest, { kind: K }> => manifest.kind === kind);

/** Any kind that creates pods. Each of ours has one container. */
export interface Workload {
  title: string;
  name: string;
  labels: Labels;
  pod: IPodSpec;
  container: IContainer;
  manifest: IDeployment | IStatefulSet | IJob;
  /** The app whose image it runs, if it is one of ours. */
  app: App | undefined;
}

export const workloads = (manifests: readonly Manifest[]): Workload[] =>
  [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'StatefulSet'), ...ofKind(manifests, 'Job')].map((manifest) => {
    const pod = manifest.spec?.template.spec;
    const [container, ...others] = pod?.containers ?? [];
    if (pod === undefined || container === undefined || others.length > 0)
      throw new Error(`${titleOf(manifest)} does not have exactly one container.`);
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

/** The deployments of our apps. */
export const appDeployments = (manifests: readonly Manifest[]): (Workload & { app: App })[] =>
  workloads(manifests).flatMap((workload) =>
    workload.app !== undefined && workload.manifest.kind === 'Deployment' ? [{ ...workload, app: workload.app }] : [],
  );

export const nameLabel = 'app.kubernetes.io/name';
export const versionLabel = 'app.kubernetes.io/version';

export const matches = (labels: Labels, selector: Labels | undefined): boolean =>
  Object.entries(selector ?? {}).every(([key, value]) => labels[key] === value);

/** kubectl has kustomize built in. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore', timeout: 20_000 }).status === 0;

/** By folder of the repository: most systems that the tests compose have the same migrations, platform and production. */
const texts = keptForAllFiles<Promise<string>>('rendered folders');

/** The manifests that `kubectl apply -k deploy/<folder>` would send. */
export async function render(folder: string): Promise<Manifest[]> {
  const text = texts.get(folder) ?? kustomize(folder);
  texts.set(folder, text);
  try {
    return manifestsIn(await text);
  } catch (error) {
    texts.delete(folder);
    throw error;
  }
}

async function kustomize(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', join(root, folder)], {
    maxBuffer: 16 * 1024 * 1024,
    timeout: 30_000,
  });
  return stdout;
}

/** By text, as JSON. A system is rendered with dozens of options, each of which changes few of its manifests, and YAML takes long to parse. */
const parsed = keptForAllFiles<string>('parsed manifests');

/**
 * @param text YAML documents
 * @returns its manifests, which the caller may change
 */
export const manifestsIn = (text: string): Manifest[] =>
  text.split(/^---$/m).flatMap((part) => {
    const known = parsed.get(part);
    const json = known ?? asJson(part);
    if (known === undefined) parsed.set(part, json);
    const manifest = JSON.parse(json) as Manifest | null;
    return manifest === null ? [] : [manifest];
  });

function asJson(part: string): string {
  const document = parseDocument(part);
  if (document.errors[0]) throw document.errors[0];
  return JSON.stringify(document.toJS());
}

/**
 * Renders kustomizations such as operators keep beside the repository.
 * @returns the manifests of the last one, which may refer to the others
 * @param folders kustomizations by folder; a path that begins with `deploy/` is one of ours
 */
export async function renderKustomizations(folders: Record<string, object>): Promise<Manifest[]> {
  const parent = join(root, 'dist/deploy-checks');
  mkdirSync(parent, { recursive: true });
  const tempDir = mkdtempSync(join(parent, 'rendered-'));
  try {
    for (const [name, content] of Object.entries(folders)) {
      const folder = join(tempDir, name);
      mkdirSync(folder, { recursive: true });
      const text = JSON.stringify({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...content });
      writeFileSync(
        join(folder, 'kustomization.yaml'),
        text.replaceAll('"deploy/', () => `"${relative(folder, join(root, 'deploy'))}/`),
      );
    }
    return manifestsIn(await kustomize(relative(root, join(tempDir, Object.keys(folders).at(-1) ?? ''))));
  } finally {
    rmSync(tempDir, { recursive: true });
  }
}

/** A kustomization that modifies the one that lists it. */
export const component = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' };

const generated = new Map<string, string>();

/** Secrets from deploy/generate-secrets.mjs, the same ones for the same options: to generate some takes most of a second. */
export function generatedSecrets(...options: string[]): ISecret[] {
  const key = options.join(' ');
  const text = generated.get(key) ?? generate(options);
  generated.set(key, text);
  return (JSON.parse(text) as { items: ISecret[] }).items;
}

const generate = (options: string[]) =>
  execFileSync(process.execPath, [join(root, 'deploy/generate-secrets.mjs'), 'kubernetes', '--print', ...options], {
    encoding: 'utf8',
    timeout: 20_000,
  });
