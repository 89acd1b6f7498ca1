import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import { findNatsServer, freePorts, type ServerProcess, startNats, startPostgres } from './index';

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

let folder: string;
const started: ServerProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-servers-'));
});
afterEach(async () => {
  // Servers that a failed test did not stop.
  for (const server of started.splice(0)) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const ask = async (url: string, sql: string): Promise<unknown> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

describe('PostgreSQL', () => {
  const start = async (options: { durable: true; password: string } | { durable: false }) => {
    const [port = 0] = await freePorts(1);
    const server = await startPostgres({ dataDir: join(folder, 'postgres'), port, onLine: () => undefined, ...options });
    started.push(server);
    return server;
  };

  it('runs a test cluster that answers at once and leaves no process', async () => {
    const server = await start({ durable: false });
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);

    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('refuses the data of another major version before it touches them, and says what to do', async () => {
    await (await start({ durable: false })).stop();
    const version = join(folder, 'postgres/PG_VERSION');
    const own = Number(await readFile(version, 'utf8'));
    await writeFile(version, `${own - 1}\n`);
    await expect(start({ durable: false })).rejects.toThrow(
      new RegExp(
        `was written by PostgreSQL ${own - 1}, and this version of Sheaf brings PostgreSQL ${own}, .* Nothing was changed. Start the version`,
      ),
    );
    await writeFile(version, `${own}\n`);
    expect(await ask((await start({ durable: false })).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('keeps its data, requires the password, and starts again after its server was killed', async () => {
    const first = await start({ durable: true, password: 'open/sesame' });
    await ask(first.url, 'create table kept as select 7 as value');
    await expect(ask(first.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed');
    first.kill();
    await first.exited;

    const second = await start({ durable: true, password: 'open/sesame' });
    expect(await ask(second.url, 'select value from kept')).toEqual([{ value: 7 }]);
    await second.stop();
  });

  it('stops the server that an earlier launcher left behind', async () => {
    const orphan = await start({ durable: false });
    const next = await start({ durable: false });

    expect(isAlive(orphan.pid)).toBe(false);
    await next.stop();
  });

  it('reports why it cannot start', async () => {
    const running = await start({ durable: false });
    const other = startPostgres({ dataDir: join(folder, 'other'), port: running.port, durable: false, onLine: () => undefined });

    await expect(other).rejects.toThrow(/could not bind IPv4 address/);
    await running.stop();
  });
});

it.each([
  ['switches its store off', 'JetStream out of space, will be DISABLED'],
  ['cannot store a message', "JetStream failed to store a msg on stream 'EVENTS': write 1.blk: no space left on device"],
])('a nats-server that %s, because its disk is full, ends, so that it is started again', async (_, line) => {
  const [port = 0] = await freePorts(1);
  const binary = join(folder, 'nats-server');
  await writeFile(binary, `#!/bin/sh\necho Server is ready\necho "${line}"\nexec sleep 60\n`, { mode: 0o755 });
  const server = await startNats({
    storeDir: join(folder, 'nats'),
    port,
    user: 'sheaf',
    password: 'secret',
    binary,
    onLine: () => undefined,
  });
  started.push(server);
  expect(await server.exited).toEqual({ code: null, signal: 'SIGINT' });
});

it('runs a nats-server that accepts a JetStream message only with the password, and leaves no process', async () => {
  const [port = 0] = await freePorts(1);
  const binary = await findNatsServer({ onProgress: () => undefined });
  const secrets = { user: 'sheaf', password: 'a "quoted" \\ secret' };
  const server = await startNats({ storeDir: join(folder, 'nats'), port, ...secrets, binary, onLine: () => undefined });
  started.push(server);
  expect((await stat(join(folder, 'nats/nats-server.conf'))).mode & 0o777).toBe(0o600);
  await expect(connect({ servers: `127.0.0.1:${port}`, reconnect: false })).rejects.toThrow(/authorization/i);

  const connection = await connect({ servers: `127.0.0.1:${port}`, user: secrets.user, pass: secrets.password });
  await (await jetstreamManager(connection)).streams.add({ name: 'events', subjects: ['events.>'] });
  const ack = await jetstream(connection).publish('events.one', 'hello');
  expect(ack.seq).toBe(1);
  await connection.close();

  await server.stop();
  expect(isAlive(server.pid)).toBe(false);
  expect(await server.exited).toEqual({ code: 0, signal: null });
});
