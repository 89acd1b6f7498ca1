// npm run affected: checks only what the changes since main affect, without end-to-end tests. `npm run affected -- --base=HEAD~1`.
import { bootstrap, runNx } from '../build/bootstrap.mjs';

await bootstrap();
process.exitCode = await runNx([
  'affected',
  '-t',
  'lint',
  'imports',
  'format',
  'typecheck',
  'test',
  'service-test',
  'screens',
  '--parallel=2',
  '--output-style=static',
  ...process.argv.slice(2),
]);
