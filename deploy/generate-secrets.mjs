// Generates all secrets of a new system. It never replaces any: use deploy/rotate-secret.mjs for that.
//   node deploy/generate-secrets.mjs kubernetes [--namespace sheaf]    creates them with kubectl
//   node deploy/generate-secrets.mjs kubernetes --print                prints the manifests for sealing or a vault; uses no cluster
//   node deploy/generate-secrets.mjs compose                           writes deploy/.env with mode 0600; --file for another path
// --postgres and --nats set the addresses of other servers, as host:port; --postgres-direct that of PostgreSQL for migrations, if --postgres is a
// pooler. --postgres-verify lets services and migrations verify PostgreSQL's certificate, with the authority in the secret postgres-ca.
// --nats takes several servers, separated by commas, and tls://host:port for those with TLS.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { natsUsers, services } from '../tools/build/apps.mjs';

/** 256 random bits in characters that need no quoting anywhere. Starts with a letter: NATS would read `1e5…` as a number. */
export const password = () => `s${randomBytes(32).toString('base64url')}`;

/** The place at which deploy/components/postgres-ca mounts the authority of PostgreSQL's certificate. */
export const postgresCaInPod = '/etc/postgres-ca/ca.crt';

export function callerKey(issuer) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: issuer, alg: 'ES256', use: 'sig' };
}

/** The public half of a key. */
export const publicHalf = ({ kty, crv, x, y, kid, alg, use }) => ({ kty, crv, x, y, kid, alg, use });

/**
 * Secrets by name, each with its keys.
 * @returns {Record<string, Record<string, string>>}
 */
export function generateSecrets({
  postgres = 'postgres:5432',
  postgresDirect = postgres,
  postgresVerify = false,
  nats = 'nats:4222',
} = {}) {
  const natsPasswords = Object.fromEntries(natsUsers.map((user) => [user, password()]));
  const natsUrl = (user) =>
    nats
      .split(',')
      .map((server) => (server.includes('://') ? server : `nats://${server}`).replace('://', () => `://${user}:${natsPasswords[user]}@`))
      .join(',');
  const keys = { gateway: callerKey('gateway'), delivery: callerKey('delivery') };
  const callerKeys = JSON.stringify({ keys: [publicHalf(keys.gateway), publicHalf(keys.delivery)] });
  const roles = Object.fromEntries(
    services.flatMap((service) => [
      [service, password()],
      [`${service}_owner`, password()],
    ]),
  );
  const verified = postgresVerify ? `?sslmode=verify-full&sslrootcert=${encodeURIComponent(postgresCaInPod)}` : '';
  const databaseUrl = (role, service, server) => `postgres://sheaf_${role}:${roles[role]}@${server}/sheaf_${service}${verified}`;

  const serviceSecrets = {
    workspaces: { SESSION_SECRET: password() },
    delivery: { CALLER_KEY: JSON.stringify(keys.delivery), WEBHOOK_SIGNING_SECRETS: password() },
  };
  return {
    'postgres-secrets': { POSTGRES_PASSWORD: password() },
    'postgres-role-secrets': Object.fromEntries(Object.entries(roles).map(([role, secret]) => [`${role.toUpperCase()}_PASSWORD`, secret])),
    'nats-secrets': {
      NATS_PASSWORD: password(),
      ...Object.fromEntries(natsUsers.map((user) => [`${user.toUpperCase()}_PASSWORD`, natsPasswords[user]])),
    },
    'gateway-secrets': { NATS_URL: natsUrl('gateway'), CALLER_KEY: JSON.stringify(keys.gateway) },
    'pages-secrets': { CALLER_KEYS: callerKeys, PAGES_SECRETS: password() },
    ...Object.fromEntries(
      services.flatMap((service) => [
        [
          `${service}-secrets`,
          {
            DATABASE_URL: databaseUrl(service, service, postgres),
            NATS_URL: natsUrl(service),
            CALLER_KEYS: callerKeys,
            ...serviceSecrets[service],
          },
        ],
        [`${service}-migrate-secrets`, { DATABASE_URL: databaseUrl(`${service}_owner`, service, postgresDirect) }],
      ]),
    ),
  };
}

