// Writes docs/openapi.json from the gateway's table of routes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource, root } from './load-source.mjs';

const { currentDocument } = await loadSource(`export { currentDocument } from './apps/gateway/src/openapi/current';`);
writeFileSync(join(root, 'docs/openapi.json'), currentDocument());
console.log('apps/gateway/src/routes → docs/openapi.json');
