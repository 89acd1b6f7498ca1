import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { apps } from '@sheaf/kernel';
import { root } from './manifests';

/** A repository with one app and one tool, both of which print their version. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-build-'));
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const file of [
    'tools/build/build.mjs',
    'tools/build/bundle.mjs',
    'tools/build/console.mjs',
    'tools/build/page-assets.mjs',
    'tsconfig.base.json',
    'package-lock.json',
  ])
    cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  write('package.json', '{ "version": "7.0.0" }');
  for (const name of ['app', 'tool']) write(`apps/${name}/src/main.ts`, 'declare const SHEAF_VERSION: string; console.log(SHEAF_VERSION);');
  write('deploy/services/app/version/kustomization.yaml', 'images:\n  - name: sheaf/app\n    newTag: 0.2.0\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const build = (project: string, env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [join(folder, 'tools/build/build.mjs'), project], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
    timeout: 240_000,
  });
const versionOf = (project: string) =>
  execFileSync(process.execPath, [join(folder, 'dist', project, 'main.cjs')], { encoding: 'utf8' }).trim();

it('a process reports the version of its image and its pods', () => {
  expect(build('apps/app', { IMAGE_VERSION: '0.2.0' }).status).toBe(0);
  expect(versionOf('apps/app')).toBe('0.2.0');
});

it('a build fails if the image label differs from the version of the process', () => {
  const { status, stderr } = build('apps/app', { IMAGE_VERSION: '0.3.0' });
  expect(status).not.toBe(0);
  expect(stderr).toContain('The image would be labelled 0.3.0, but deploy/services/app/version/kustomization.yaml says 0.2.0.');
});

it('no app has a package.json, which would be a second source of its version', () => {
  expect(apps.filter((app) => existsSync(join(root, 'apps', app, 'package.json')))).toEqual([]);
});

it('a tool has the version of the repository', () => {
  expect(build('apps/tool').status).toBe(0);
  expect(versionOf('apps/tool')).toBe('7.0.0');
});

it('the Dockerfile passes the version to the build, and copies the file to compare it with', () => {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  const stage = dockerfile.slice(dockerfile.indexOf('FROM dependencies AS build'), dockerfile.indexOf('FROM scratch'));
  expect(stage).toMatch(/COPY deploy\/services\/\$\{APP\}\/version [^]*IMAGE_VERSION="\$\{VERSION:\?[^]*node tools\/build\/build\.mjs/);
  expect(readFileSync(join(root, '.dockerignore'), 'utf8')).toContain('!deploy/services/*/version\n');
  for (const app of apps)
    expect(JSON.parse(readFileSync(join(root, `apps/${app}/project.json`), 'utf8'))).toMatchObject({
      namedInputs: { version: [`{workspaceRoot}/deploy/services/${app}/version/**`] },
    });
});
