// npm start: installs, builds, then runs all of Sheaf in the foreground, in this process, so that only one process handles Ctrl-C.
import { createRequire } from 'node:module';
import { apps } from '../build/apps.mjs';
import { bootstrap, build } from '../build/bootstrap.mjs';

await bootstrap();
// Their commands, such as migrations, are in the bundles of the single apps.
await build([...apps, ...(process.env.PROCESSES === 'one' ? ['all'] : []), 'system']);
createRequire(import.meta.url)('../../dist/tools/system/main.cjs');
