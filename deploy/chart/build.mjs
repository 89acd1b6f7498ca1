// Makes the Helm chart from the manifests in deploy/, so that nothing is written down twice: node deploy/chart/build.mjs [folder], by default dist/chart.
// It renders the services with and without each option; what an option adds, takes away or changes becomes an `if` in a template. Needs kubectl.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { apps, services } from '../../tools/build/apps.mjs';
import { clusterSecrets, generateSecrets } from '../generate-secrets.mjs';

const chart = dirname(fileURLToPath(import.meta.url));
const deploy = dirname(chart);
const root = dirname(deploy);
const output = resolve(process.argv[2] ?? join(root, 'dist/chart'));

/** Each option: the values with which it is on, and the components that it adds to the services. */
const options = {
  '.Values.tls.enabled': ['components/tls'],
  '(and .Values.tls.enabled (eq .Values.tls.step "accept"))': ['components/tls/accept'],
  '(and .Values.tls.enabled (eq .Values.tls.step "call"))': ['components/tls/call'],
  '(not .Values.autoscaling.enabled)': ['components/single'],
  '(eq .Values.files.mode "volume")': ['services/submissions/options/files-volume'],
  '(eq .Values.files.mode "bucket")': ['services/submissions/options/files-bucket'],
  '.Values.payments.enabled': ['services/submissions/options/payments'],
  '(or .Values.payments.enabled (eq .Values.files.mode "bucket"))': ['services/submissions/options/outside'],
  '.Values.webhooks.proxy.enabled': ['delivery', 'hooks'].map((app) => `services/${app}/options/webhook-proxy`),
  '(and .Values.webhooks.proxy.enabled .Values.webhooks.proxy.credentials)': ['services/delivery/options/webhook-proxy/credentials'],
  '.Values.webhooks.ca.enabled': ['services/delivery/options/webhook-ca'],
  '.Values.gateway.ingress.enabled': ['services/gateway/options/ingress'],
  '.Values.gateway.gatewayApi.enabled': ['services/gateway/options/gateway-api'],
  '(eq .Values.postgres.mode "cluster")': ['components/postgres-cluster'],
  '(eq .Values.postgres.mode "pooled")': ['components/pgbouncer'],
  '(eq .Values.postgres.mode "elsewhere")': ['components/postgres-elsewhere'],
  '(eq .Values.nats.mode "cluster")': ['components/nats-cluster'],
  '(eq .Values.nats.mode "elsewhere")': ['components/nats-elsewhere'],
  '.Values.keda.enabled': ['components/keda'],
  '.Values.monitoring.enabled': ['components/monitoring'],
  '.Values.tracing.enabled': ['components/tracing'],
};
/** Servers, and what else stands beside the services. */
const platform = {
  true: 'namespace',
  '(and .Values.tls.enabled (eq .Values.tls.certificates "cert-manager"))': 'certificates',
  '(eq .Values.postgres.mode "single")': 'postgres',
  '(has .Values.postgres.mode (list "cluster" "pooled"))': 'postgres-cluster',
  '(eq .Values.postgres.mode "pooled")': 'pgbouncer',
  '(and .Values.monitoring.enabled (has .Values.postgres.mode (list "cluster" "pooled")))': 'postgres-cluster/monitoring',
  '(eq .Values.nats.mode "single")': 'nats',
  '(eq .Values.nats.mode "cluster")': 'nats-cluster',
};

/** Secrets that not every system has. */
const optionalSecrets = {
  'postgres-secrets': '(eq .Values.postgres.mode "single")',
  'postgres-role-secrets': '(ne .Values.postgres.mode "elsewhere")',
  'postgres-admin-secrets': '(has .Values.postgres.mode (list "cluster" "pooled"))',
  'backup-secrets': '(has .Values.postgres.mode (list "cluster" "pooled"))',
  'nats-secrets': '(ne .Values.nats.mode "elsewhere")',
  'stripe-secrets': '.Values.payments.enabled',
  'files-secrets': '(eq .Values.files.mode "bucket")',
  'webhook-proxy-secrets': '(and .Values.webhooks.proxy.enabled .Values.webhooks.proxy.credentials)',
};

const bases = apps.map((app) => `services/${app}/base`);
const migrations = services.map((service) => `services/${service}/migrate`);
const keyOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;
const byKey = (manifests) => new Map(manifests.map((manifest) => [keyOf(manifest), manifest]));

/** An alternative in a tree: `on` while the condition holds, otherwise `off`; undefined for nothing. */
class Choice {
  constructor(condition, on, off) {
    Object.assign(this, { condition, on, off });
  }
}

const plain = (value) => (value instanceof Choice ? plain(value.off) : value);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Choice);

