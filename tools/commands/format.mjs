// npm run format: formats all code as the checks require.
import { bootstrap, runNx } from '../build/bootstrap.mjs';

await bootstrap();
process.exitCode = await runNx(['run', 'sheaf:format:write', '--skip-nx-cache', '--output-style=static'], { quiet: true });
