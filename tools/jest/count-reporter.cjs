// Leaves how many tests passed and failed in dist/jest/<project>-<kind>.json, so that tools/test.mjs can say one sum over all runs,
// the ones that Nx replays from its cache included.
const { mkdirSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');

module.exports = class CountReporter {
  constructor(config, { kind }) {
    this.file = join(__dirname, '../../dist/jest', `${basename(config.rootDir)}-${kind}.json`);
  }

  onRunComplete(_contexts, { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numRuntimeErrorTestSuites: broken }) {
    mkdirSync(join(this.file, '..'), { recursive: true });
    // A suite that did not even load has no tests to count, and is a failure all the same.
    writeFileSync(this.file, JSON.stringify({ passed, failed: failed + broken, skipped }));
  }
};
