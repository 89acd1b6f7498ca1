import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { parse } from 'yaml';
import type { z } from 'zod';
import { services } from '@sheaf/kernel';
import { checks, type CheckName } from './checks';
import {
  component,
  generatedSecrets,
  hasKubectl,
  nameOf,
  ofKind,
  render,
  renderKustomizations,
  root,
  workloads,
  type Manifest,
} from './manifests';
import { allows } from './network';
import { replicatedServers } from './rendered';
import { configOf } from './settings';

// Folders that operators keep beside ours: with their own versions, registry, servers and ingress.
const describeIfKubectl = hasKubectl ? describe : describe.skip;

const faultsOf = async (manifests: Manifest[]) =>
  (await Promise.all((Object.keys(checks) as CheckName[]).map(async (name) => checks[name](manifests)))).flat();

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const imagesOf = (manifests: Manifest[]) => Object.fromEntries(workloads(manifests).map(({ name, container }) => [name, container.image]));

describeIfKubectl('an overlay with its own version', () => {
  /** @param image the overlay's entry for the image */
  const forms = (image: object) =>
    renderKustomizations({
      version: { ...component, images: [{ name: 'registry.example.org/sheaf/forms', ...image }] },
      forms: {
        resources: ['deploy/services/forms/overlays/production', 'deploy/services/forms/migrate'],
        components: ['../version', 'deploy/services/forms/version/of-deployment', 'deploy/services/forms/version/of-job'],
      },
    });
  const labelsOf = (manifests: Manifest[]) =>
    workloads(manifests).flatMap(({ manifest, labels }) =>
      [manifest.metadata?.labels, labels].map((all) => all?.['app.kubernetes.io/version']),
    );

  it('names the job after its version and labels both workloads, alongside another overlay with another version', async () => {
    const [old, next] = [await forms({ newTag: '0.1.0' }), await forms({ newTag: '0.2.0' })];
    expect(imagesOf(old)).toEqual({
      forms: 'registry.example.org/sheaf/forms:0.1.0',
      'forms-migrate-v0.1.0': 'registry.example.org/sheaf/forms:0.1.0',
    });
    expect(imagesOf(next)).toEqual({
      forms: 'registry.example.org/sheaf/forms:0.2.0',
      'forms-migrate-v0.2.0': 'registry.example.org/sheaf/forms:0.2.0',
    });
    expect(labelsOf(next)).toEqual(Array(4).fill('0.2.0'));
  });

  it('may name a registry with a port and a digest, which appear in no name and no label', async () => {
    const pinned = await forms({ newName: 'registry.internal.example:5000/team/sheaf/forms', newTag: '0.3.0-rc.1', digest });
    expect(imagesOf(pinned)).toMatchObject({
      'forms-migrate-v0.3.0-rc.1': `registry.internal.example:5000/team/sheaf/forms:0.3.0-rc.1@${digest}`,
    });
    expect(labelsOf(pinned)).toEqual(Array(4).fill('0.3.0-rc.1'));
  });

  it('does not render without a version', async () => {
    await expect(forms({ digest })).rejects.toThrow(/out of bounds/);
  });
});

describe('the registry', () => {
  const { images } = parse(readFileSync(join(root, 'deploy/components/registry/kustomization.yaml'), 'utf8')) as {
    images: { name: string; newName: string }[];
  };

  it('is the same placeholder for all our images', () => {
    expect(images.map(({ newName }) => newName)).toEqual(images.map(({ name }) => `registry.example.org/${name}`));
  });

  (hasKubectl ? it : it.skip)('is named by one component: changing it there changes every image', async () => {
    const all = [
      ...(await render('deploy/environments/production')),
      ...(await Promise.all(services.map((service) => render(`deploy/services/${service}/migrate`)))).flat(),
    ];
    expect(Object.values(imagesOf(all)).filter((image) => !image?.startsWith('registry.example.org/sheaf/'))).toEqual([]);
    const moved = await renderKustomizations({
      registry: {
        ...component,
        images: images.map(({ newName }) => ({ name: newName, newName: newName.replace('registry.example.org', 'ghcr.io/acme') })),
      },
      production: { resources: ['deploy/environments/production'], components: ['../registry'] },
    });
    expect(Object.values(imagesOf(moved)).filter((image) => !image?.startsWith('ghcr.io/acme/sheaf/'))).toEqual([]);
  });
});

