import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNatsServer } from './find-nats-server';
import { diesWithParent, stopOrphan } from './orphans';
import { asCommand, type ServerProcess, startServerProcess } from './server-process';

/**
 * The server cannot write, because its disk is full. It then stores nothing until it is started again, even if there is room: one of a cluster
 * switches JetStream off, a single one fails to store each message.
 */
const hasNoStore = /no space left on device|JetStream out of .*will be DISABLED/;

export type NatsOptions = {
  /** The folder of the streams, the configuration and the pid file. The caller must ensure that no other process uses it. */
  storeDir: string;
  /** TCP port on 127.0.0.1. */
  port: number;
  user: string;
  password: string;
  onLine: (line: string) => void;
  /** The server to run; by default `findNatsServer` finds one. */
  binary?: string;
  signal?: AbortSignal;
};

export type Nats = ServerProcess & {
  port: number;
  /** Contains user and password. The client library does not read them from the URL: pass them as `user` and `pass`. */
  url: string;
};

/**
 * Starts a nats-server with JetStream and returns when it accepts connections. It ends when it loses its store: whoever supervises it starts it
 * again, which fails until there is room.
 */
export async function startNats(options: NatsOptions): Promise<Nats> {
  const { storeDir, port, user, password, onLine, signal } = options;
  const binary = options.binary ?? (await findNatsServer({ onProgress: onLine, ...(signal ? { signal } : {}) }));
  await mkdir(storeDir, { recursive: true, mode: 0o700 });
  const configFile = join(storeDir, 'nats-server.conf');
  const pidFile = join(storeDir, 'nats-server.pid');
  await stopOrphan(pidFile, configFile);
  await writeFile(configFile, configuration({ storeDir, port, user, password, pidFile }), { mode: 0o600 });

  const storeLost = new AbortController();
  const server = await startServerProcess({
    name: 'nats-server',
    command: asCommand([...(await diesWithParent()), binary, '-c', configFile]),
    env: { PATH: process.env.PATH, ...(process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}), TZ: 'UTC' },
    ready: /Server is ready/,
    // The server reads its streams before it is ready.
    readyWithinMs: 30_000,
    // SIGTERM works too, but exits with 1.
    stopWith: [['SIGINT', 10_000]],
    onLine(line) {
      onLine(line);
      if (hasNoStore.test(line)) storeLost.abort();
    },
    signal,
  });
  if (storeLost.signal.aborted) await server.stop();
  else storeLost.signal.addEventListener('abort', () => void server.stop(), { once: true });
  return { ...server, port, url: `nats://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}` };
}

type Configuration = Pick<NatsOptions, 'storeDir' | 'port' | 'user' | 'password'> & { pidFile: string };

/** Writes the configuration to a private file, because every user can read command lines. Requires nats-server 2.9. */
export function configuration({ storeDir, port, user, password, pidFile }: Configuration): string {
  // Strings have the same syntax as in JSON.
  const text = (value: string) => JSON.stringify(value);
  return [
    `listen: ${text(`127.0.0.1:${port}`)}`,
    // The size of the stream limits what is stored. By default the server refuses a stream of more than three quarters of what is free when it
    // starts, and no event would ever be published.
    `jetstream { store_dir: ${text(join(storeDir, 'jetstream'))}, max_file_store: 1TB }`,
    `authorization { user: ${text(user)}, password: ${text(password)} }`,
    // The largest submission with its envelope exceeds the default of 1 MiB.
    'max_payload: 8MB',
    `pid_file: ${text(pidFile)}`,
    'logtime: false',
    '',
  ].join('\n');
}
