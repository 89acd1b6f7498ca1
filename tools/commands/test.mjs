// npm test: everything that says whether this tree is good. The last line is the sum over all of jest's runs.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, root, runNx } from '../build/bootstrap.mjs';

const counts = join(root, 'dist/jest');

/** Projects without one of the targets are left out by Nx. The end-to-end tests come alone: they start whole systems. */
const stages = [
  // All of lint in one process: one for each project reads the types of our libraries anew, which takes four times as long from a fresh clone.
  // Three at once also on two processors: some of the unit tests wait for deadlines of seconds.
  { title: 'Lint, types, unit tests', args: ['-t', 'lint-all', 'imports', 'format', 'typecheck', 'test', '--parallel=3'] },
  { title: 'Service tests', args: ['-t', 'service-test', '--parallel=2'] },
  { title: 'End-to-end tests', args: ['-t', 'e2e', '--parallel=1'] },
];

await bootstrap();
// Those of an earlier run; what Nx takes from its cache is put back.
rmSync(counts, { recursive: true, force: true });

const unsound = [];
let unexplained = 0;
for (const { title, args } of stages) {
  console.log(`\n── ${title}`);
  const failedBefore = sum().failed;
  if ((await runNx(['run-many', ...args, '--output-style=static'])) === 0) continue;
  unsound.push(title);
  // Lint, types, or a jest that did not get as far as counting: "0 failed" would be a lie.
  if (sum().failed === failedBefore) unexplained += 1;
}

const { passed, failed, failures } = sum();
if (failures.length > 0) console.log(`\n── What failed\n\n${failures.join('\n\n')}`);
console.log(unsound.length === 0 ? '\nAll good.' : `\nFailed: ${unsound.join('; ')}. See above.`);
console.log(`${passed} passed, ${failed + unexplained} failed`);
process.exitCode = unsound.length === 0 && failed === 0 ? 0 : 1;

/** What tools/jest/count-reporter.cjs has written, one file for each run. */
function sum() {
  let files = [];
  try {
    files = readdirSync(counts);
  } catch {
    // No run has come to its end yet.
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
