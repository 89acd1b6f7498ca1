// Records the interfaces of this version as the baseline with which later versions must stay compatible. Run it after a release is
// deployed everywhere: deploy/README.md, "Compatibility".
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bundle = join(root, 'dist/deploy-checks/current.cjs');
const file = 'deploy/compatibility/accepted.json';

await build({
  absWorkingDir: root,
  stdin: {
    contents: `export { currentAgreement } from './tools/deploy-checks/src/compatibility/current'; export * as events from './libs/contracts/src/events';`,
    resolveDir: root,
  },
  outfile: bundle,
  tsconfig: 'tsconfig.base.json',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  packages: 'external',
  logLevel: 'warning',
});
const { currentAgreement, events } = createRequire(import.meta.url)(bundle);
mkdirSync(join(root, dirname(file)), { recursive: true });
writeFileSync(join(root, file), `${JSON.stringify(currentAgreement(root, events), undefined, 1)}\n`);
console.log(`proto and libs/contracts/src/events.ts → ${file}`);
