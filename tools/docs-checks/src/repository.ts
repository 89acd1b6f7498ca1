import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Repository, Subcommand } from './commands';
import type { Page } from './markdown';

export const root = join(__dirname, '../../..');

const skipped = new Set(['node_modules', 'dist', 'generated', '.git', '.nx', '.data']);

export function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* filesBelow(path);
    if (entry.isFile()) yield path;
  }
}

export const foldersOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const exists = (path: string): boolean => existsSync(join(root, path));

export const pages = (): Page[] => [...filesBelow('')].filter((path) => path.endsWith('.md')).map((path) => ({ path, text: read(path) }));

/** The parsed contents of all files with this name. */
const parsed = <T>(name: string): T[] =>
  [...filesBelow('')].filter((path) => basename(path) === name).map((path) => JSON.parse(read(path)) as T);

/** The scripts of package.json, as a page: they are checked like the commands of the documentation. */
export function scripts(): Page {
  const { scripts: named } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  return { path: 'package.json', text: ['```sh', ...Object.values(named), '```'].join('\n') };
}

export async function repository(): Promise<Repository> {
  const { scripts: named } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const projects = parsed<{ name: string; targets?: Record<string, unknown> }>('project.json');
  const collections = parsed<{ generators: Record<string, unknown> }>('generators.json');
  return {
    scripts: new Set(Object.keys(named)),
    targets: new Map(projects.map(({ name, targets = {} }) => [name, new Set(Object.keys(targets))])),
    generators: new Set(collections.flatMap(({ generators }) => Object.keys(generators))),
    sheaf: await operatorsTool(),
    hasProgram: (name) => exists(join('node_modules/.bin', name)) || isPublishedProgram(name),
    exists,
  };
}

/** Whether `npx` runs this package of ours once it is published. */
function isPublishedProgram(name: string): boolean {
  const manifest = join(name.replace(/^@sheaf\//, 'libs/'), 'package.json');
  return name.startsWith('@sheaf/') && exists(manifest) && 'bin' in (JSON.parse(read(manifest)) as object);
}

/** Imported by a computed path, so that the tool does not become a dependency. Builds its commands without running them. */
async function operatorsTool(): Promise<Subcommand> {
  const { toolProgram } = (await import(join(root, 'tools/sheaf/src/program'))) as { toolProgram: (world: unknown) => Subcommand };
  return toolProgram({ version: '0.0.0' });
}
