import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Failure } from '../failure';
import { sessionOptions } from './statement';

/** The arguments and environment for psql. The password goes into the environment, because every user on the machine can read arguments. */
export function psqlCall(url: string, { write }: { write: boolean }): { args: string[]; env: NodeJS.ProcessEnv } {
  const target = new URL(url);
  const password = decodeURIComponent(target.password);
  target.password = '';
  return {
    args: [target.href],
    env: { ...(password === '' ? {} : { PGPASSWORD: password }), PGOPTIONS: sessionOptions(write), PGAPPNAME: 'sheaf db' },
  };
}

/** Opens psql on this terminal. @returns its exit code. @throws Failure with installation advice if psql is missing */
export async function openPrompt(url: string, { write, env }: { write: boolean; env: NodeJS.ProcessEnv }): Promise<number> {
  const call = psqlCall(url, { write });
  // Ctrl-C cancels the statement in psql, not psql itself.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const psql = spawn('psql', call.args, { stdio: 'inherit', env: { ...env, ...call.env } });
    const [code] = (await once(psql, 'close')) as [number | null];
    return code ?? 1;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Failure('not_found', psqlMissing, 1, { cause: error });
    throw error;
  } finally {
    process.off('SIGINT', ignore);
  }
}

export const psqlMissing = [
  'The prompt needs psql, PostgreSQL’s client, which is not on PATH:',
  '  Debian, Ubuntu  apt install postgresql-client',
  '  macOS           brew install libpq && brew link --force libpq',
  'A single statement works without it: npm run db -- forms -c "select 1"',
].join('\n');
