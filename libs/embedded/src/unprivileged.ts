import { works } from './run';
import { type Command } from './server-process';

const NOBODY = 65_534;

export type Identity = {
  /** Words to put before a command so that it does not run as root. */
  words: string[];
  /** Who must own the data directory, where that is not the user who runs us. */
  owner: number | null;
};

/**
 * How to run a program that refuses root, as PostgreSQL does. An ordinary user just runs it. Root has three ways; the first that
 * this machine allows is taken:
 * 1. a user namespace in which root is called nobody: files stay root's, and no such user has to exist;
 * 2. (containers mostly block that) the real user nobody, where it can reach the program and the data;
 * 3. nobody with the right to pass closed folders, for a checkout under /root. It can then do no more than under 1.
 *
 * @param program an absolute path that it has to be able to run
 * @param folder an absolute path that it has to be able to enter
 */
export async function unprivileged(program: string, folder: string): Promise<Identity> {
  if (process.getuid?.() !== 0) return { words: [], owner: null };

  const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const;
  // Without the securebit, access(2) would not count the right, and initdb asks by access(2) for its files.
  const passesFolders = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'] as const;
  const ways: { words: [string, ...string[]]; owner: number | null }[] = [
    { words: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'], owner: null },
    { words: [...asNobody, '--'], owner: NOBODY },
    { words: [...asNobody, ...passesFolders, '--'], owner: NOBODY },
  ];
  for (const { words, owner } of ways) {
    const reaches: Command = [...words, 'test', '-x', program, '-a', '-x', folder];
    if (await works(reaches)) return { words, owner };
  }
  throw new Error('PostgreSQL does not run as root, and this machine allows neither user namespaces nor a change of user. Start Sheaf as an ordinary user, or set DATABASE_URL to a server of your own.');
}