/** The tree with a choice wherever the variant differs from its plain form. */
function withChoices(tree, variant, condition) {
  const base = plain(tree);
  if (same(strip(base), variant)) return tree;
  if (isMap(tree) && isMap(variant))
    return Object.fromEntries(
      [...new Set([...Object.keys(tree), ...Object.keys(variant)])].map((key) => [key, withChoices(tree[key], variant[key], condition)]),
    );
  // Options only append to a list of names; a change within an element is a change of the element.
  if (Array.isArray(tree) && Array.isArray(variant)) {
    const known = tree.filter((item) => plain(item) !== undefined);
    if (known.every((item, index) => same(strip(plain(item)), variant[index])))
      return [...tree, ...variant.slice(known.length).map((item) => new Choice(condition, item))];
    if (known.length === variant.length) {
      let index = 0;
      return tree.map((item) => (plain(item) === undefined ? item : withChoices(item, variant[index++], condition)));
    }
  }
  return new Choice(condition, variant, tree);
}

/** The plain form of a whole tree: what is rendered without any option. */
function strip(tree) {
  const value = plain(tree);
  if (Array.isArray(value)) return value.map(strip).filter((item) => item !== undefined);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (strip(item) === undefined ? [] : [[key, strip(item)]])));
}

/** Renders like `kubectl apply -k`. ConfigMaps lose the hash in their names: here, pods restart by a checksum of the contents. */
async function render(resources, components = []) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist/chart-'));
  try {
    const inDeploy = (path) => relative(folder, join(deploy, path));
    const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };
    const lists = { resources: resources.map(inDeploy), components: components.map(inDeploy) };
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify({ ...kustomization, ...lists }));
    const { stdout } = await promisify(execFile)('kubectl', ['kustomize', folder], { maxBuffer: 2 ** 24 });
    return parseAllDocuments(stdout.replaceAll(/\b([a-z-]+-(?:settings|roles))-[a-z0-9]{10}\b/g, '$1')).map((document) => document.toJS());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The values with the address of a server elsewhere, by the policy that lets pods reach it. */
const elsewhere = { 'postgres-elsewhere': 'postgres', 'nats-elsewhere': 'nats', delivery: 'webhooks.proxy' };

/** The expressions of values that replace those of the manifests: by the place, and the value that is there. */
function expression(path, value, manifest) {
  const app = manifest.metadata.labels?.['app.kubernetes.io/name']?.replace('-migrate', '') ?? '';
  const own = apps.includes(app) ? `(index .Values.apps ${JSON.stringify(app)})` : undefined;
  const place = path.join('.');
  const { version } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
  if (typeof value === 'string') {
    if (value.includes('{{ .Values.externalSecrets')) return value;
    const image = /^registry\.example\.org\/(sheaf\/[a-z]+):(\S+)$/.exec(value);
    if (image) return `{{ .Values.image.registry }}/${image[1]}:{{ .Values.image.tag | default .Chart.AppVersion }}`;
    if (place.endsWith('app.kubernetes.io/version')) return '{{ .Values.image.tag | default .Chart.AppVersion }}';
    if (place === 'metadata.name' && manifest.kind === 'Job' && value.endsWith(`-v${version}`))
      return `${value.slice(0, -version.length)}{{ .Values.image.tag | default .Chart.AppVersion }}`;
    if (place === 'metadata.namespace' && value === 'sheaf') return '{{ .Release.Namespace }}';
    if (value.includes('.sheaf.svc')) return value.replace('.sheaf.svc', '.{{ .Release.Namespace }}.svc');
    if (value === '192.0.2.1/32') return `{{ .Values.${elsewhere[manifest.metadata.name]}.cidr }}`;
    if (value === 'forms.example.org') return '{{ .Values.gateway.host }}';
    if (place === 'spec.ingressClassName') return '{{ .Values.gateway.ingress.className }}';
    if (place.endsWith('cert-manager.io/cluster-issuer')) return '{{ .Values.gateway.issuer }}';
    if (place === 'spec.configuration.destinationPath') return '{{ .Values.postgres.backup.destinationPath }}';
    if (place === 'data.FILES_S3_BUCKET') return '{{ .Values.files.bucket.name }}';
    if (place === 'data.FILES_S3_REGION') return '{{ .Values.files.bucket.region }}';
    if (place === 'data.TRUSTED_PROXIES') return '{{ .Values.gateway.trustedProxies }}';
    if (place === 'data.WEBHOOK_PROXY_URL') return 'http://{{ .Values.webhooks.proxy.host }}:{{ .Values.webhooks.proxy.port }}';
    if (place === 'data.WEBHOOK_PROXY_ALLOW_HOSTS') return '{{ .Values.webhooks.proxy.allowHosts }}';
  }
  if (manifest.kind === 'NetworkPolicy' && value === 3128) return '{{ .Values.webhooks.proxy.port }}';
  if (manifest.kind === 'Deployment' && own && place === 'spec.template.spec.containers.0.resources')
    return `{{ ${own}.resources | default (fromJson ${JSON.stringify(JSON.stringify(value))}) | toJson }}`;
  if (manifest.kind === 'HorizontalPodAutoscaler' && /^spec\.(min|max)Replicas$/.test(place))
    return `{{ ${own}.${path[1]} | default ${value} }}`;
  if (manifest.kind === 'PersistentVolumeClaim' && place === 'spec.accessModes') return '[{{ .Values.files.volume.accessMode }}]';
  if (manifest.kind === 'PersistentVolumeClaim' && place === 'spec.resources.requests.storage') return '{{ .Values.files.volume.size }}';
  return undefined;
}

