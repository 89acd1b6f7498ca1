// npx nx run <project>:check installs, lints, builds and tests a package outside the root install, and tests it against a running system.
// The last line is `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { installIfChanged, root } from '../build/bootstrap.mjs';
import { withSystem } from './system.mjs';

const project = process.argv[2] ?? '';
const folder = join(root, project);
const reporter = join(root, 'tools/integrations/count-reporter.mjs');
const counts = mkdtempSync(join(tmpdir(), 'sheaf-check-'));
const total = { passed: 0, failed: 0 };

try {
  // Install scripts do not run: no package needs one to be tested.
  await installIfChanged(folder, () => step('npm ci', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']));
  // First, because lint reads the types that it makes.
  await npmRun('build');
  await npmRun('lint');
  await npmRun('build:tests');
  await test('unit', {});
  await withSystem(({ url, apiKey }) => test('system', { SHEAF_URL: url, SHEAF_API_KEY: apiKey }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // A step without counted tests, such as lint, failed: "0 failed" would be wrong.
  if (total.failed === 0) total.failed = 1;
} finally {
  rmSync(counts, { recursive: true, force: true });
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function npmRun(script) {
  await step(`npm run ${script}`, 'npm', ['run', '--silent', script]);
}

/** Runs the compiled tests of a kind with Node's runner, and adds their numbers to the total. */
async function test(kind, env) {
  const tests = join(folder, '.tests', kind);
  const files = readdirSync(tests).filter((name) => name.endsWith('.test.js'));
  const results = join(counts, kind);
  const reporters = ['spec', reporter].flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout']);
  // n8n's packages leave timers running.
  const args = ['--test', '--test-force-exit', ...reporters, ...files.map((name) => join(tests, name))];
  await step(`${kind} tests`, process.execPath, args, { env: { ...process.env, ...env, COUNTS: results } }).finally(() => {
    const { passed, failed } = JSON.parse(readIfExists(results) ?? '{"passed":0,"failed":1}');
    total.passed += passed;
    total.failed += failed;
  });
}

/** Runs a program in the package's folder, and throws unless it succeeds. */
function step(title, file, args, options = {}) {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.once('error', reject);
    child.once('close', (code) => {
      console.log(`── ${basename(project)}: ${title}, ${((performance.now() - since) / 1000).toFixed(1)} s`);
      if (code === 0) resolve();
      else reject(new Error(`${title} failed, see above.`));
    });
  });
}

function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
