import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apps, services } from '@sheaf/kernel';
import { callersOf } from '@sheaf/rpc';
import { parseAllDocuments } from 'yaml';
import { hasKubectl, renderKustomizations, root, workloads } from './manifests';
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

describeIfKubectl('the component tls', () => {
  it('gives each process its own certificate, and changes nothing else', async () => {
    const folder = (components: string[]) =>
      renderKustomizations({ system: { resources: ['deploy/environments/production'], components } }).then((manifests) =>
        workloads(manifests).filter(({ manifest }) => manifest.kind === 'Deployment'),
      );
    const [plain, secured] = [await folder([]), await folder(['deploy/components/tls'])];
    expect(secured.map(({ name }) => name).sort()).toEqual([...apps].sort());
    for (const { name, manifest } of secured) {
      const { spec } = (
        manifest as unknown as { spec: { template: { spec: { containers: [Record<string, unknown[]>]; volumes: unknown[] } } } }
      ).spec.template;
      expect(spec.volumes).toContainEqual({ name: 'tls', secret: { secretName: `${name}-tls` } });
      expect(spec.containers[0].volumeMounts).toContainEqual({ name: 'tls', mountPath: '/tls', readOnly: true });
      expect(spec.containers[0].env).toContainEqual({ name: 'GRPC_TLS_DIR', value: '/tls' });
      const before = plain.find((each) => each.name === name)?.container;
      expect((before?.env ?? []).length + 1).toBe(spec.containers[0].env?.length);
    }
  });
});
