// Runs stages of checks and tests, and prints at the end what people look for there: the time of each stage, the slowest files, the failures,
// and in the last line the total over all jest runs.
import { availableParallelism } from 'node:os';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { bootstrap, root, runNx } from '../build/bootstrap.mjs';

const results = join(root, 'dist/jest');
const slowestFiles = 10;
const shownLines = 20;

/**
 * Two tasks more than processors: tests wait for half of their time, for deadlines, for connections that fall silent, for browsers. With one more,
 * a third of the processors' time was left over.
 */
const parallel = availableParallelism() + 2;

/**
 * A stage is one or several runs of Nx that go on side by side. Runs after the first print only if they fail.
 * @typedef {{ title: string, runs: string[][] }} Stage
 */

/** @param {string[]} targets @param {string[]} more */
export const runMany = (targets, ...more) => ['run-many', '-t', targets.join(','), `--parallel=${parallel}`, ...more];

// The tasks that look at the whole tree, one after another beside the tests. Nx would begin it last, when nothing else is left to do. One lint process for
// everything: one per project would load our libraries' types each time, four times slower from a fresh clone.
const ofTheTree = ['sheaf', 'docs-checks', 'deploy-checks'].join(',');
const tree = ['run-many', '-t', 'lint-all,typecheck,imports,format,test', `--projects=${ofTheTree}`, '--parallel=1'];
const tests = (...targets) => runMany(targets, `--exclude=${ofTheTree}`);
// Alone, after all others: they start whole systems. Only the bundles are built side by side.
const endToEnd = { title: 'End-to-end tests', runs: [runMany(['e2e'])] };

/** Every rule, each where it lives, and once end to end where parts meet. */
export const everything = [
  { title: 'Lint, types, unit and service tests', runs: [tests('test', 'service-test', 'screens'), tree] },
  endToEnd,
];

/** The same in parts, for machines that run them side by side. */
export const parts = {
  checks: [{ title: 'Lint, types and unit tests', runs: [tests('test'), tree] }],
  services: [{ title: 'Service tests and screens', runs: [tests('service-test', 'screens')] }],
  'end-to-end': [endToEnd],
};

/**
 * Each stage begins even if an earlier one failed, so that one run tells everything.
 * @param {Stage[]} stages
 * @returns {Promise<boolean>} whether all is good
 */
export async function runStages(stages) {
  await bootstrap();
  // Remove the results of an earlier run; Nx restores those of cached tasks.
  rmSync(results, { recursive: true, force: true });
  // Before the runs, which would each begin with it.
  await runNx(['run', 'rpc:generate'], { quiet: true });

  const failedStages = [];
  const times = [];
  const uncounted = [];
  for (const { title, runs } of stages) {
    console.log(`\n── ${title}`);
    const since = performance.now();
    const ended = await Promise.all(runs.map((args, index) => runAndKeep(args, { quiet: index > 0 })));
    times.push({ title, ms: performance.now() - since });
    const failedRuns = ended.filter(({ code }) => code !== 0);
    if (failedRuns.length === 0) continue;
    failedStages.push(title);
    uncounted.push(...failedRuns.flatMap(({ code, output }) => uncountedFailures(title, code, output)));
  }

  const { passed, failed, failures: counted, files } = sum();
  const failures = [...counted, ...uncounted];
  console.log('\n── Time\n');
  for (const { title, ms } of times) console.log(`${seconds(ms)}  ${title}`);
  console.log('\nThe slowest files:');
  for (const { file, ms } of files.sort((a, b) => b.ms - a.ms).slice(0, slowestFiles)) console.log(`${seconds(ms)}  ${file}`);
  if (failures.length > 0) console.log(`\n── Failures\n\n${failures.join('\n\n')}`);
  console.log(failedStages.length === 0 ? '\nAll good.' : `\nFailed: ${failedStages.join('; ')}. See above.`);
  console.log(`${passed} passed, ${failed + uncounted.length} failed`);
  return failedStages.length === 0 && failed === 0;
}

/** Runs Nx and returns its exit code and all that it printed. */
async function runAndKeep(args, { quiet }) {
  let output = '';
  const code = await runNx([...args, '--output-style=static'], { quiet, onOutput: (text) => (output += text) });
  return { code, output: stripVTControlCharacters(output) };
}

/**
 * The ends of the outputs of failed tasks that no report of jest tells about: lint, types, format, or a jest run that broke off. Without them,
 * "0 failed" would stand at the end of a red run, and its reason a thousand lines above.
 * @param {string} title of the stage
 * @param {number} code of Nx
 * @param {string} output of Nx
 * @returns {string[]}
 */
export function uncountedFailures(title, code, output) {
  const tasks = [...(output.split('Failed tasks:')[1] ?? '').matchAll(/^- (\S+)$/gm)].map(([, task]) => task);
  if (tasks.length === 0) return [`${title}: Nx ended with ${code}\n${lastLines(output)}`];
  return tasks.filter((task) => !isReported(task)).map((task) => `${task}\n${lastLines(outputOf(task, output))}`);
}

/** The output of a task: from the line that names it to the one that names the next, or to Nx's own summary. */
function outputOf(task, output) {
  const [, after = ''] = output.split(new RegExp(`^> nx run ${task}\\b.*$`, 'm'));
  return after.split(/^(?:> nx run | NX )/m)[0];
}

const lastLines = (text) => text.trimEnd().split('\n').slice(-shownLines).join('\n').trim();

/** Whether a jest run of this task has counted failures. */
function isReported(task) {
  const [project, target] = task.split(':');
  const kind = { test: 'unit', 'service-test': 'service' }[target] ?? target;
  try {
    return JSON.parse(readFileSync(join(results, `${project}-${kind}.json`), 'utf8')).failed > 0;
  } catch {
    return false;
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`;

/** Adds up the files that tools/jest/report.cjs has written, one per run. */
function sum() {
  let names = [];
  try {
    names = readdirSync(results);
  } catch {
    // No run has finished yet.
  }
  const runs = names.map((name) => JSON.parse(readFileSync(join(results, name), 'utf8')));
  const total = (key) => runs.reduce((all, run) => all + run[key], 0);
  return {
    passed: total('passed'),
    failed: total('failed'),
    failures: runs.flatMap((run) => run.failures),
    files: runs.flatMap((run) => run.files),
  };
}
