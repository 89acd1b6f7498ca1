import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { commandLine, diesWithParent, stopOrphan } from './orphans';
import { findPostgres, type PostgresBinaries } from './postgres-binaries';
import { run } from './run';
import { asCommand, type ServerProcess, startServerProcess } from './server-process';
import { type Identity, unprivileged } from './unprivileged';

const SUPERUSER = 'postgres';

export type PostgresOptions = {
  /** Created with a new cluster if it does not exist or is empty. The caller must ensure that no other process uses it. */
  dataDir: string;
  /** The TCP port on 127.0.0.1, the only way to connect. */
  port: number;
  /** Called with every line of the server's log. */
  onLine: (line: string) => void;
  /** Called once before a new cluster is created, which takes a second. */
  onInit?: () => void;
  signal?: AbortSignal;
} & (
  | {
      /** Persistent data: crash-safe, and everyone needs a password. */ durable: true;
      /** The superuser's password, set when the cluster is created. */ password: string;
    }
  | { /** Test data: fast, lost in a crash, and open to everyone on this machine. */ durable: false; password?: undefined }
);

export type Postgres = ServerProcess & {
  port: number;
  /** The superuser's URL of the database `postgres`, including the password. */
  url: string;
};

/** Starts a separate PostgreSQL, never as root, and returns when it accepts connections. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { port, durable, onLine, onInit, signal } = options;
  await mkdir(dirname(options.dataDir), { recursive: true });
  // Resolves links, because an orphan is recognized by this path.
  const dataDir = join(await realpath(dirname(options.dataDir)), basename(options.dataDir));
  const binaries = await findPostgres();
  const identity = await unprivileged(binaries.postgres, dirname(dataDir));

  if (await isEmpty(dataDir)) {
    onInit?.();
    await createCluster({ binaries, identity, dataDir, password: options.password, signal });
  }
  await refuseOtherMajor(dataDir, binaries);
  await stopOrphan(join(dataDir, 'postmaster.pid'), dataDir);
  await dropMisleadingPid(join(dataDir, 'postmaster.pid'));

  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    // The DETAIL of an error quotes the row, and rows contain people's answers.
    log_error_verbosity: 'terse',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', shared_buffers: '64MB' }),
  };
  const server = await startServerProcess({
    name: 'PostgreSQL',
    command: asCommand([
      ...identity.words,
      ...(await diesWithParent()),
      binaries.postgres,
      '-D',
      dataDir,
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ]),
    env: postgresEnv(),
    // A standby accepts read-only ones.
    ready: /database system is ready to accept (?:read-only )?connections/,
    // After a crash the server replays its log first.
    readyWithinMs: 60_000,
    // A fast shutdown ends sessions and writes all data; an immediate one leaves the rest to recovery at the next start.
    stopWith: [
      ['SIGINT', 10_000],
      ['SIGQUIT', 5_000],
    ],
    onLine,
    signal,
  });

  const secret = options.password === undefined ? '' : `:${encodeURIComponent(options.password)}`;
  return { ...server, port, url: `postgres://${SUPERUSER}${secret}@127.0.0.1:${port}/postgres` };
}

/**
 * How the files of a cluster must be so that `startPostgres` runs on them: the version that may have written them, and their owner, if it is not
 * the current user.
 * @param folder the absolute path of the folder above them
 */
export async function clusterRules(folder: string): Promise<{ major: number; owner: number | null }> {
  const { postgres } = await findPostgres();
  const { owner } = await unprivileged(postgres, folder);
  return { major: await majorOf(postgres), owner };
}

/**
 * A server does not read the files of another major version. It says so itself, but not what to do.
 * @throws Error that names both versions, and the way out
 */
async function refuseOtherMajor(dataDir: string, { postgres }: PostgresBinaries): Promise<void> {
  const written = Number.parseInt(await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(() => ''), 10);
  const own = await majorOf(postgres);
  if (Number.isNaN(written) || written === own) return;
  throw new Error(
    `${dataDir} was written by PostgreSQL ${written}, and this version of Sheaf brings PostgreSQL ${own}, which cannot read it. Nothing was changed. ` +
      `Start the version of Sheaf that you used before, or move the databases as deploy/README.md says (PostgreSQL’s major version).`,
  );
}

async function majorOf(postgres: string): Promise<number> {
  const version = await run([postgres, '--version'], { timeoutMs: 10_000, env: postgresEnv() });
  return Number.parseInt(/\d+/.exec(version)?.[0] ?? '', 10);
}

async function isEmpty(dataDir: string): Promise<boolean> {
  try {
    return (await readdir(dataDir)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

type NewCluster = {
  binaries: PostgresBinaries;
  identity: Identity;
  dataDir: string;
  password: string | undefined;
  signal: AbortSignal | undefined;
};

/** Creates the cluster in a temporary folder and renames it when it is complete, so that an interrupted start leaves no partial cluster. */
async function createCluster({ binaries, identity, dataDir, password, signal }: NewCluster): Promise<void> {
  const parent = dirname(dataDir);
  const prefix = `${basename(dataDir)}.new-`;
  for (const entry of await readdir(parent)) {
    if (entry.startsWith(prefix)) await rm(join(parent, entry), { recursive: true, force: true });
  }

  const workDir = join(parent, prefix + randomBytes(4).toString('hex'));
  const cluster = join(workDir, 'data');
  const passwordFile = join(workDir, 'password');
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  try {
    // Passed in a file, because every user can read command lines.
    await writeFile(passwordFile, password ?? '', { mode: 0o600 });
    if (identity.owner !== null) {
      for (const path of [workDir, cluster, passwordFile]) await chown(path, identity.owner, identity.owner);
    }
    const access = password === undefined ? ['--auth=trust', '--no-sync'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    await run(
      asCommand([
        ...identity.words,
        binaries.initdb,
        `--pgdata=${cluster}`,
        `--username=${SUPERUSER}`,
        ...access,
        '--encoding=UTF8',
        '--no-instructions',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
      ]),
      { timeoutMs: 60_000, env: postgresEnv(), signal },
    );
    await rm(dataDir, { recursive: true, force: true });
    await rename(cluster, dataDir);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/**
 * PostgreSQL refuses to start while the pid in its old pid file exists, whatever process has it now: after a container restart it is often an
 * unrelated process or a zombie. In that case the file is removed. Without such a process it must stay, because it tells PostgreSQL where to
 * look for sessions that outlived their server.
 */
async function dropMisleadingPid(pidFile: string): Promise<void> {
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!Number.isSafeInteger(pid) || !exists(pid)) return;
  if ((await commandLine(pid))?.includes('postgres') !== true) await rm(pidFile, { force: true });
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A clean environment: no PGDATA, no PGPASSWORD, and English messages, because we search for their text. */
function postgresEnv(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return { PATH, ...(TMPDIR ? { TMPDIR } : {}), LC_ALL: 'C', TZ: 'UTC' };
}
