// npm run sheaf -- <command>: the operator's tool.
import { createRequire } from 'node:module';
import { apps } from '../build/apps.mjs';
import { bootstrap, build } from '../build/bootstrap.mjs';

await bootstrap();
await build(['operator', ...apps], { silent: true });
createRequire(import.meta.url)('../../dist/tools/sheaf/main.cjs');
