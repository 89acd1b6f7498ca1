// npm run xlsforms -- <folder>: reads every XLSForm of a folder as the service would, and prints what an import keeps and loses.
import { createRequire } from 'node:module';
import { bootstrap, build } from '../build/bootstrap.mjs';

await bootstrap();
await build(['forms', 'xlsforms'], { silent: true });
createRequire(import.meta.url)('../../dist/tools/xlsforms/main.cjs');
