import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { emptyProjectWith, packed, publishedPackages } from '@sheaf/testing';

const run = promisify(execFile);
const root = join(__dirname, '../../../..');

/** Runs a program of the repository's dependencies. @returns its complaints; undefined if it has none */
async function complaintsOf(program: string, ...args: string[]): Promise<string | undefined> {
  try {
    await run(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: root, timeout: 240_000 });
    return undefined;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return stdout + stderr;
  }
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-published-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const isProgram = (name: string) => 'bin' in (JSON.parse(readFileSync(join(root, 'libs', name, 'package.json'), 'utf8')) as object);
const [programs, libraries] = [publishedPackages().filter(isProgram), publishedPackages().filter((name) => !isProgram(name))];

describe.each(libraries)('The library @sheaf/%s', (name) => {
  it('has types that every kind of module resolution finds', async () => {
    expect(await complaintsOf('@arethetypeswrong/cli/dist/index.js', await packed(name, folder))).toBeUndefined();
  });

  it('contains nothing but its modules, their types, a README and a licence', async () => {
    const paths = await filesOf(name);
    expect(paths).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'index.js', 'index.cjs', 'index.d.ts', 'index.d.cts']),
    );
    expect(paths.filter((path) => !/^(?:LICENSE|README\.md|package\.json|[\w./-]+\.(?:c?js|d\.c?ts))$/.test(path))).toEqual([]);
  });
});

describe.each(programs)('The program @sheaf/%s', (name) => {
  it('is one file, with the licences of what is in it', async () => {
    expect((await filesOf(name)).sort()).toEqual(['LICENSE', 'LICENSES.txt', 'README.md', 'main.cjs', 'package.json']);
    const licences = await readFile(join(root, 'dist/libs', name, 'LICENSES.txt'), 'utf8');
    expect(
      licences.match(/^\S+ \d+\.\d+\.\d+ \(.*\)$/gm)?.filter((line) => !/\((?:MIT|ISC|BSD-2-Clause|BSD-3-Clause)\)$/.test(line)),
    ).toEqual([]);
  });

  it('runs from an empty folder, and says how it is used', async () => {
    const project = await emptyProjectWith(name);
    try {
      const { stdout } = await run('npx', ['--offline', `@sheaf/${name}`, '--help'], { cwd: project.folder });
      expect(stdout).toContain(`npx @sheaf/${name}`);
    } finally {
      await project.remove();
    }
  });
});

describe.each(publishedPackages())('The package @sheaf/%s', (name) => {
  const built = join(root, 'dist/libs', name);

  it('is complete and consistent', async () => {
    expect(await complaintsOf('publint/src/cli.js', 'run', built, '--strict')).toBeUndefined();
  });

  it('says what its users must know, and depends on nothing', async () => {
    const manifest = JSON.parse(await readFile(join(built, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name: `@sheaf/${name}`,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      license: 'MIT',
      sideEffects: false,
      engines: { node: expect.stringMatching(/^>=20/) as string },
      repository: { type: 'git', directory: `libs/${name}` },
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('peerDependencies');
  });
});

async function filesOf(name: string): Promise<string[]> {
  const { stdout } = await run('npm', ['pack', '--json', '--dry-run'], { cwd: join(root, 'dist/libs', name) });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}
