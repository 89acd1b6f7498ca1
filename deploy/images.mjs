// Builds the images, starts each once as its manifest does, and pushes new versions.
//   node deploy/images.mjs list                   prints the names of all images
//   node deploy/images.mjs build [image …]        <registry>/sheaf/<image>:<version>; NODE_IMAGE sets another base image
//   node deploy/images.mjs try [image …]          runs with the cluster's limits and security settings until it reports that it is alive
//   node deploy/images.mjs unreleased [image …]   prints the images whose version is not in the registry
//   node deploy/images.mjs push [image …]         pushes this machine's architecture by digest, with SBOM and provenance, into <folder>/<image>
//   node deploy/images.mjs join [image …]         gives the digests in these folders the version as their tag; prints the result by digest
// `push` and `join` refuse versions that the registry has, and need the option --digests <folder>, which `join` takes once for each architecture.
// The registry is the one in deploy/components/registry, or $REGISTRY; login with $REGISTRY_USER and $REGISTRY_PASSWORD if they are set.
// The version is the one in deploy/services/<app>/version. All commands but `list` and `unreleased` need a Docker engine; `push` needs a builder
// that can attest: `docker buildx create --use`. `npx nx affected -t image` builds the images that a change affects.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { apps as everyApp, services } from '../tools/build/apps.mjs';
import { generateSecrets } from './generate-secrets.mjs';
import { hasImage } from './registry.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** One container with everything: deploy/README.md. Its recipe is a target of its own. */
const oneContainer = 'all';
/** Every image. Releases build what this list names. */
const all = [...everyApp, oneContainer];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { digests: { type: 'string', multiple: true, default: [] } },
});
const [command, ...named] = positionals;
const images = named.length > 0 ? named : all;
const unknown = images.filter((image) => !all.includes(image));
if (!['list', 'build', 'try', 'unreleased', 'push', 'join'].includes(command) || unknown.length > 0)
  exitWith(`usage: node deploy/images.mjs list|build|try|unreleased|push|join [${all.join(' ')}]`, 2);
if (command === 'list') {
  console.log(all.join(' '));
  process.exit(0);
}
if (['push', 'join'].includes(command) && values.digests.length === 0) exitWith(`${command} needs --digests <folder>.`, 2);

if (command === 'unreleased' || command === 'push' || command === 'join') {
  const isReleased = await Promise.all(images.map(released));
  const fresh = images.filter((_image, n) => !isReleased[n]);
  if (command === 'unreleased') {
    console.log(fresh.join(' '));
    process.exit(0);
  }
  const taken = images.filter((image) => !fresh.includes(image)).map((image) => imageOf(image).image);
  if (taken.length > 0) exitWith(`${taken.join(', ')}: already pushed and possibly in use. Raise the version: docs/releasing.md.`);
}

const engine = docker(['version', '--format', '{{.Server.Version}}'], { quiet: true });
if (engine.status !== 0)
  exitWith('No Docker engine is available (`docker version` finds no server), so images can be neither built nor tried.');

for (const image of images) {
  if (command === 'build') buildImage(image);
  else if (command === 'push') push(image, values.digests[0]);
  else if (command === 'join') join(image, values.digests);
  else if (image === oneContainer) await tryOneContainer();
  else await tryImage(image);
}

function imageOf(app) {
  const version =
    app === oneContainer
      ? JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')).version
      : read(`services/${app}/version/kustomization.yaml`).images[0].newTag;
  const { newName } = read('components/registry/kustomization.yaml').images.find(({ name }) => name === `sheaf/${app}`);
  const name = process.env.REGISTRY ? `${process.env.REGISTRY}/sheaf/${app}` : newName;
  return { version, name, image: `${name}:${version}` };
}

/** The arguments of a build, up to what becomes of it. */
function recipe(app) {
  const { version } = imageOf(app);
  const revision = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  const settings = [
    `APP=${app}`,
    `VERSION=${version}`,
    `REVISION=${revision || 'unknown'}`,
    ...(process.env.NODE_IMAGE ? [`NODE_IMAGE=${process.env.NODE_IMAGE}`] : []),
  ];
  const network = process.env.BUILD_NETWORK ? ['--network', process.env.BUILD_NETWORK] : [];
  const target = app === oneContainer ? ['--target', 'all'] : [];
  return ['build', '-f', 'deploy/Dockerfile', ...target, ...network, ...settings.flatMap((setting) => ['--build-arg', setting])];
}

