import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reachedFrom } from '@sheaf/rpc';
import { services } from '@sheaf/kernel';
import { root } from './manifests';

/** The services that a service calls with its own token. */
const calledWithOwnToken: Partial<Record<(typeof services)[number], readonly string[]>> = { delivery: ['hooks', 'workspaces'] };

it.each(services)('caller tokens for %s name it and the services that it calls, and no others', (service) => {
  const source = readFileSync(join(root, 'apps', service, 'src/main.ts'), 'utf8');
  const connected = [...source.matchAll(/\bconnect\(config\.(\w+)_ADDR, (\w+)/g)].map(([, name = '']) => name.toLowerCase());
  expect(connected).toHaveLength([...source.matchAll(/\bconnect\(/g)].length);
  expect(new Set([service, ...connected])).toEqual(new Set([...reachedFrom[service], ...(calledWithOwnToken[service] ?? [])]));
});
