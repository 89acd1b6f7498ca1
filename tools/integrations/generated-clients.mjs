// npx nx run gateway:generated-clients makes the clients of docs/generated-clients.md from docs/openapi.json, each with its generator in a
// folder of its own, and compiles them. The last line is `N passed, N failed`. The generators take about 1 GB; they are kept in our cache.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from '../build/bootstrap.mjs';

const typescript = 'typescript@5.9.3';
/** Only a hang reaches it. */
const timeout = 300_000;

const { SHEAF_CACHE_DIR: sheafCache, XDG_CACHE_HOME: xdg } = process.env;
const cache = join(sheafCache || join(xdg || join(homedir(), '.cache'), 'sheaf'), 'openapi-generators');
const page = readFileSync(join(root, 'docs/generated-clients.md'), 'utf8');
const total = { passed: 0, failed: 0 };

const generators = rows(page);
for (const generator of generators) {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-generated-client-'));
  try {
    make(generator, install(generator), folder);
    compile(folder);
    total.passed += 1;
    console.log(`✓ ${generator.name}`);
  } catch (error) {
    total.failed += 1;
    console.log(`✗ ${generator.name}: ${error instanceof Error ? error.message : error}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** @returns the rows of the first table: the generator's package, the packages beside it, the command. @throws if one cannot be read */
function rows(text) {
  const [, table = ''] = /^\| Generator \| With \| Command \|\n\|[-|]+\|\n((?:\|[^\n]*\n)+)/m.exec(text) ?? [];
  const lines = table.trim().split('\n');
  return lines.map((line) => {
    const [, name, beside, command] = /^\| `([^`]+)` \| ([^|]*)\| `([^`]+)` \|$/.exec(line) ?? [];
    if (!name) throw new Error(`docs/generated-clients.md: this row of its table names no generator and command: ${line}`);
    return { name, packages: [name, typescript, ...[...beside.matchAll(/`([^`]+)`/g)].map(([, packed]) => packed)], command };
  });
}

/** @returns the folder with the packages, which is complete once it has its name */
function install({ name, packages }) {
  const target = join(cache, `${name.replaceAll('/', '+')}-node${process.versions.modules}`);
  const wanted = packages.join(' ');
  if (existsSync(join(target, 'installed')) && readFileSync(join(target, 'installed'), 'utf8') === wanted) return target;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // No package of the page needs an install script.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--save-exact'];
  execFileSync('npm', ['install', ...options, ...packages], { cwd: target, stdio: ['ignore', 2, 2], timeout });
  writeFileSync(join(target, 'installed'), wanted);
  return target;
}

/** Runs the page's command as somebody would type it, beside the page's settings. */
function make({ command }, packages, folder) {
  mkdirSync(join(folder, 'client'));
  copyFileSync(join(root, 'docs/openapi.json'), join(folder, 'openapi.json'));
  copyFileSync(join(packages, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'));
  for (const [, file, text] of page.matchAll(/^```\w+ ([\w.-]+)\n([\s\S]*?)^```$/gm)) writeFileSync(join(folder, file), text);
  // Programs of others get nothing of what else is in the environment.
  const PATH = `${join(folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
  run('sh', ['-c', command], { cwd: folder, env: { PATH, HOME: folder, CI: 'true' } });
}

function compile(folder) {
  const made = readdirSync(join(folder, 'client'), { recursive: true }).filter((name) => name.endsWith('.ts'));
  if (!made.some((name) => statSync(join(folder, 'client', name)).size > 0)) throw new Error('it made no file');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['client/**/*.ts'] }));
  run(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder });
}

/** Runs a program. @throws with the end of what it has printed, unless it succeeds */
function run(file, args, options) {
  const { status, error, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', timeout, maxBuffer: 64 * 2 ** 20, ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`ended with ${status}\n${`${stdout}\n${stderr}`.trim().split('\n').slice(-20).join('\n')}`);
}
