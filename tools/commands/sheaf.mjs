// npm run sheaf -- <command>: the operator's tool.
import { createRequire } from 'node:module';
import { bootstrap, build } from '../build/bootstrap.mjs';

await bootstrap();
await build(['operator', 'gateway', 'workspaces', 'forms', 'submissions', 'hooks', 'delivery'], { silent: true });
createRequire(import.meta.url)('../../dist/tools/sheaf/main.cjs');
