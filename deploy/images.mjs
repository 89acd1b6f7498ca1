// Builds the images of apps, starts each once as its manifest does, and pushes new versions.
//   node deploy/images.mjs build [app …]        <registry>/sheaf/<app>:<version>; NODE_IMAGE sets another base image
//   node deploy/images.mjs try [app …]          runs with the cluster's limits and security settings until it reports that it is alive
//   node deploy/images.mjs unreleased [app …]   prints the apps whose version is not in the registry
//   node deploy/images.mjs push [app …]         refuses versions that are already in the registry; prints the digests
// The registry is the one in deploy/components/registry, or $REGISTRY; login with $REGISTRY_USER and $REGISTRY_PASSWORD if they are set.
// The version is the one in deploy/services/<app>/version. All commands but `unreleased` need a Docker engine. `npx nx affected -t image`
// builds the images that a change affects.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { apps as all, services } from '../tools/build/apps.mjs';
import { generateSecrets } from './generate-secrets.mjs';
import { hasImage } from './registry.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const [command, ...named] = process.argv.slice(2);
const apps = named.length > 0 ? named : all;
const unknown = apps.filter((app) => !all.includes(app));
if (!['build', 'try', 'unreleased', 'push'].includes(command) || unknown.length > 0)
  exitWith(`usage: node deploy/images.mjs build|try|unreleased|push [${all.join(' ')}]`, 2);

if (command === 'unreleased' || command === 'push') {
  const isReleased = await Promise.all(apps.map(released));
  const fresh = apps.filter((_app, n) => !isReleased[n]);
  if (command === 'unreleased') {
    console.log(fresh.join(' '));
    process.exit(0);
  }
  const taken = apps.filter((app) => !fresh.includes(app)).map((app) => imageOf(app).image);
  if (taken.length > 0)
    exitWith(`${taken.join(', ')}: already pushed and possibly in use. Raise the version in deploy/services/<app>/version.`);
}

const engine = docker(['version', '--format', '{{.Server.Version}}'], { quiet: true });
if (engine.status !== 0)
  exitWith('No Docker engine is available (`docker version` finds no server), so images can be neither built nor tried.');

for (const app of apps) {
  if (command === 'build') buildImage(app);
  else if (command === 'push') push(app);
  else await tryImage(app);
}

function imageOf(app) {
  const version = read(`services/${app}/version/kustomization.yaml`).images[0].newTag;
  const { newName } = read('components/registry/kustomization.yaml').images.find(({ name }) => name === `sheaf/${app}`);
  const name = process.env.REGISTRY ? `${process.env.REGISTRY}/sheaf/${app}` : newName;
  return { version, name, image: `${name}:${version}` };
}

function buildImage(app) {
  const { version, image } = imageOf(app);
  const revision = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  const settings = [
    `APP=${app}`,
    `VERSION=${version}`,
    `REVISION=${revision || 'unknown'}`,
    ...(process.env.NODE_IMAGE ? [`NODE_IMAGE=${process.env.NODE_IMAGE}`] : []),
  ];
  const network = process.env.BUILD_NETWORK ? ['--network', process.env.BUILD_NETWORK] : [];
  const { status } = docker([
    'build',
    '-f',
    'deploy/Dockerfile',
    ...network,
    ...settings.flatMap((setting) => ['--build-arg', setting]),
    '-t',
    image,
    '.',
  ]);
  if (status !== 0) exitWith(`${image} could not be built, see above.`);
  const { stdout } = docker(['image', 'inspect', '--format', '{{.Size}}', image], { quiet: true });
  console.log(`${image}: ${(Number(stdout) / 1e6).toFixed(0)} MB`);
}

/** Whether the registry has this version. */
async function released(app) {
  const { image } = imageOf(app);
  if (image.startsWith('registry.example.org/'))
    exitWith('registry.example.org is a placeholder: set your registry in deploy/components/registry or in REGISTRY.', 2);
  try {
    return await hasImage(image, { user: process.env.REGISTRY_USER, password: process.env.REGISTRY_PASSWORD });
  } catch (error) {
    return exitWith(`Could not check whether ${image} exists: ${error.message}`);
  }
}

