#!/usr/bin/env node
// The `npm` of readers of the guides. It installs our packages from archives, because they are not published, and takes others from the
// repository's dependencies. Scripts run in the repository.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

const { GUIDE_ARCHIVES = '{}', GUIDE_REPOSITORY = '', PATH = '' } = process.env;
const [command = '', ...args] = process.argv.slice(2);

const exit = (options, ...args) => {
  const env = { ...process.env, PATH: PATH.split(delimiter).slice(1).join(delimiter) };
  process.exit(spawnSync('npm', args, { stdio: 'inherit', env, ...options }).status ?? 1);
};

if (command !== 'install') exit({ cwd: GUIDE_REPOSITORY }, command, ...args);
const archives = JSON.parse(GUIDE_ARCHIVES);
const wanted = args.filter((arg) => !existsSync(join(GUIDE_REPOSITORY, 'node_modules', arg)));
if (wanted.length > 0) exit({}, 'install', '--offline', '--no-audit', '--no-fund', ...wanted.map((arg) => archives[arg] ?? arg));
