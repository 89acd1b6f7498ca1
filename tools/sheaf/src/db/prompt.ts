import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Failure } from '../failure';
import { sessionOptions } from './statement';

/** How psql is called: the password is in the environment, as everybody on the machine can read arguments. */
export function psqlCall(url: string, { write }: { write: boolean }): { args: string[]; env: NodeJS.ProcessEnv } {
  const target = new URL(url);
  const password = decodeURIComponent(target.password);
  target.password = '';
  return {
    args: [target.href],
    env: { ...(password === '' ? {} : { PGPASSWORD: password }), PGOPTIONS: sessionOptions(write), PGAPPNAME: 'sheaf db' },
  };
}

/** Opens psql on this terminal. @returns its exit code. @throws Failure that says how to get psql where there is none */
export async function openPrompt(url: string, { write, env }: { write: boolean; env: NodeJS.ProcessEnv }): Promise<number> {
  const call = psqlCall(url, { write });
  // psql ends a statement at Ctrl-C, and not itself.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const psql = spawn('psql', call.args, { stdio: 'inherit', env: { ...env, ...call.env } });
    const [code] = (await once(psql, 'close')) as [number | null];
    return code ?? 1;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Failure('not_found', withoutPsql, 1, { cause: error });
    throw error;
  } finally {
    process.off('SIGINT', ignore);
  }
}

export const withoutPsql = [
  'The prompt needs psql, PostgreSQL’s client, which is not on PATH:',
  '  Debian, Ubuntu  apt install postgresql-client',
  '  macOS           brew install libpq && brew link --force libpq',
  'A single statement works without it: npm run db -- forms -c "select 1"',
].join('\n');
