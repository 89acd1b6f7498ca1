// npm run format: writes all code in the one format that the checks ask for.
import { bootstrap, runNx } from '../build/bootstrap.mjs';

await bootstrap();
process.exitCode = await runNx(['run', 'sheaf:format:write', '--skip-nx-cache', '--output-style=static'], { quiet: true });
