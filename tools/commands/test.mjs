// npm test: every check of this tree. The last line is the total over all jest runs.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, root, runNx } from '../build/bootstrap.mjs';

const counts = join(root, 'dist/jest');

/** Nx skips projects without one of the targets. The end-to-end tests run alone: they start whole systems. */
const stages = [
  // One lint process for everything: one per project would load our libraries' types each time, four times slower from a fresh clone.
  // Three tasks in parallel even on two processors: some unit tests wait for deadlines of seconds.
  { title: 'Lint, types, unit tests', args: ['-t', 'lint-all', 'imports', 'format', 'typecheck', 'test', '--parallel=3'] },
  { title: 'Service tests', args: ['-t', 'service-test', '--parallel=2'] },
  { title: 'End-to-end tests', args: ['-t', 'e2e', 'e2e-any-node', '--parallel=1'], timeoutMs: 2_700_000 },
];

await bootstrap();
// Remove the counts of an earlier run; Nx restores those of cached tasks.
rmSync(counts, { recursive: true, force: true });

const failedStages = [];
let uncounted = 0;
for (const { title, args, timeoutMs } of stages) {
  console.log(`\n── ${title}`);
  const failedBefore = sum().failed;
  if ((await runNx(['run-many', ...args, '--output-style=static'], { timeoutMs })) === 0) continue;
  failedStages.push(title);
  // Lint, types, or a jest run that failed before it counted: "0 failed" would be wrong.
  if (sum().failed === failedBefore) uncounted += 1;
}

const { passed, failed, failures } = sum();
if (failures.length > 0) console.log(`\n── Failures\n\n${failures.join('\n\n')}`);
console.log(failedStages.length === 0 ? '\nAll good.' : `\nFailed: ${failedStages.join('; ')}. See above.`);
console.log(`${passed} passed, ${failed + uncounted} failed`);
process.exitCode = failedStages.length === 0 && failed === 0 ? 0 : 1;

/** Adds up the files that tools/jest/count-reporter.cjs has written, one per run. */
function sum() {
  let files = [];
  try {
    files = readdirSync(counts);
  } catch {
    // No run has finished yet.
  }
  const total = { passed: 0, failed: 0, failures: [] };
  for (const file of files) {
    const run = JSON.parse(readFileSync(join(counts, file), 'utf8'));
    total.passed += run.passed;
    total.failed += run.failed;
    total.failures.push(...run.failures);
  }
  return total;
}
