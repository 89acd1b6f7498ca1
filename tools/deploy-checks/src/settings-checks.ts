import { ofKind, appDeployments, titleOf, workloads, type Manifest } from './manifests';
import { environmentOf, settingFaults } from './settings';

/** Every process starts with these settings, knows all of them, and gets each from a ConfigMap or secret that exists. */
export async function settings(manifests: readonly Manifest[]): Promise<string[]> {
  const faults = await Promise.all(
    appDeployments(manifests).map((workload) => settingFaults(workload.app, environmentOf(workload, manifests).env, workload.title)),
  );
  return [
    ...workloads(manifests).flatMap((workload) => environmentOf(workload, manifests).faults),
    ...faults.flat(),
    ...trustFaults(manifests),
  ];
}

/** Only the proxies in front of the gateway may state the client's address. Trusting all private addresses would trust every pod. */
function trustFaults(manifests: readonly Manifest[]): string[] {
  return appDeployments(manifests).flatMap((workload) => {
    const trusted = (environmentOf(workload, manifests).env.TRUSTED_PROXIES ?? '').split(',').filter((proxy) => proxy !== '');
    const isBroad = (proxy: string) => !/^[0-9a-f]*[.:]/.test(proxy) || Number(proxy.split('/')[1] ?? 128) < 20;
    return trusted.filter(isBroad).map((proxy) => `${workload.title}: trusts ${proxy}, which covers more than a proxy`);
  });
}

const secretSettings = /(?:SECRET|SECRETS|PASSWORD|_URL|CALLER_KEYS?|SECRET_KEY|ACCESS_KEY|OTLP_HEADERS)$/;
const isSecret = (name: string) =>
  secretSettings.test(name) && !name.startsWith('PAYMENT_') && !['SPAM_CHECK_URL', 'WEBHOOK_PROXY_URL'].includes(name);

/** Secrets are passed by reference only, and each process gets only its own. */
export function secrets(manifests: readonly Manifest[]): string[] {
  const inConfigMaps = ofKind(manifests, 'ConfigMap').flatMap((map) =>
    Object.keys(map.data ?? {})
      .filter((key) => isSecret(key))
      .map((key) => `${titleOf(map)}: ${key} is a secret`),
  );
  const literal = workloads(manifests).flatMap(({ container, title }) =>
    (container.env ?? [])
      .filter(({ name, value }) => value !== undefined && isSecret(name))
      .map(({ name }) => `${title}: ${name} is a secret`),
  );
  const foreign = workloads(manifests).flatMap(({ container, title, app, manifest }) => {
    if (app === undefined) return [];
    const used = [
      ...(container.env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
      ...(container.envFrom ?? []).map(({ secretRef }) => secretRef?.name),
    ];
    const allowed =
      manifest.kind === 'Job'
        ? [`${app}-migrate-secrets`]
        : [`${app}-secrets`, 'stripe-secrets', 'files-secrets', 'tracing-secrets', 'webhook-proxy-secrets'];
    return used
      .filter((name) => name !== undefined && !allowed.includes(name))
      .map((name) => `${title}: ${name ?? ''} belongs to another workload`);
  });
  return [...inConfigMaps, ...literal, ...foreign];
}
