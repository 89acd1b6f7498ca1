// npm start: dependencies, build, and then all of Sheaf in the foreground, in this very process, so that Ctrl-C has one receiver.
import { createRequire } from 'node:module';
import { bootstrap, build } from '../build/bootstrap.mjs';

await bootstrap();
await build(['gateway', 'workspaces', 'forms', 'submissions', 'hooks', 'delivery', 'system']);
createRequire(import.meta.url)('../../dist/tools/system/main.cjs');
