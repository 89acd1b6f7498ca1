// Leaves how many tests passed and failed, and which failed why, in dist/jest/<project>-<kind>.json, so that tools/commands/test.mjs can say one sum
// over all runs, the ones that Nx replays from its cache included, and the failures once more where they are found: at the end.
const { mkdirSync, writeFileSync } = require('node:fs');
const { basename, join, relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

module.exports = class CountReporter {
  constructor(config, { kind }) {
    // By the project's name, as Nx keeps the file under it; without Nx there is only the folder's.
    const project = process.env.NX_TASK_TARGET_PROJECT ?? basename(config.rootDir);
    this.file = join(__dirname, '../../dist/jest', `${project}-${kind}.json`);
  }

  onRunComplete(
    _contexts,
    { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numRuntimeErrorTestSuites: broken, testResults: suites },
  ) {
    mkdirSync(join(this.file, '..'), { recursive: true });
    // A suite that did not even load has no tests to count, and is a failure all the same.
    writeFileSync(this.file, JSON.stringify({ passed, failed: failed + broken, skipped, failures: suites.flatMap(failuresOf) }));
  }
};

/** What jest says of a suite's failures, by file: the tests that failed, or why it did not load. The whole of it stands further up. */
function failuresOf({ testFilePath, failureMessage }) {
  if (!failureMessage) return [];
  const said = stripVTControlCharacters(failureMessage).trimEnd();
  return [`${relative(join(__dirname, '../..'), testFilePath)}\n${said.length > 4_000 ? `${said.slice(0, 4_000)}…` : said}`];
}
