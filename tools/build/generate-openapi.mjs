// Writes docs/openapi.json from the gateway's table of routes.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bundle = join(root, 'dist/openapi/current.cjs');

await build({
  absWorkingDir: root,
  entryPoints: ['apps/gateway/src/openapi/current.ts'],
  outfile: bundle,
  tsconfig: 'tsconfig.base.json',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  packages: 'external',
  logLevel: 'warning',
});
writeFileSync(join(root, 'docs/openapi.json'), createRequire(import.meta.url)(bundle).currentDocument());
console.log('apps/gateway/src/routes → docs/openapi.json');
