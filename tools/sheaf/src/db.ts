// npm run db: SQL on the database of a service.
import { resolve } from 'node:path';
import { readDbOptions } from './db/options';
import { openPrompt } from './db/prompt';
import { runStatement } from './db/statement';
import { Failure } from './failure';
import { settingsFor } from './running-system';

const root = resolve(__dirname, '../../..');
const print = (text: string) => void process.stdout.write(`${text}\n`);
const printError = (text: string) => void process.stderr.write(`${text}\n`);

async function main(): Promise<number> {
  const options = readDbOptions(process.argv.slice(2), { print, printError });
  if ('exitCode' in options) return options.exitCode;
  const { service, statement, write } = options;
  try {
    const { DATABASE_URL: url = '' } = await settingsFor(service, {
      env: process.env,
      dataDir: resolve(root, process.env.DATA_DIR ?? '.data'),
      asOwner: false,
    });
    if (statement === undefined) return await openPrompt(url, { write, env: process.env });
    print(await runStatement(url, statement, { write }));
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    printError(error.message);
    return error.exitCode;
  }
}

main().then(
  (code) => void (process.exitCode = code),
  (error: unknown) => {
    printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  },
);
