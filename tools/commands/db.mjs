// npm run db -- <service>: SQL on the database of a service of the running system.
import { createRequire } from 'node:module';
import { bootstrap, build } from '../build/bootstrap.mjs';

await bootstrap();
await build(['operator'], { silent: true });
createRequire(import.meta.url)('../../dist/tools/sheaf/db.cjs');
