// Builds the images of apps, or starts each once as its manifest does. Both need a Docker engine.
//   node deploy/images.mjs build [app …]        sheaf/<app>:<version>; NODE_IMAGE names another base, REGISTRY goes before the name
//   node deploy/images.mjs try [app …]          under the limits and the security settings of the cluster, until it says that it lives
//   node deploy/images.mjs push [app …]         to $REGISTRY; prints the digests
// The version is that of deploy/services/<app>/version/kustomization.yaml. `npx nx affected -t image` builds what a change touches.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { generateSecrets } from './generate-secrets.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const all = ['gateway', 'workspaces', 'forms', 'submissions', 'hooks', 'delivery'];

const [command, ...named] = process.argv.slice(2);
const apps = named.length > 0 ? named : all;
const unknown = apps.filter((app) => !all.includes(app));
if (!['build', 'try', 'push'].includes(command) || unknown.length > 0) give(`usage: node deploy/images.mjs build|try|push [${all.join(' ')}]`, 2);

const engine = docker(['version', '--format', '{{.Server.Version}}'], { quiet: true });
if (engine.status !== 0) give('There is no Docker engine here (`docker version` finds no server): images can neither be built nor tried.');

for (const app of apps) {
  if (command === 'build') buildImage(app);
  else if (command === 'push') push(app);
  else await tryImage(app);
}

function imageOf(app) {
  const { images } = read(`services/${app}/version/kustomization.yaml`);
  const version = images[0].newTag;
  return { version, image: `${process.env.REGISTRY ? `${process.env.REGISTRY}/` : ''}sheaf/${app}:${version}` };
}

function buildImage(app) {
  const { version, image } = imageOf(app);
  const revision = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  const settings = [`APP=${app}`, `VERSION=${version}`, `REVISION=${revision || 'unknown'}`, ...(process.env.NODE_IMAGE ? [`NODE_IMAGE=${process.env.NODE_IMAGE}`] : [])];
  const network = process.env.BUILD_NETWORK ? ['--network', process.env.BUILD_NETWORK] : [];
  const { status } = docker(['build', '-f', 'deploy/Dockerfile', ...network, ...settings.flatMap((setting) => ['--build-arg', setting]), '-t', image, '.']);
  if (status !== 0) give(`${image} could not be built, see above.`);
  const { stdout } = docker(['image', 'inspect', '--format', '{{.Size}}', image], { quiet: true });
  console.log(`${image}: ${(Number(stdout) / 1e6).toFixed(0)} MB`);
}

function push(app) {
  if (!process.env.REGISTRY) give('REGISTRY has to say where to.', 2);
  const { image } = imageOf(app);
  if (docker(['push', image]).status !== 0) give(`${image} could not be pushed, see above.`);
  console.log(docker(['image', 'inspect', '--format', '{{index .RepoDigests 0}}', image], { quiet: true }).stdout.trim());
}

/** With nothing that it needs around it: it has to come up, answer /livez, not be ready, and stop at SIGTERM. */
async function tryImage(app) {
  const { image } = imageOf(app);
  const { spec } = read(`services/${app}/base/deployment.yaml`);
  const [container] = spec.template.spec.containers;
  const [port, grpcPort, httpPort] = await Promise.all([freePort(), freePort(), freePort()]);
  // No address leads anywhere.
  const secrets = generateSecrets({ postgres: '127.0.0.1:1', nats: '127.0.0.1:1' })[`${app}-secrets`];
  const settings = Object.fromEntries(readFileSync(join(root, `deploy/services/${app}/base/settings.env`), 'utf8').trim().split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const env = { ...settings, ...secrets, BIND_HOST: '127.0.0.1', HEALTH_PORT: port, ...(app === 'gateway' ? { PORT: httpPort } : { GRPC_PORT: grpcPort }), ...(app === 'submissions' ? { FILES_DIR: '/files' } : {}) };
  const name = `sheaf-try-${app}-${process.pid}`;
  const memory = container.resources.limits.memory.replace('Mi', 'm');

  const since = performance.now();
  const child = spawn('docker', [
    'run', '--rm', '--name', name, ...(app === 'submissions' ? ['--tmpfs', '/files:uid=65532'] : []), '--network', 'host', ...sandbox(memory), ...Object.keys(env).flatMap((key) => ['--env', key]), image,
  ], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])) } });
  const exited = once(child, 'exit');
  try {
    const alive = await lives(`http://127.0.0.1:${port}`, child);
    if (!alive) give(`${image} does not come up under the settings of its manifest.`);
    const started = performance.now() - since;
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (ready.status !== 503) give(`${image} says that it is ready, with nothing there that it needs.`);
    console.log(`${image}: lives after ${started.toFixed(0)} ms, read-only, without capabilities, in ${memory}`);
  } finally {
    docker(['stop', '--time', '20', name], { quiet: true });
    await exited;
  }
}

/** What components/restricted asks of the cluster, in Docker's words. */
function sandbox(memory) {
  const patch = read('components/restricted/pod.yaml');
  const value = (path) => patch.find((step) => step.path === path)?.value;
  const pod = value('/spec/template/spec/securityContext');
  const own = value('/spec/template/spec/containers/0/securityContext');
  return [
    '--user', `${pod.runAsUser}:${pod.runAsGroup}`,
    ...(own.readOnlyRootFilesystem ? ['--read-only'] : []),
    ...own.capabilities.drop.flatMap((capability) => ['--cap-drop', capability]),
    ...(own.allowPrivilegeEscalation ? [] : ['--security-opt', 'no-new-privileges']),
    '--memory', memory,
  ];
}

async function lives(address, child) {
  for (const until = performance.now() + 30_000; performance.now() < until && child.exitCode === null; ) {
    const answer = await fetch(`${address}/livez`).catch(() => undefined);
    if (answer?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function read(path) {
  return parse(readFileSync(join(root, 'deploy', path), 'utf8'));
}

function docker(args, { quiet = false } = {}) {
  return spawnSync('docker', args, { cwd: root, encoding: 'utf8', stdio: quiet ? ['ignore', 'pipe', 'ignore'] : ['ignore', 'inherit', 'inherit'], env: { ...process.env, DOCKER_BUILDKIT: '1' } });
}

function give(message, code = 1) {
  console.error(message);
  process.exit(code);
}
