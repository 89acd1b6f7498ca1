import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apps, isService, services, servingPort, usesNats } from '@sheaf/kernel';
import type { z } from 'zod';
import { root } from './manifests';
import { configOf } from './settings';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const foldersIn = (path: string) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

// Code reads apps.json. Folders, manifests and shell scripts cannot, so they are compared with it here.
describe('apps.json', () => {
  it('names the deployed folders of apps/ and the folders of deploy/services', () => {
    // `pages` is deployed with the console in it; `all` is the others in one process.
    expect(
      foldersIn('apps')
        .filter((name) => !['all', 'console', 'e2e', 'n8n-nodes-sheaf', 'zapier'].includes(name))
        .sort(),
    ).toEqual([...apps].sort());
    expect(foldersIn('deploy/services').sort()).toEqual([...apps].sort());
  });

  it.each(apps)('agrees with the project of %s on its layer, which builds use to find it', (app) => {
    const { name, tags } = JSON.parse(read(`apps/${app}/project.json`)) as { name: string; tags: string[] };
    expect({ name, tags }).toEqual({ name: app, tags: [isService(app) ? 'layer:service' : `layer:${app}`] });
  });

  it('has the apps that one process hosts', () => {
    const imported = [...read('apps/all/src/main.ts').matchAll(/from '@sheaf\/apps\/([a-z]+)'/g)].map(([, name]) => name);
    expect(imported.sort()).toEqual([...apps].sort());
    expect(/runApps\('all', \[(.*)\]\)/.exec(read('apps/all/src/main.ts'))?.[1]?.split(', ').sort()).toEqual([...apps].sort());
  });

  it.each(apps)('has the port that %s opens by default', async (app) => {
    const { shape } = await configOf(app);
    const setting = shape[isService(app) ? 'GRPC_PORT' : 'PORT'] as z.ZodType;
    expect(setting.parse(undefined)).toBe(servingPort(app));
  });

  it('has the apps that each manifest lists', () => {
    const files = readdirSync(join(root, 'deploy/components'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.yaml'),
    );
    const lists = files.flatMap((file) =>
      [...read(`deploy/components/${file}`).matchAll(/values: \[(gateway.*)\]/g)].map(([, names = '']) => [file, names]),
    );
    expect(lists.length).toBeGreaterThan(0);
    const expected = (file = '') => (file.startsWith('nats-elsewhere/') ? apps.filter(usesNats) : apps);
    expect(lists).toEqual(lists.map(([file]) => [file, expected(file).join(', ')]));
  });

  it('has the services that get a role in a cluster', () => {
    expect(/^for service in (.+); do$/m.exec(read('deploy/platform/postgres/roles.sh'))?.[1]?.split(' ')).toEqual(services);
  });
});
