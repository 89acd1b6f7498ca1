// Writes the numbers of passed and failed tests, and the failures, to dist/jest/<project>-<kind>.json. From these, tools/commands/test.mjs
// prints one total over all runs, including those that Nx replays from its cache, and repeats the failures at the end, where people look.
const { mkdirSync, writeFileSync } = require('node:fs');
const { basename, join, relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

module.exports = class CountReporter {
  constructor(config, { kind }) {
    // Nx caches the file under the project's name; without Nx only the folder's name is known.
    const project = process.env.NX_TASK_TARGET_PROJECT ?? basename(config.rootDir);
    this.file = join(__dirname, '../../dist/jest', `${project}-${kind}.json`);
  }

  onRunComplete(
    _contexts,
    { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numRuntimeErrorTestSuites: broken, testResults: suites },
  ) {
    mkdirSync(join(this.file, '..'), { recursive: true });
    // A suite that failed to load has no tests to count, but is a failure.
    writeFileSync(this.file, JSON.stringify({ passed, failed: failed + broken, skipped, failures: suites.flatMap(failuresOf) }));
  }
};

/** The failures of a suite as jest reports them: the failed tests, or why it did not load. The full report is further up in the output. */
function failuresOf({ testFilePath, failureMessage }) {
  if (!failureMessage) return [];
  const text = stripVTControlCharacters(failureMessage).trimEnd();
  return [`${relative(join(__dirname, '../..'), testFilePath)}\n${text.length > 4_000 ? `${text.slice(0, 4_000)}…` : text}`];
}
