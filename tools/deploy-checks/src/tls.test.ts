import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apps, services } from '@sheaf/kernel';
import { tlsSteps } from '@sheaf/rpc';
import { parseAllDocuments } from 'yaml';
import { hasKubectl, ofKind, renderKustomizations, root, workloads, type Workload } from './manifests';
import { replicated } from './rendered';
import { environmentOf } from './settings';

const describeIfKubectl = hasKubectl ? describe : describe.skip;

describe('the certificates for cert-manager', () => {
  const documents = parseAllDocuments(readFileSync(join(root, 'deploy/platform/certificates/certificates.yaml'), 'utf8'));
  const certificates = documents.map((document) => document.toJS() as { metadata: { name: string }; spec: Record<string, unknown> });

  it.each(apps)('give %s its name, for calling and for being called', (app) => {
    const own = certificates.filter(({ metadata }) => metadata.name === app);
    expect(own.map(({ spec }) => spec)).toMatchObject([
      { secretName: `${app}-tls`, usages: ['digital signature', 'server auth', 'client auth'] },
    ]);
    // A name of another app would open the doors that are open to it.
    expect(own[0]?.spec.dnsNames).toEqual([app, `${app}.sheaf.svc`]);
  });
});

describeIfKubectl('production', () => {
  const bases = apps.map((app) => `deploy/services/${app}/base`);
  const deploymentsOf = async (resources: string[], components: string[] = []) =>
    workloads(await renderKustomizations({ system: { resources, components } })).filter(({ manifest }) => manifest.kind === 'Deployment');
  const settingsOf = ({ container }: Workload) => (container.env ?? []).map(({ name, value }) => [name, value]);

  it('gives each process its own certificate, and nothing else that it would not have without TLS', async () => {
    const [plain, secured] = [await deploymentsOf(bases), await deploymentsOf(['deploy/environments/production'])];
    expect(secured.map(({ name }) => name).sort()).toEqual([...apps].sort());
    for (const workload of secured) {
      const { name, pod, container } = workload;
      expect(pod.volumes).toContainEqual({ name: 'tls', secret: { secretName: `${name}-tls` } });
      expect(container.volumeMounts).toContainEqual({ name: 'tls', mountPath: '/tls', readOnly: true });
      const before = plain.find((each) => each.name === name);
      expect(settingsOf(workload)).toEqual([...(before ? settingsOf(before) : []), ['GRPC_TLS_DIR', '/tls']]);
    }
  });

  it.each(tlsSteps.filter((step) => step !== 'require'))('is at the step %s with the component of that name', async (step) => {
    const components = [`deploy/components/tls/${step}`];
    for (const workload of await deploymentsOf(['deploy/environments/production'], components))
      expect(settingsOf(workload)).toContainEqual(['GRPC_TLS', step]);
  });
});

describeIfKubectl('on a replicated PostgreSQL', () => {
  it('services and migrations verify the certificate that it shows, and get no more of its secret than the authority', async () => {
    const system = await replicated();
    const own = workloads(system).flatMap((workload) => {
      const { DATABASE_URL: url } = environmentOf(workload, system).env;
      return url === undefined ? [] : [{ ...workload, url: new URL(url) }];
    });
    expect(own).toHaveLength(2 * services.length);
    const [cluster] = ofKind(system, 'Cluster');
    // CloudNativePG adds the names of its own services: those of the cluster, with -rw, -ro and -r.
    const names = ['postgres-rw', ...(cluster?.spec.certificates?.serverAltDNSNames ?? [])];
    for (const { url, pod, container, title } of own) {
      expect([title, url.searchParams.get('sslmode'), names]).toEqual([title, 'verify-full', expect.arrayContaining([url.hostname])]);
      const mount = container.volumeMounts?.find(({ mountPath }) => `${mountPath}/ca.crt` === url.searchParams.get('sslrootcert'));
      expect(pod.volumes?.find(({ name }) => name === mount?.name)?.secret).toMatchObject({
        secretName: 'postgres-ca',
        items: [{ key: 'ca.crt', path: 'ca.crt' }],
      });
    }
  });
});
