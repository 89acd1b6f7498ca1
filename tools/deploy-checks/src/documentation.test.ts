import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { apps } from '@sheaf/kernel';
import { root } from './manifests';
import { configOf, documentedSettings, isAwsSetting } from './settings';

describe('deploy/README.md', () => {
  it.each(apps)('has every setting of %s in its tables', async (app) => {
    const documented = documentedSettings();
    expect(Object.keys((await configOf(app)).shape).filter((name) => !documented.has(name))).toEqual([]);
  });

  it('has no setting that no process knows', async () => {
    const known = new Set((await Promise.all(apps.map(configOf))).flatMap(({ shape }) => Object.keys(shape)));
    const foreign = [...documentedSettings()].filter((name) => !known.has(name) && !isAwsSetting(name));
    expect(foreign).toEqual([]);
  });

  it('names paths that exist', () => {
    const text = readFileSync(join(root, 'deploy/README.md'), 'utf8');
    const paths = [...text.matchAll(/\bdeploy\/[A-Za-z0-9_./-]*[A-Za-z0-9]/g)]
      .map(([path]) => path)
      .filter((path) => path !== 'deploy/.env');
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('nothing in deploy/ holds a secret', () => {
  const files = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(?:ya?ml|env|json|conf|sh)$/.test(file) && !file.endsWith('.env.local'),
  );
  const withSecret = files.filter(
    (file) =>
      file !== '.env' &&
      /"d":|BEGIN [A-Z ]*PRIVATE KEY|kind: Secret\b|postgres:\/\/[^$\s:]+:[^$\s@]+@/.test(readFileSync(join(root, 'deploy', file), 'utf8')),
  );
  expect(withSecret).toEqual([]);
});
