#!/usr/bin/env node
// Stands in for npm while a guide is tested. It installs our own packages as they were built, because they are not published, and takes others from
// the repository's dependencies. A script of the reader's own project runs there, and all other commands run in the repository.
const { spawnSync } = require('node:child_process');
const { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } = require('node:fs');
const { delimiter, join } = require('node:path');

const { GUIDE_REPOSITORY: repository = '', PATH = '' } = process.env;
const [command = '', ...args] = process.argv.slice(2);

/** Runs the real npm, which comes after this one in PATH. */
function npm(args, options) {
  const env = { ...process.env, PATH: PATH.split(delimiter).slice(1).join(delimiter) };
  const { status } = spawnSync('npm', args, { stdio: 'inherit', env, ...options });
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Puts one of our own packages where npm would, with its programs. The real npm packs and installs them in `night/packages`; here it took four
 * seconds for each.
 */
function installOwn(name) {
  const folder = join('node_modules', name);
  cpSync(join(repository, 'dist/libs', name.slice('@sheaf/'.length)), folder, { recursive: true });
  const { bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  mkdirSync('node_modules/.bin', { recursive: true });
  for (const [program, file] of Object.entries(bin)) {
    chmodSync(join(folder, file), 0o755);
    symlinkSync(join('..', name, file), join('node_modules/.bin', program));
  }
}

const manifest = existsSync('package.json') ? JSON.parse(readFileSync('package.json', 'utf8')) : {};

if (command === 'install') {
  // Packages of others are in a folder above. Without names, npm would ask a registry about them.
  const wanted = args.length > 0 ? args : Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@sheaf/'));
  const missing = wanted.filter((name) => !name.startsWith('@sheaf/') && !existsSync(join(repository, 'node_modules', name)));
  if (missing.length > 0) npm(['install', '--offline', '--no-audit', '--no-fund', ...missing]);
  for (const name of wanted) if (name.startsWith('@sheaf/')) installOwn(name);
} else npm([command, ...args], manifest.scripts?.[command] === undefined ? { cwd: repository } : {});
