// Leaves how many tests passed and failed in dist/jest/<project>-<kind>.json, so that tools/test.mjs can say one sum over all runs,
// the ones that Nx replays from its cache included.
const { mkdirSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');

module.exports = class CountReporter {
  constructor(config, { kind }) {
    // By the project's name, as Nx keeps the file under it; without Nx there is only the folder's.
    const project = process.env.NX_TASK_TARGET_PROJECT ?? basename(config.rootDir);
    this.file = join(__dirname, '../../dist/jest', `${project}-${kind}.json`);
  }

  onRunComplete(_contexts, { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numRuntimeErrorTestSuites: broken }) {
    mkdirSync(join(this.file, '..'), { recursive: true });
    // A suite that did not even load has no tests to count, and is a failure all the same.
    writeFileSync(this.file, JSON.stringify({ passed, failed: failed + broken, skipped }));
  }
};
