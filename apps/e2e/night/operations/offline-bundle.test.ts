import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

// The bundle of a release is for machines without a network. A network namespace of its own gives the test such a machine.

const run = promisify(execFile);
const root = join(__dirname, '../../../..');
/** Without root, a user namespace gives the right to a network namespace. */
const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const minutes = 60_000;

let folder: string;
let bundle: string;
let launcher: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-offline-'));
  // --any-nats: machines without GitHub test with the nats-server that they have.
  await run(process.execPath, ['tools/release/release.mjs', 'offline', folder, '--any-nats'], { cwd: root, timeout: 5 * minutes });
  const [archive = ''] = await readdir(folder);
  await run('tar', ['-xzf', archive], { cwd: folder });
  bundle = join(folder, archive.replace('.tar.gz', ''));
  await mkdir(join(folder, 'home'));
});
afterAll(async () => {
  if (launcher?.exitCode === null) {
    launcher.kill('SIGTERM');
    await once(launcher, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

it('every file has the checksum that the bundle says', async () => {
  await run('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: bundle });
  await run('sh', ['-c', 'echo changed >> LICENSE'], { cwd: bundle });
  await expect(run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: bundle })).rejects.toMatchObject({ code: 1 });
});

it('starts in an empty folder without a network, takes submissions and delivers them', async () => {
  // Nothing of this machine's caches and packages.
  const env = { PATH: process.env.PATH, HOME: join(folder, 'home'), npm_config_registry: 'http://127.0.0.1:1' };
  const start = ['sh', '-c', 'ip link set lo up && exec npm start'];
  launcher = spawn('unshare', ['--net', ...asUser, ...start], { cwd: bundle, env, stdio: ['ignore', 'pipe', 'pipe'] });
  await saysReady(launcher);

  const inside = ['--target', String(launcher.pid), '--net', ...(asUser.length > 0 ? ['--user', '--preserve-credentials'] : [])];
  const within = (...command: string[]) => run('nsenter', [...inside, ...command], { cwd: bundle, env, timeout: 5 * minutes });
  const reaches = `fetch("http://192.0.2.1").then(() => "a network", ({ cause }) => cause.code).then(console.log)`;
  expect((await within('node', '--eval', reaches)).stdout).toBe('ENETUNREACH\n');
  expect((await within('npm', 'run', '-s', 'demo')).stdout).toMatch(/Delivered more than once *│ 0 /);
  const { stdout } = await within('npm', 'run', '-s', 'sheaf', '--', 'versions', '--json');
  const { data } = JSON.parse(stdout) as { data: { version: string }[] };
  expect(new Set(data.map(({ version }) => version))).toEqual(
    new Set([(await within('npm', 'run', '-s', 'sheaf', '--', '--version')).stdout.trim()]),
  );
});

/** @throws Error with what the launcher said, if it ends instead */
async function saysReady(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const take = (text: Buffer) => {
      said += text.toString();
      if (said.includes('Sheaf is ready')) resolve();
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${said}`)));
  });
}
