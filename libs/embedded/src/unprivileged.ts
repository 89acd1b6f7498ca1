import { works } from './run';
import { type Command } from './server-process';

const NOBODY = 65_534;

export type Identity = {
  /** A command prefix that makes a program run without root. */
  words: string[];
  /** The required owner of the data directory, if it is not the current user. */
  owner: number | null;
};

/**
 * Determines how to run a program that refuses root, as PostgreSQL does. An ordinary user runs it directly. For root there are three ways, and
 * the first one that this machine allows is used:
 * 1. a user namespace that maps root to `nobody`: files still belong to root, and the user need not exist;
 * 2. the real user `nobody`, if it can reach the program and the data (containers usually block the first way);
 * 3. `nobody` with the capability to enter closed folders, for a checkout under /root. It has no more rights than in the first way.
 *
 * @param program the absolute path of the program to run
 * @param folder the absolute path of a folder that it must be able to enter
 */
export async function unprivileged(program: string, folder: string): Promise<Identity> {
  if (process.getuid?.() !== 0) return { words: [], owner: null };

  const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const;
  // Without the securebit, access(2) would ignore the capability, and initdb checks its files with access(2).
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
  throw new Error(
    'PostgreSQL does not run as root, and this machine allows neither user namespaces nor a change of user. ' +
      'Start Sheaf as an ordinary user, or set DATABASE_URL to use your own server.',
  );
}