/** The role in deploy/platform/postgres-cluster that creates the services' roles and databases. Its keys have the names that the operator reads. */
export const clusterSecrets = () => ({ 'postgres-admin-secrets': { username: 'sheaf_admin', password: password() } });

/** A manifest of the kind List, as JSON, which kubectl accepts too. */
const manifest = (secrets, namespace) => ({
  apiVersion: 'v1',
  kind: 'List',
  items: Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'sheaf' } },
    type: 'username' in stringData ? 'kubernetes.io/basic-auth' : 'Opaque',
    stringData,
  })),
});

/** All variables for one file: the secret's name is the prefix of the key, as in FORMS_DATABASE_URL. */
export const composeVariables = (secrets) =>
  Object.fromEntries(
    Object.entries(secrets).flatMap(([name, keys]) => Object.entries(keys).map(([key, value]) => [composeVariable(name, key), value])),
  );

export const composeVariable = (secret, key) => `${secret.replace(/-(role-)?secrets$/, '').replaceAll('-', '_')}_${key}`.toUpperCase();

/** In single quotes, because Compose interpolates variables in other values. */
export const composeFile = (variables) =>
  `${Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'`)
    .join('\n')}\n`;

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main();

function main() {
  const usage =
    'usage: node deploy/generate-secrets.mjs kubernetes [--namespace sheaf] [--postgres host:port] [--postgres-direct host:port] [--postgres-verify] [--nats host:port] [--print] | compose [--file deploy/.env]';
  const { command, options } = commandLine(usage, {
    namespace: 'sheaf',
    file: join(dirname(fileURLToPath(import.meta.url)), '.env'),
    postgres: 'postgres:5432',
    'postgres-direct': '',
    'postgres-verify': false,
    nats: 'nats:4222',
    print: false,
  });
  const { 'postgres-direct': direct, 'postgres-verify': postgresVerify } = options;
  const secrets = generateSecrets({ ...options, postgresVerify, postgresDirect: direct === '' ? options.postgres : direct });
  if (command === 'compose') return writeNewFile(options.file, composeFile(composeVariables(secrets)));
  Object.assign(secrets, clusterSecrets());
  const list = JSON.stringify(manifest(secrets, options.namespace), null, 2);
  if (options.print) return console.log(list);
  return createInCluster(options.namespace, Object.keys(secrets), list);
}

function commandLine(usage, defaults) {
  try {
    const {
      positionals: [command, ...others],
      values,
    } = parseArgs({
      allowPositionals: true,
      options: Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, { type: typeof value, default: value }])),
    });
    if (['kubernetes', 'compose'].includes(command) && others.length === 0) return { command, options: values };
  } catch (error) {
    console.error(error.message);
  }
  return exitWith(usage, 2);
}

/** Fails if the file exists, even if a concurrent run has just created it. */
function writeNewFile(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    exitWith(
      `${file} exists and was not changed: new secrets would lock the running system out of its data. To rotate a single secret, use deploy/rotate-secret.mjs.`,
    );
  }
  console.log(`wrote ${file}, readable by its owner only`);
}

/** Creates all secrets or none, because some secrets contain the counterpart of another. */
function createInCluster(namespace, names, list) {
  const existing = kubectl(['-n', namespace, 'get', 'secrets', '--ignore-not-found', '-o', 'name', ...names]).trim();
  if (existing !== '') {
    exitWith(
      `The namespace ${namespace} already has these secrets; nothing was changed:\n${existing}\nTo rotate a single secret, use deploy/rotate-secret.mjs. To start over, delete them together with the data.`,
    );
  }
  process.stdout.write(kubectl(['-n', namespace, 'create', '-f', '-'], list));
}

function kubectl(args, input) {
  const { status, stdout, error } = spawnSync('kubectl', args, { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'inherit'] });
  if (status !== 0)
    exitWith(
      error
        ? `kubectl cannot be run (${error.code}). Use --print to write the secrets to standard output.`
        : `kubectl ${args[2]} failed, see above.`,
    );
  return stdout;
}

function exitWith(message, code = 1) {
  console.error(message);
  process.exit(code);
}