function buildImage(app) {
  const { image } = imageOf(app);
  // --load: a builder that can attest leaves the image in its own cache.
  if (docker([...recipe(app), '--load', '-t', image, '.']).status !== 0) exitWith(`${image} could not be built, see above.`);
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

/** Pushes without a tag: a version gets its tag once all architectures are there. */
function push(app, folder) {
  const { name, image } = imageOf(app);
  const base = process.env.NODE_IMAGE || /^ARG NODE_IMAGE=(.+)$/m.exec(readFileSync(resolve(root, 'deploy/Dockerfile'), 'utf8'))?.[1];
  if (!/@sha256:[0-9a-f]{64}$/.test(base ?? ''))
    exitWith(`${image} is built on ${base}, which is not pinned by a digest. Set NODE_IMAGE to an image with a digest.`);
  mkdirSync(folder, { recursive: true });
  const metadata = resolve(folder, `${app}.json`);
  const output = `type=image,name=${name},push-by-digest=true,name-canonical=true,push=true`;
  const attested = ['--sbom=true', '--provenance=mode=max', '--output', output, '--metadata-file', metadata];
  if (docker(['buildx', ...recipe(app), ...attested, '.']).status !== 0) exitWith(`${image} could not be pushed, see above.`);
  const digest = JSON.parse(readFileSync(metadata, 'utf8'))['containerimage.digest'];
  writeFileSync(resolve(folder, app), `${digest}\n`);
  console.log(`${name}@${digest}`);
}

function join(app, folders) {
  const { name, image } = imageOf(app);
  const parts = folders.map((folder) => `${name}@${readFileSync(resolve(folder, app), 'utf8').trim()}`);
  if (docker(['buildx', 'imagetools', 'create', '--tag', image, ...parts], { quiet: true }).status !== 0)
    exitWith(`${image} could not be made of ${parts.join(', ')}.`);
  const { stdout } = docker(['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'], { quiet: true });
  console.log(`${name}@${stdout.trim()}`);
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
    readFileSync(resolve(root, `deploy/services/${app}/base/settings.env`), 'utf8')
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

  const address = `http://127.0.0.1:${port}`;
  await whileRunning({ name, image, memory, env, mounts: app === 'submissions' ? ['/files'] : [] }, async (child, since) => {
    if (!(await answers(`${address}/livez`, child, 30_000))) exitWith(`${image} does not start with the settings of its manifest.`);
    const started = performance.now() - since;
    const ready = await fetch(`${address}/readyz`);
    // Only a process with a database waits for it.
    if (ready.ok === services.includes(app)) exitWith(`${image} reports ${ready.status} on /readyz while its dependencies are missing.`);
    console.log(`${image}: alive after ${started.toFixed(0)} ms, read-only, without capabilities, in ${memory}`);
  });
}

/** Runs the container with everything as compose.one.yaml does: it has all that it needs, so it must become ready. */
async function tryOneContainer() {
  const { image } = imageOf(oneContainer);
  const { mem_limit: memory, stop_grace_period: grace } = read('compose.one.yaml').services.sheaf;
  const port = await freePort();
  const env = { BIND_HOST: '127.0.0.1', PORT: port, SIGN_IN_LINK: 'false' };
  const stopSeconds = Number.parseInt(grace);
  await whileRunning(
    { name: `sheaf-try-all-${process.pid}`, image, memory, env, mounts: ['/data', '/tmp'], stopSeconds },
    async (child, since) => {
      // The gateway listens once every part is ready.
      if (!(await answers(`http://127.0.0.1:${port}/api/v1/openapi.json`, child, 180_000))) exitWith(`${image} does not become ready.`);
      console.log(`${image}: ready after ${(performance.now() - since).toFixed(0)} ms, read-only, without capabilities, in ${memory}`);
    },
  );
}

/**
 * Runs an image with the restrictions of a pod, and stops it afterwards.
 * @param {{ name: string, image: string, memory: string, env: Record<string, unknown>, mounts: string[], stopSeconds?: number }} container
 * @param {(child: import('node:child_process').ChildProcess, since: number) => Promise<void>} work
 */
async function whileRunning({ name, image, memory, env, mounts, stopSeconds = 20 }, work) {
  const since = performance.now();
  const options = [
    ...mounts.flatMap((path) => ['--tmpfs', `${path}:uid=65532,gid=65532`]),
    ...['--network', 'host'],
    ...sandbox(memory),
    ...Object.keys(env).flatMap((key) => ['--env', key]),
  ];
  const child = spawn('docker', ['run', '--rm', '--name', name, ...options, image], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])) },
  });
  const exited = once(child, 'exit');
  try {
    await work(child, since);
  } finally {
    docker(['stop', '--time', String(stopSeconds), name], { quiet: true });
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

async function answers(address, child, withinMs) {
  for (const until = performance.now() + withinMs; performance.now() < until && child.exitCode === null;) {
    const answer = await fetch(address).catch(() => undefined);
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
  return parse(readFileSync(resolve(root, 'deploy', path), 'utf8'));
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