describeIfKubectl('servers elsewhere', () => {
  /** The platform without its own servers, and the secrets for the external ones. */
  const system = async (...more: Manifest[][]) => [
    ...generatedSecrets('--postgres', '10.20.0.7:6432', '--nats', '10.30.0.8:4222'),
    ...(await render('deploy/platform/namespace')),
    ...(await Promise.all(services.map((service) => render(`deploy/services/${service}/migrate`)))).flat(),
    ...(await render('deploy/environments/production')),
    ...more.flat(),
  ];
  const externalServers = () =>
    renderKustomizations({
      servers: {
        components: ['deploy/components/postgres-elsewhere', 'deploy/components/nats-elsewhere'],
        patches: [
          {
            target: { kind: 'NetworkPolicy', name: 'postgres-elsewhere' },
            patch: JSON.stringify([
              {
                op: 'replace',
                path: '/spec/egress',
                value: [{ to: [{ ipBlock: { cidr: '10.20.0.7/32' } }], ports: [{ protocol: 'TCP', port: 6432 }] }],
              },
            ]),
          },
          {
            target: { kind: 'NetworkPolicy', name: 'nats-elsewhere' },
            patch: JSON.stringify([{ op: 'replace', path: '/spec/egress/0/to', value: [{ ipBlock: { cidr: '10.30.0.8/32' } }] }]),
          },
        ],
      },
    });

  it('are reached with one component each, and every check passes', async () => {
    expect(await faultsOf(await system(await externalServers()))).toEqual([]);
  });

  it('are not reachable without the components', async () => {
    const faults = checks.network(await system());
    expect(faults).toHaveLength(16);
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^forms-migrate-v\S+ → 10\.20\.0\.7:6432 is needed but not open$/),
        'gateway → 10.30.0.8:4222 is needed but not open',
      ]),
    );
  });

  it('have a placeholder address until it is replaced', async () => {
    const policies: INetworkPolicy[] = ofKind(
      (await Promise.all(['postgres', 'nats'].map((server) => render(`deploy/platform/${server}-elsewhere`)))).flat(),
      'NetworkPolicy',
    );
    expect(policies.flatMap(({ spec }) => spec?.egress?.[0]?.to)).toEqual([
      { ipBlock: { cidr: '192.0.2.1/32' } },
      { ipBlock: { cidr: '192.0.2.1/32' } },
    ]);
  });
});

describeIfKubectl('a replicated PostgreSQL', () => {
  it('may serve the services without PgBouncer, and every check passes', async () => {
    const parts = ['namespace', 'postgres-cluster', 'nats'].map((part) => `deploy/platform/${part}`);
    const migrations = services.map((service) => `deploy/services/${service}/migrate`);
    const system = [
      ...generatedSecrets('--postgres', 'postgres-rw:5432'),
      ...(await Promise.all([...parts, ...migrations].map(render))).flat(),
      ...(await renderKustomizations({
        production: { resources: ['deploy/environments/production'], components: ['deploy/components/postgres-cluster'] },
      })),
    ];
    expect(await faultsOf(system)).toEqual([]);
  });

  it('is recovered with the settings that it had, from its own archive, into another', async () => {
    const [before, after] = await Promise.all(
      ['postgres-cluster', 'postgres-recovery'].map(async (part) => {
        const manifests = await render(`deploy/platform/${part}`);
        expect(await checks.schemas(manifests)).toEqual([]);
        const spec: Record<string, unknown> = { ...ofKind(manifests, 'Cluster')[0]?.spec };
        return spec;
      }),
    );
    const source = [{ name: 'before', plugin: { name: 'barman-cloud.cloudnative-pg.io', parameters: { serverName: 'postgres' } } }];
    expect(after).toMatchObject({ bootstrap: { recovery: { source: 'before' } }, externalClusters: source });
    const archiveOf = ({ plugins }: Record<string, unknown> = {}) =>
      (plugins as { parameters: { serverName: string } }[])[0]?.parameters.serverName;
    expect(archiveOf(before)).toBe('postgres');
    expect(archiveOf(after)).not.toBe('postgres');
    const others = ({ bootstrap: _b, plugins: _p, externalClusters: _e, ...rest }: Record<string, unknown> = {}) => rest;
    expect(others(after)).toEqual(others(before));
  });

  it('is monitored together with PgBouncer, on ports for metrics only', async () => {
    const monitoring = await render('deploy/platform/postgres-cluster/monitoring');
    expect(await checks.schemas(monitoring)).toEqual([]);
    const policies: INetworkPolicy[] = ofKind(monitoring, 'NetworkPolicy');
    const prometheus = { name: 'prometheus', namespace: 'monitoring', labels: {} };
    const instance = { name: 'postgres', namespace: 'sheaf', labels: { 'cnpg.io/cluster': 'postgres' } };
    expect([9187, 9127, 5432].map((port) => allows(policies, prometheus, instance, port))).toEqual([true, true, false]);
  });
});

