#!/usr/bin/env node
// Stands in for npm while a guide is tested. It packs and installs our own packages, because they are not published, and takes others from the
// repository's dependencies. A script of the reader's own project runs there, and all other commands run in the repository.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, readFileSync } = require('node:fs');
const { delimiter, join } = require('node:path');

const { GUIDE_REPOSITORY: repository = '', PATH = '' } = process.env;
const [command = '', ...args] = process.argv.slice(2);

/** Runs the real npm, which comes after this one in PATH. @returns its output if that is not inherited */
function npm(args, options) {
  const env = { ...process.env, PATH: PATH.split(delimiter).slice(1).join(delimiter) };
  const { status, stdout } = spawnSync('npm', args, { stdio: 'inherit', encoding: 'utf8', env, ...options });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

function archiveOf(name) {
  const options = ['--json', '--ignore-scripts', '--pack-destination', process.cwd()];
  const [{ filename }] = JSON.parse(
    npm(['pack', join(repository, 'dist/libs', name), ...options], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  return `./${filename}`;
}

const manifest = existsSync('package.json') ? JSON.parse(readFileSync('package.json', 'utf8')) : {};

if (command === 'install' && args.length === 0) {
  // Into a project with packages of others too, which are in a folder above, and which npm would ask a registry about.
  for (const name of Object.keys(manifest.dependencies ?? {}).filter((wanted) => wanted.startsWith('@sheaf/'))) {
    const folder = join('node_modules', name);
    mkdirSync(folder, { recursive: true });
    spawnSync('tar', ['--extract', '--file', archiveOf(name.slice('@sheaf/'.length)), '--strip-components', '1', '--directory', folder]);
  }
} else if (command === 'install') {
  const wanted = args.filter((arg) => !existsSync(join(repository, 'node_modules', arg)));
  const archives = wanted.map((arg) => (arg.startsWith('@sheaf/') ? archiveOf(arg.slice('@sheaf/'.length)) : arg));
  if (archives.length > 0) npm(['install', '--offline', '--no-audit', '--no-fund', ...archives]);
} else npm([command, ...args], manifest.scripts?.[command] === undefined ? { cwd: repository } : {});
