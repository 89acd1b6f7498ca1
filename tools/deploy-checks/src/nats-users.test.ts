import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { domainEvents, listeners } from '@sheaf/contracts';
import { apps } from '@sheaf/kernel';
import { root } from './manifests';
import { natsUsers } from './nats-users';

it('the deployed NATS users have the permissions that the events need (to update: npx nx run deploy-checks:nats-users)', () => {
  expect(readFileSync(join(root, 'deploy/platform/nats/users.conf'), 'utf8')).toBe(natsUsers());
});

it('each consumer by which deliveries hear of submissions makes them scale', () => {
  const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name).sort();
  const scaled = readFileSync(join(root, 'deploy/components/keda/scaled-object.yaml'), 'utf8');
  expect(names(scaled, /consumer: (\S+)/g)).toEqual(names(natsUsers(), /CONSUMER\.INFO\.SHEAF_EVENTS\.(delivery-submissions[\w-]*)"/g));
});

describe.each(apps)('%s', (app) => {
  const folder = join(root, 'apps', app, 'src');
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');

  it('listens under its own name, to each service that libs/contracts lets it hear', () => {
    const found = [...source.matchAll(/\blistener: '(\w+)',\s*source: '(\w+)'/g)].map(([, listener, from]) => ({ listener, from }));
    const allowed: Readonly<Record<string, readonly string[]>> = listeners;
    expect(new Set(found.map(({ from }) => from))).toEqual(new Set(allowed[app] ?? []));
    expect(found.filter(({ listener }) => listener !== app)).toEqual([]);
  });

  it('consumes under its own name, and only if an event names it as a consumer', () => {
    const durables = new Set([...source.matchAll(/durable: '(\w+)'/g)].map(([, name]) => name));
    const isConsumer = Object.values<{ consumers: readonly string[] }>(domainEvents).some(({ consumers }) => consumers.includes(app));
    expect([...durables]).toEqual(isConsumer ? [app] : []);
  });
});
