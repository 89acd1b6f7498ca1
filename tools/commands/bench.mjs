// npm run bench: makes production builds, starts them on a separate data folder, runs load against them, and prints a table.
import { createRequire } from 'node:module';
import { apps } from '../build/apps.mjs';
import { bootstrap, build } from '../build/bootstrap.mjs';

await bootstrap();
await build([...apps, 'system', 'bench']);
createRequire(import.meta.url)('../../dist/tools/bench/main.cjs');