describeIfKubectl('three NATS servers', () => {
  const exporter = { namespace: 'sheaf', components: ['deploy/platform/nats-cluster/monitoring'] };

  it('have no exporter before the operator has named the digest of its image: rendering fails, and names what is missing', async () => {
    await expect(renderKustomizations({ exporter })).rejects.toThrow('nats-exporter-image');
  });

  it('may have an exporter, once the operator has named the digest of its image', async () => {
    const image = {
      name: 'nats-exporter-image',
      literals: [`DIGEST=${digest}`],
      options: { annotations: { 'config.kubernetes.io/local-config': 'true' } },
    };
    const monitored = [
      ...generatedSecrets(),
      ...(await Promise.all(['namespace', 'nats-cluster'].map((part) => render(`deploy/platform/${part}`)))).flat(),
      ...(await renderKustomizations({ exporter: { ...exporter, configMapGenerator: [image] } })),
    ];
    expect(imagesOf(monitored)['nats-exporter']).toBe(`natsio/prometheus-nats-exporter:0.17.3@${digest}`);
    for (const check of ['schemas', 'network', 'settings', 'images'] as const) expect(await checks[check](monitored)).toEqual([]);
  });

  it('know each other and their clients by names that their certificate has', async () => {
    const manifests = await render('deploy/platform/nats-cluster');
    const certificate = manifests.find((manifest) => manifest.kind === 'Certificate' && nameOf(manifest) === 'nats-tls') as {
      spec: { dnsNames: string[] };
    };
    const configuration = readFileSync(join(root, 'deploy/platform/nats-cluster/nats.conf'), 'utf8');
    const named = [configuration, ...replicatedServers].flatMap((text) =>
      [...text.matchAll(/:\/\/([a-z0-9.-]+):/g)].map(([, name]) => name),
    );
    expect(named).toHaveLength(6);
    expect(named.filter((name) => !certificate.spec.dnsNames.includes(name ?? ''))).toEqual([]);
    expect(ofKind(manifests, 'StatefulSet')[0]?.spec?.replicas).toBe(3);
  });
});

describeIfKubectl('the gateway', () => {
  const reaches = (manifests: Manifest[], namespace: string, labels: Record<string, string>) => {
    const [gateway] = workloads(manifests).filter(({ app }) => app === 'gateway');
    return allows(
      ofKind(manifests, 'NetworkPolicy'),
      { name: 'proxy', namespace, labels },
      { name: 'gateway', namespace: 'sheaf', labels: gateway?.labels ?? {} },
      8080,
    );
  };
  const withOption = (...options: string[]) =>
    renderKustomizations({
      gateway: {
        resources: ['deploy/services/gateway/overlays/production'],
        components: options.map((option) => `deploy/services/gateway/options/${option}`),
      },
    });

  it('is not reachable until an ingress option is chosen', async () => {
    const [policy] = ofKind(await render('deploy/services/gateway/overlays/production'), 'NetworkPolicy');
    expect(policy?.spec?.ingress ?? []).toEqual([]);
  });

  it.each([
    ['ingress', 'ingress-nginx', { 'app.kubernetes.io/name': 'ingress-nginx' }],
    ['gateway-api', 'ingress', { 'gateway.networking.k8s.io/gateway-name': 'public' }],
  ])('with the option %s admits only the pods of the proxy, and no others of its namespace', async (option, namespace, labels) => {
    const manifests = await withOption(option);
    expect(reaches(manifests, namespace, labels)).toBe(true);
    expect(reaches(manifests, namespace, { 'app.kubernetes.io/name': 'something-else' })).toBe(false);
    expect(reaches(manifests, 'elsewhere', labels)).toBe(false);
    expect(reaches(manifests, 'sheaf', { 'app.kubernetes.io/name': 'forms' })).toBe(false);
  });

  it.each(['ingress', 'gateway-api'])('with the option %s trusts no address before the operator names the proxy', async (option) => {
    const settings = ofKind(await withOption(option), 'ConfigMap').find((map) => nameOf(map).startsWith('gateway-settings'));
    expect(settings?.data?.TRUSTED_PROXIES).toBe('192.0.2.0/24');
  });

  it('serves an instance’s own domain with its own certificate', async () => {
    const ingresses = ofKind(await withOption('ingress', 'custom-domain'), 'Ingress');
    expect(
      ingresses.map(({ spec }) => ({ class: spec?.ingressClassName, hosts: spec?.rules?.map(({ host }) => host), tls: spec?.tls })),
    ).toEqual([
      { class: 'nginx', hosts: ['forms.example.org'], tls: [{ hosts: ['forms.example.org'], secretName: 'gateway-tls' }] },
      { class: 'nginx', hosts: ['forms.acme.example'], tls: [{ hosts: ['forms.acme.example'], secretName: 'gateway-domain-tls' }] },
    ]);
    expect(ingresses.map(({ metadata }) => metadata?.annotations?.['cert-manager.io/cluster-issuer'])).toEqual([
      'letsencrypt',
      'letsencrypt',
    ]);
  });

  it('receives the largest file through the ingress', async () => {
    const [ingress] = ofKind(await withOption('ingress'), 'Ingress');
    const allowed =
      Number(/^(\d+)m$/.exec(ingress?.metadata?.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '')?.[1]) * 1024 * 1024;
    const largest = (await configOf('submissions')).shape.FILE_MAX_BYTES as z.ZodType<number>;
    expect(allowed).toBeGreaterThan(largest.parse(undefined));
  });
});
