// Records the interfaces of this version as the baseline with which later versions must stay compatible. Run it after a release is
// deployed everywhere: deploy/README.md, "Compatibility".
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadSource, root } from '../build/load-source.mjs';

const file = 'deploy/compatibility/accepted.json';
const { currentAgreement, events } = await loadSource(
  `export { currentAgreement } from './tools/deploy-checks/src/compatibility/current'; export * as events from './libs/contracts/src/events';`,
);
mkdirSync(join(root, dirname(file)), { recursive: true });
writeFileSync(join(root, file), `${JSON.stringify(currentAgreement(root, events), undefined, 1)}\n`);
console.log(`proto and libs/contracts/src/events.ts → ${file}`);
