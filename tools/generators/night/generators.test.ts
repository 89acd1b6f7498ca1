import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(__dirname, '../../..');
const { bin } = JSON.parse(readFileSync(join(root, 'node_modules/nx/package.json'), 'utf8')) as { bin: { nx: string } };
const excluded = new Set(['node_modules', 'generated', '.data', '.nx']);

// Generates into a copy of this tree, as developers do in their own.
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-generators-'));
  const parts = [
    'apps',
    'libs',
    'proto',
    'tools/build',
    'tools/generators',
    'tools/jest',
    'tools/system',
    '.vscode/launch.json',
    'docs/contributing/developing.md',
    'nx.json',
    'package.json',
    'package-lock.json',
    'tsconfig.base.json',
    '.prettierrc.json',
  ];
  for (const part of parts)
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => !excluded.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(file: string, ...args: string[]): string {
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    TMPDIR: tmpdir(),
    NX_DAEMON: 'false',
    NX_NO_CLOUD: 'true',
    NX_TUI: 'false',
    NX_INTERACTIVE: 'false',
    NX_ISOLATE_PLUGINS: 'false',
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, file), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env,
    timeout: 240_000,
  });
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${String(status)}\n${stdout}\n${stderr}`);
  return stdout;
}
const generate = (...args: string[]) => run(join('node_modules/nx', bin.nx), 'generate', ...args);

it('generates a service and endpoints that build and pass the type check', () => {
  const output = generate('./tools/generators:service', 'billing', '--resource=payment-method');
  // Every file that the developer is told to edit exists.
  const [, steps = ''] = output.split('Edit by hand:');
  const paths = [...steps.matchAll(/\b(?:tools|apps|libs|docs)\/[\w/.-]*\w/g)].map(([path]) => path);
  expect(paths.length).toBeGreaterThan(3);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  // The launcher's own test compares the editor and the documentation with the list of apps.
  run('node_modules/jest/bin/jest.js', '--config', 'tools/jest/unit.cjs', '--rootDir', 'tools/system', 'dev/options');
  generate('./tools/generators:endpoint', 'theme-color');
  generate('./tools/generators:endpoint', 'reach', '--service=hooks');

  run('tools/build/generate-proto.mjs');
  run('tools/build/generate-rpc.mjs');
  run('tools/build/build.mjs', 'apps/billing');
  expect(existsSync(join(folder, 'dist/apps/billing/main.cjs'))).toBe(true);

  const include = [
    'apps/billing/**/*.ts',
    'apps/forms/src/server.ts',
    'apps/hooks/src/server.ts',
    'apps/gateway/src/routes/derived.ts',
    'apps/e2e/test/app/form-*.ts',
    'tools/system/src/apps.ts',
  ];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', include }));
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
});

it('refuses a name that an app already has', () => {
  expect(() => generate('./tools/generators:service', 'forms')).toThrow('apps/forms already exists.');
});
