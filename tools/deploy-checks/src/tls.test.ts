import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apps, services } from '@sheaf/kernel';
import { callersOf, tlsSteps } from '@sheaf/rpc';
import { parseAllDocuments } from 'yaml';
import { hasKubectl, renderKustomizations, root, workloads, type Workload } from './manifests';
import { configOf } from './settings';

const describeIfKubectl = hasKubectl ? describe : describe.skip;

it.each(services)('the door of %s is open to the apps that have its address, and to no others', async (service) => {
  const withAddress = await Promise.all(
    apps.map(async (app) => (`${service.toUpperCase()}_ADDR` in (await configOf(app)).shape ? [app] : [])),
  );
  expect([...callersOf[service]].sort()).toEqual(withAddress.flat().sort());
});

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