/** YAML with the conditions of a template. Values are JSON, which needs no rules for quotes. */
function lines(tree, indent, path, manifest) {
  const pad = ' '.repeat(indent);
  const entry = (label, value, at) => {
    if (value === undefined) return [];
    if (value instanceof Choice) {
      const [on, off] = [entry(label, value.on, at), entry(label, value.off, at)];
      return [`${pad}{{- if ${value.condition} }}`, ...on, ...(off.length > 0 ? [`${pad}{{- else }}`, ...off] : []), `${pad}{{- end }}`];
    }
    const text = expression(at, value, manifest);
    if (text !== undefined) return [`${pad}${label} ${typeof value === 'string' && at.at(-1) !== 'storage' ? `'${text}'` : text}`];
    if (typeof value === 'string') return [`${pad}${label} ${scalar(value)}`];
    if ((Array.isArray(value) && value.length > 0) || (isMap(value) && Object.keys(value).length > 0))
      return label === '-'
        ? [`${pad}-`, ...lines(value, indent + 2, at, manifest)]
        : [`${pad}${label}`, ...lines(value, indent + 2, at, manifest)];
    return [`${pad}${label} ${JSON.stringify(value)}`];
  };
  if (Array.isArray(tree)) return tree.flatMap((item, index) => entry('-', item, [...path, index]));
  return Object.entries(tree).flatMap(([key, item]) => entry(`${JSON.stringify(key)}:`, item, [...path, key]));
}

/** A text as a template that gives the same text: a backslash or braces would mean something else. */
const scalar = (text) => (text.includes('{{') ? `{{ ${JSON.stringify(JSON.stringify(text))} }}` : JSON.stringify(text));

/** The parts that only a release has: the order in which Argo CD applies it, the hook of an upgrade, and the checksum of the settings. */
function released(manifest) {
  const annotate = (target, annotations) => {
    target.annotations = { ...target.annotations, ...annotations };
  };
  const { kind, metadata, spec } = manifest;
  if (kind === 'Deployment') annotate(metadata, { 'argocd.argoproj.io/sync-wave': '2' });
  if (kind === 'Job') {
    const isMigration = metadata.name !== 'postgres-roles';
    annotate(metadata, {
      'argocd.argoproj.io/sync-wave': isMigration ? '1' : '0',
      // A job cannot be changed, only replaced.
      'argocd.argoproj.io/sync-options': 'Replace=true,Force=true',
      // An upgrade waits for them before it replaces a pod. In an installation they run beside the servers, for which they wait.
      'helm.sh/hook': new Choice('.Release.IsUpgrade', 'pre-upgrade'),
      'helm.sh/hook-weight': new Choice('.Release.IsUpgrade', isMigration ? '1' : '0'),
      'helm.sh/hook-delete-policy': new Choice('.Release.IsUpgrade', 'before-hook-creation'),
    });
    if (isMigration) spec.ttlSecondsAfterFinished = new Choice('.Values.migrations.keepJobs', undefined, spec.ttlSecondsAfterFinished);
  }
  return manifest;
}

/** A ConfigMap of an app, whose values give way to those of the release. */
function settings(manifest, text) {
  const app = manifest.metadata.labels?.['app.kubernetes.io/name'];
  if (manifest.kind !== 'ConfigMap' || manifest.metadata.name !== `${app}-settings` || !apps.includes(app)) return text;
  const more = `(index .Values.apps ${JSON.stringify(app)}).settings`;
  const own = text.replaceAll(
    /^( {2})"([A-Z0-9_]+)": (.*)$/gm,
    (_, pad, key, value) => `${pad}{{- if not (hasKey (${more} | default dict) "${key}") }}\n${pad}"${key}": ${value}\n${pad}{{- end }}`,
  );
  return own.replace(
    /^"data":$/m,
    () => `"data":\n  {{- range $key, $value := ${more} }}\n  {{ $key }}: {{ $value | quote }}\n  {{- end }}`,
  );
}

