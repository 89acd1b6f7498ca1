import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reachedFrom, type CalledApp } from '@sheaf/rpc';
import { apps } from '@sheaf/kernel';
import { root } from './manifests';

const called = apps.filter((app): app is CalledApp => app !== 'gateway');
/** The services that an app calls with its own token. */
const calledWithOwnToken: Partial<Record<CalledApp, readonly string[]>> = { delivery: ['submissions', 'workspaces'] };

it.each(called)('caller tokens for %s name it and the services that it calls, and no others', (app) => {
  const source = readFileSync(join(root, 'apps', app, 'src/app.ts'), 'utf8');
  // As `clientOf(config.FORMS_ADDR, Forms)`; another way to use an address would not be seen.
  const connected = [...source.matchAll(/\(config\.(\w+)_ADDR, \w+\)/g)].map(([, name = '']) => name.toLowerCase());
  expect(connected).toHaveLength([...source.matchAll(/_ADDR\b/g)].length);
  expect(new Set([app, ...connected])).toEqual(new Set([...reachedFrom[app], ...(calledWithOwnToken[app] ?? [])]));
});
