// Writes the result of a jest run to dist/jest/<project>-<kind>.json: the numbers of passed and failed tests, the failures, and how long each
// file took. From these, tools/commands/gate.mjs prints one total over all runs, including those that Nx replays from its cache, and repeats
// the failures at the end, where people look.
const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { basename, join, relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const root = join(__dirname, '../..');
const maxLogLines = 20;
/** Longer than anything takes to close, on the busiest machine. */
const exitWithinMs = 60_000;

module.exports = class Report {
  constructor(config, { kind }) {
    // Nx caches the file under the project's name; without Nx only the folder's name is known.
    const project = process.env.NX_TASK_TARGET_PROJECT ?? basename(config.rootDir);
    this.file = join(root, 'dist/jest', `${project}-${kind}.json`);
    this.logs = new Map();
  }

  onTestResult(_test, { testFilePath, testResults }) {
    const failed = testResults.filter(({ status }) => status === 'failed');
    // Read at once: the folder goes away with the system.
    if (failed.length > 0) this.logs.set(testFilePath, systemLog(failed));
  }

  onRunComplete(
    _contexts,
    { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numRuntimeErrorTestSuites: broken, testResults: suites },
  ) {
    mkdirSync(join(this.file, '..'), { recursive: true });
    const files = suites.map(({ testFilePath, perfStats, testResults }) => ({
      file: relative(root, testFilePath),
      ms: perfStats.end - perfStats.start,
      tests: testResults.length,
    }));
    const failures = suites.flatMap((suite) => failuresOf(suite, this.logs.get(suite.testFilePath) ?? []));
    // A suite that failed to load has no tests to count, but is a failure.
    writeFileSync(this.file, JSON.stringify({ passed, failed: failed + broken, skipped, failures, files }));
    endIfHanging();
  }
};

/** A failed test may leave a connection open, which would keep jest, and the whole gate, from ending. The timer itself keeps nothing alive. */
function endIfHanging() {
  setTimeout(() => {
    console.error(
      `Something that a test opened is still open ${exitWithinMs / 1_000} s after the last one: jest --detectOpenHandles names it.`,
    );
    process.exit(1);
  }, exitWithinMs).unref();
}

/** The failures of a suite as jest reports them, the failed tests or why it did not load, and below them what the system logged meanwhile. */
function failuresOf({ testFilePath, failureMessage }, log) {
  if (!failureMessage) return [];
  const text = stripVTControlCharacters(failureMessage).trimEnd();
  const shown = text.length > 4_000 ? `${text.slice(0, 4_000)}…` : text;
  return [[relative(root, testFilePath), shown, ...(log.length > 0 ? ['Logged meanwhile:', ...log] : [])].join('\n')];
}

/** The last warnings and errors in the logs of the system under test while these tests ran. */
function systemLog(failed) {
  const folder = process.env.E2E_DATA_DIR && join(process.env.E2E_DATA_DIR, 'log');
  if (!folder) return [];
  const spans = failed.map(({ startAt, duration }) => [startAt ?? 0, (startAt ?? 0) + (duration ?? 0) + 1_000]);
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => /"level":"(?:warn|error|fatal)"/.test(line))
      .map((line) => ({ line, at: Date.parse(/"time":"([^"]+)"/.exec(line)?.[1] ?? '') }))
      .filter(({ at }) => spans.some(([from, to]) => at >= from && at <= to)),
  );
  return lines
    .sort((a, b) => a.at - b.at)
    .slice(-maxLogLines)
    .map(({ line }) => (line.length > 500 ? `${line.slice(0, 500)}…` : line));
}
