import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startPostgres, type Postgres } from '@sheaf/embedded';
import { eventually, Person, startSubscriber, System, type Subscriber } from '@sheaf/testing';

// A real PgBouncer in transaction mode, older than the first that keeps prepared statements: the hardest one to live with.

let folder: string;
let postgres: Postgres;
let pooler: ChildProcess;
let pooled: string;
let subscriber: Subscriber;
let system: System | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-pgbouncer-'));
  chmodSync(folder, 0o755);
  const [serverPort = 0, port = 0] = await freePorts(2);
  const password = 'admin';
  postgres = await startPostgres({ dataDir: join(folder, 'postgres'), port: serverPort, durable: true, password, onLine: () => undefined });
  pooler = await startPooler({ port, serverPort, password });
  pooled = `postgres://postgres:${password}@127.0.0.1:${port}/pooled`;
  subscriber = await startSubscriber();
});
afterAll(async () => {
  await system?.stop();
  await subscriber.close();
  pooler.kill('SIGKILL');
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

/** The PgBouncer on PATH, else Debian's package, unpacked beside the libraries that it brings. */
function program(): { file: string; libraries: string } {
  const onPath = (process.env.PATH ?? '')
    .split(':')
    .concat('/usr/sbin')
    .map((path) => join(path, 'pgbouncer'));
  const installed = onPath.find((file) => works(file, ''));
  if (installed !== undefined) return { file: installed, libraries: '' };
  const packages = join(folder, 'packages');
  mkdirSync(packages);
  try {
    execFileSync('apt-get', ['--quiet=2', '-o', 'APT::Sandbox::User=', 'download', 'pgbouncer', 'libevent-2.1-7', 'libc-ares2'], {
      cwd: packages,
    });
    for (const file of readdirSync(packages)) execFileSync('dpkg-deb', ['-x', file, '.'], { cwd: packages });
  } catch (cause) {
    throw new Error('This test needs PgBouncer: install it (Debian: apt-get install pgbouncer), or let apt-get download it.', { cause });
  }
  const [triple = ''] = readdirSync(join(packages, 'usr/lib')).filter((name) => name.includes('linux-gnu'));
  return { file: join(packages, 'usr/sbin/pgbouncer'), libraries: join(packages, 'usr/lib', triple) };
}

function works(file: string, libraries: string): boolean {
  try {
    execFileSync(file, ['--version'], { env: { LD_LIBRARY_PATH: libraries }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function startPooler({ port, serverPort, password }: { port: number; serverPort: number; password: string }): Promise<ChildProcess> {
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"postgres" "${password}"\n`);
  const config = join(folder, 'pgbouncer.ini');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    pool_mode: 'transaction',
    auth_type: 'scram-sha-256',
    auth_file: users,
    auth_user: 'postgres',
    max_client_conn: 500,
    default_pool_size: 12,
    ...(process.getuid?.() === 0 ? { user: 'nobody' } : {}),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(config, ['[databases]', `* = host=127.0.0.1 port=${serverPort}`, '[pgbouncer]', ...lines, ''].join('\n'));
  const { file, libraries } = program();
  const child = spawn(file, [config], { env: { LD_LIBRARY_PATH: libraries }, stdio: 'ignore' });
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });
  return child;
}

const start = (dataDir: string) =>
  System.start(dataDir, { DATABASE_URL: pooled, DATABASE_STARTUP_SETTINGS: 'false', DATABASE_NAMED_STATEMENTS: 'false' });

it('Sheaf starts, collects, delivers and starts again through PgBouncer in transaction mode', async () => {
  const dataDir = join(folder, 'data');
  system = await start(dataDir);
  const owner = new Person(system.origin).with(system.credentials.api_key);
  const { id } = (await owner.post('/api/v1/forms', { title: 'Pooled' })).body as { id: string };
  await owner.put(`/app/v1/forms/${id}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  expect(await owner.post(`/api/v1/forms/${id}/publish`)).toMatchObject({ status: 200 });
  await owner.post('/api/v1/hooks/subscribe', { form_id: id, target_url: subscriber.url, event: 'submission.created', source: 'zapier' });
  const submit = async () => {
    const reply = await owner.post(`/public/v1/forms/${id}/submissions`, { data: { name: 'Ada' } });
    expect(reply).toMatchObject({ status: 201 });
    return (reply.body as { id: string }).id;
  };
  const received = () => subscriber.received.map(({ body }) => (JSON.parse(body) as { submission: { id: string } }).submission.id);
  const ids = await Promise.all(Array.from({ length: 30 }, submit));
  await eventually(() => expect(received().sort()).toEqual([...ids].sort()));

  expect(await system.stop()).toBe(0);
  system = await start(dataDir);
  const again = new Person(system.origin).with(system.credentials.api_key);
  expect((await again.get(`/api/v1/forms/${id}/submissions`)).body).toMatchObject({ total: 30 });
});
