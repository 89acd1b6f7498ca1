import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '../../..');

/** The names below `@sheaf/` of the packages that are published: the libraries with a package.json. */
export const publishedPackages = (): string[] =>
  readdirSync(join(root, 'libs'))
    .filter((name) => existsSync(join(root, 'libs', name, 'package.json')))
    .sort();

/** Packs a built package into a folder. @returns the path of the archive */
export async function packed(name: string, folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: join(root, 'dist/libs', name),
    timeout: 240_000,
  });
  const [archive] = JSON.parse(stdout) as { filename: string }[];
  if (!archive) throw new Error(`npm pack packed nothing: ${stdout}`);
  return join(folder, archive.filename);
}

/** Installs archives into a folder. Offline, so this fails if a package depends on anything. */
export async function installInto(folder: string, archives: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-save', ...archives], { cwd: folder, timeout: 240_000 });
}

/** A folder that has nothing but packages of ours in it, as a user of them gets them from the registry. */
export interface EmptyProject {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function emptyProjectWith(...names: string[]): Promise<EmptyProject> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-package-'));
  const archives = await Promise.all(names.map((name) => packed(name, folder)));
  await installInto(folder, archives);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The versions of Node that published packages support. */
export const supportedNodes = [20, 22, 24] as const;

/** The executable of a Node of this major version: the one that runs, or one from the registry, kept in our cache. */
export async function nodeExecutable(major: (typeof supportedNodes)[number]): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const { stdout } = await run(process.execPath, [join(root, 'tools/build/fetch-node.mjs'), String(major)], { timeout: 300_000 });
  return join(stdout.trim(), 'node');
}

/** Runs a module in a folder under a Deno from the registry, kept in our cache. @returns its output */
export async function runInDeno(folder: string, code: string): Promise<string> {
  const fetched = await run(process.execPath, [join(root, 'tools/build/fetch-deno.mjs')], { timeout: 300_000 });
  await writeFile(join(folder, 'deno.mjs'), code);
  // Without a network but ours: Deno would look for a newer version of itself.
  const env = { ...process.env, DENO_DIR: join(folder, '.deno'), DENO_NO_UPDATE_CHECK: '1' };
  const args = ['run', '--quiet', '--no-remote', '--node-modules-dir=manual', '--allow-net', 'deno.mjs'];
  const { stdout } = await run(join(fetched.stdout.trim(), 'deno'), args, { cwd: folder, env });
  return stdout;
}

/** Serves the files of a folder to a browser, and an empty page at `/`. */
export async function serveFolder(folder: string): Promise<{ origin: string; close(): Promise<void> }> {
  const types: Record<string, string> = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json' };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (path === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Empty</title>');
    if (path === '/favicon.ico') return void response.writeHead(204).end();
    readFile(join(folder, path)).then(
      (content) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
