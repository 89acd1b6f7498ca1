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

  it('listens to the services that libs/contracts names, and to no others', () => {
    const found = [...source.matchAll(/new (?:EventCache|LastKnown)(?:<[^()]+>)?\(\w+, \{\s*source: '(\w+)'/g)].map(([, name]) => name);
    expect(found).toHaveLength([...source.matchAll(/new (?:EventCache|LastKnown)\b/g)].length);
    expect(new Set(found)).toEqual(new Set(listeners[app] ?? []));
  });

  it('consumes under its own name, and only if an event names it as a consumer', () => {
    const durables = new Set([...source.matchAll(/durable: '(\w+)'/g)].map(([, name]) => name));
    const isConsumer = Object.values<{ consumers: readonly string[] }>(domainEvents).some(({ consumers }) => consumers.includes(app));
    expect([...durables]).toEqual(isConsumer ? [app] : []);
  });
});