function push(app) {
  const { image } = imageOf(app);
  const base = docker(['image', 'inspect', '--format', '{{index .Config.Labels "org.opencontainers.image.base.name"}}', image], {
    quiet: true,
  }).stdout.trim();
  if (!/@sha256:[0-9a-f]{64}$/.test(base))
    exitWith(
      `${image} is built on ${base || 'an unknown image'}, which is not pinned by a digest. Set NODE_IMAGE to an image with a digest.`,
    );
  if (docker(['push', image]).status !== 0) exitWith(`${image} could not be pushed, see above.`);
  console.log(docker(['image', 'inspect', '--format', '{{index .RepoDigests 0}}', image], { quiet: true }).stdout.trim());
}

/** Runs an image without its dependencies: it must start, answer /livez, be ready only if it needs no database, and stop at SIGTERM. */
async function tryImage(app) {
  const { image } = imageOf(app);
  const { spec } = read(`services/${app}/base/deployment.yaml`);
  const [container] = spec.template.spec.containers;
  const [port, grpcPort, httpPort] = await Promise.all([freePort(), freePort(), freePort()]);
  // Addresses where nothing listens.
  const secrets = generateSecrets({ postgres: '127.0.0.1:1', nats: '127.0.0.1:1' })[`${app}-secrets`];
  const settings = Object.fromEntries(
    readFileSync(join(root, `deploy/services/${app}/base/settings.env`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
  const env = {
    ...settings,
    ...secrets,
    BIND_HOST: '127.0.0.1',
    HEALTH_PORT: port,
    ...(services.includes(app) ? { GRPC_PORT: grpcPort } : { PORT: httpPort }),
    ...(app === 'submissions' ? { FILES_DIR: '/files' } : {}),
  };
  const name = `sheaf-try-${app}-${process.pid}`;
  const memory = container.resources.limits.memory.replace('Mi', 'm');

  const since = performance.now();
  const child = spawn(
    'docker',
    [
      'run',
      '--rm',
      '--name',
      name,
      ...(app === 'submissions' ? ['--tmpfs', '/files:uid=65532'] : []),
      '--network',
      'host',
      ...sandbox(memory),
      ...Object.keys(env).flatMap((key) => ['--env', key]),
      image,
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])) },
    },
  );
  const exited = once(child, 'exit');
  try {
    const alive = await becomesAlive(`http://127.0.0.1:${port}`, child);
    if (!alive) exitWith(`${image} does not start with the settings of its manifest.`);
    const started = performance.now() - since;
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
    // Only a process with a database waits for it.
    if (ready.ok === services.includes(app)) exitWith(`${image} reports ${ready.status} on /readyz while its dependencies are missing.`);
    console.log(`${image}: alive after ${started.toFixed(0)} ms, read-only, without capabilities, in ${memory}`);
  } finally {
    docker(['stop', '--time', '20', name], { quiet: true });
    await exited;
  }
}

/** The restrictions of components/restricted as Docker options. */
function sandbox(memory) {
  const patch = read('components/restricted/pod.yaml');
  const value = (path) => patch.find((step) => step.path === path)?.value;
  const pod = value('/spec/template/spec/securityContext');
  const security = value('/spec/template/spec/containers/0/securityContext');
  return [
    '--user',
    `${pod.runAsUser}:${pod.runAsGroup}`,
    ...(security.readOnlyRootFilesystem ? ['--read-only'] : []),
    ...security.capabilities.drop.flatMap((capability) => ['--cap-drop', capability]),
    ...(security.allowPrivilegeEscalation ? [] : ['--security-opt', 'no-new-privileges']),
    '--memory',
    memory,
  ];
}

async function becomesAlive(address, child) {
  for (const until = performance.now() + 30_000; performance.now() < until && child.exitCode === null;) {
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
  return spawnSync('docker', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: quiet ? ['ignore', 'pipe', 'ignore'] : ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DOCKER_BUILDKIT: '1' },
  });
}

function exitWith(message, code = 1) {
  console.error(message);
  process.exit(code);
}
