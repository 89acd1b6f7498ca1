// Generates the NATS users and their permissions from the senders and consumers that libs/contracts declares for each event.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bundle = join(root, 'dist/deploy-checks/nats-users.cjs');
const file = 'deploy/platform/nats/users.conf';

await build({
  absWorkingDir: root,
  entryPoints: ['tools/deploy-checks/src/nats-users.ts'],
  outfile: bundle,
  tsconfig: 'tsconfig.base.json',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  packages: 'external',
  logLevel: 'warning',
});
writeFileSync(join(root, file), createRequire(import.meta.url)(bundle).natsUsers());
console.log(`libs/events/src/stream/permissions.ts → ${file}`);
