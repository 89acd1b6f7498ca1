// npm run bench: builds everything as it is delivered, starts it on a folder of its own, loads it, and prints a table.
import { createRequire } from 'node:module';
import { bootstrap, build } from '../build/bootstrap.mjs';

await bootstrap();
await build(['gateway', 'workspaces', 'forms', 'submissions', 'hooks', 'delivery', 'system', 'bench']);
createRequire(import.meta.url)('../../dist/tools/bench/main.cjs');