/** @param files the ConfigMaps that a server of ours mounts */
function template(manifest, condition, files = []) {
  const conditions = [condition, ...(manifest.kind === 'NetworkPolicy' ? ['.Values.networkPolicies.enabled'] : [])].filter(
    (each) => each !== 'true',
  );
  const body = settings(manifest, lines(released(manifest), 0, [], manifest).join('\n'));
  const sum = checksum(manifest, files);
  const pods =
    sum === undefined
      ? body
      : body.replace(/^ {2}"template":\n {4}"metadata":\n/m, (all) => `${all}      "annotations": { "checksum/settings": '${sum}' }\n`);
  return `---\n${conditions.length === 0 ? pods : `{{- if and ${conditions.join(' ')} true }}\n${pods}\n{{- end }}`}\n`;
}

/** The checksum that changes when a pod has to restart for its settings: ConfigMaps have fixed names here. */
function checksum({ kind, metadata, spec }, files) {
  if (kind === 'Deployment' && apps.includes(metadata.name))
    return `{{ include "sheaf.checksum" (dict "root" $ "name" ${JSON.stringify(metadata.name)}) }}`;
  const names = (spec?.template?.spec?.volumes ?? []).map(({ configMap }) => configMap?.name);
  const mounted = files.filter((file) => names.includes(file.metadata.name));
  if (kind !== 'StatefulSet' || mounted.length === 0) return undefined;
  return createHash('sha256').update(JSON.stringify(mounted)).digest('hex').slice(0, 16);
}

/** Each secret from an entry of the store, whose properties are the secret's keys. */
const externalSecret = (name) => ({
  apiVersion: 'external-secrets.io/v1',
  kind: 'ExternalSecret',
  metadata: {
    name,
    namespace: 'sheaf',
    labels: { 'app.kubernetes.io/part-of': 'sheaf' },
    annotations: { 'argocd.argoproj.io/sync-wave': '-1' },
  },
  spec: {
    refreshInterval: '{{ .Values.externalSecrets.refreshInterval }}',
    secretStoreRef: { name: '{{ .Values.externalSecrets.store }}', kind: '{{ .Values.externalSecrets.kind }}' },
    target: { name, ...(name === 'postgres-admin-secrets' ? { template: { type: 'kubernetes.io/basic-auth' } } : {}) },
    dataFrom: [{ extract: { key: `{{ .Values.externalSecrets.prefix }}${name}` } }],
  },
});

async function main() {
  const base = await render(bases);
  const trees = byKey(base);
  const conditions = new Map();
  const added = [];
  const variants = await Promise.all(
    Object.entries(options).map(async ([condition, components]) => [condition, await render(bases, components)]),
  );
  for (const [condition, manifests] of variants) {
    const variant = byKey(manifests);
    for (const [key, manifest] of variant) {
      if (trees.has(key)) trees.set(key, withChoices(trees.get(key), manifest, condition));
      else added.push([condition, manifest]);
    }
    for (const key of trees.keys()) if (!variant.has(key)) conditions.set(key, [...(conditions.get(key) ?? []), `(not ${condition})`]);
  }

  rmSync(output, { recursive: true, force: true });
  mkdirSync(join(output, 'templates'), { recursive: true });
  for (const file of ['Chart.yaml', 'values.yaml', 'values-small.yaml', 'values-large.yaml', 'values.schema.json', 'templates', 'files'])
    cpSync(join(chart, file), join(output, file), { recursive: true });
  const write = (name, templates) => writeFileSync(join(output, 'templates', `${name}.yaml`), templates.join(''));

  for (const app of apps) {
    const own = [...trees].filter(([, { metadata }]) => metadata.labels['app.kubernetes.io/name'] === app);
    write(
      app,
      own.map(([key, manifest]) => template(manifest, (conditions.get(key) ?? ['true']).join(' '))),
    );
  }
  write(
    'options',
    added
      .filter(([, { metadata }]) => metadata.annotations?.['config.kubernetes.io/local-config'] === undefined)
      .map(([condition, manifest]) => template(manifest, condition)),
  );
  write(
    'migrations',
    (await render(migrations)).map((manifest) => template(manifest, 'true')),
  );
  const parts = Object.entries(platform).map(async ([condition, part]) => {
    // Helm makes the namespace.
    const manifests = (await render([`platform/${part}`])).filter(({ kind }) => kind !== 'Namespace');
    const files = manifests.filter(({ kind }) => kind === 'ConfigMap');
    write(
      part.replace('/', '-'),
      manifests.map((manifest) => template(manifest, condition, files)),
    );
  });
  await Promise.all(parts);
  const secrets = [...new Set([...Object.keys({ ...generateSecrets(), ...clusterSecrets() }), ...Object.keys(optionalSecrets)])];
  write(
    'external-secrets',
    secrets.map((name) => template(externalSecret(name), `(and .Values.externalSecrets.enabled ${optionalSecrets[name] ?? 'true'})`)),
  );
  console.log(`wrote ${relative(process.cwd(), output)}`);
}

await main();
