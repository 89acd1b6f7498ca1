// npm run demo: plays a new user's first hour against the system that `npm start` runs in another terminal.
import { createRequire } from 'node:module';
import { bootstrap, build } from '../build/bootstrap.mjs';

await bootstrap();
await build(['demo']);
createRequire(import.meta.url)('../../dist/tools/demo/main.cjs');
