// Prints all the secrets of a new system, made for it at this moment. Nothing is stored: keep what it prints where your secrets are.
//   node deploy/generate-secrets.mjs kubernetes | kubectl apply -f -
//   node deploy/generate-secrets.mjs compose > deploy/.env
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';

export const services = ['workspaces', 'forms', 'submissions', 'hooks', 'delivery'];

/** 256 random bits in letters that need no quoting anywhere. The letter first: NATS would read `1e5…` as a number. */
const password = () => `s${randomBytes(32).toString('base64url')}`;

function callerKey(issuer) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: issuer, alg: 'ES256', use: 'sig' };
}

/** The half of a key that everyone may know. */
const publicHalf = ({ kty, crv, x, y, kid, alg, use }) => ({ kty, crv, x, y, kid, alg, use });

/**
 * Secrets by name, each with its keys.
 * @returns {Record<string, Record<string, string>>}
 */
export function generateSecrets({ postgres = 'postgres:5432', nats = 'nats:4222' } = {}) {
  const natsPassword = password();
  const natsUrl = `nats://sheaf:${natsPassword}@${nats}`;
  const keys = { gateway: callerKey('gateway'), delivery: callerKey('delivery') };
  const callerKeys = JSON.stringify({ keys: [publicHalf(keys.gateway), publicHalf(keys.delivery)] });
  const roles = Object.fromEntries(services.flatMap((service) => [[service, password()], [`${service}_owner`, password()]]));
  const databaseUrl = (role, service) => `postgres://sheaf_${role}:${roles[role]}@${postgres}/sheaf_${service}`;

  const own = {
    workspaces: { SESSION_SECRET: password() },
    delivery: { CALLER_KEY: JSON.stringify(keys.delivery), WEBHOOK_SIGNING_SECRETS: password() },
  };
  return {
    'postgres-secrets': { POSTGRES_PASSWORD: password() },
    'postgres-role-secrets': Object.fromEntries(Object.entries(roles).map(([role, secret]) => [`${role.toUpperCase()}_PASSWORD`, secret])),
    'nats-secrets': { NATS_PASSWORD: natsPassword },
    'gateway-secrets': { NATS_URL: natsUrl, CALLER_KEY: JSON.stringify(keys.gateway) },
    ...Object.fromEntries(services.flatMap((service) => [
      [`${service}-secrets`, { DATABASE_URL: databaseUrl(service, service), NATS_URL: natsUrl, CALLER_KEYS: callerKeys, ...own[service] }],
      [`${service}-migrate-secrets`, { DATABASE_URL: databaseUrl(`${service}_owner`, service) }],
    ])),
  };
}

/** A manifest of the kind List. JSON is what kubectl takes as well. */
const manifest = (secrets, namespace) => ({
  apiVersion: 'v1',
  kind: 'List',
  items: Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'sheaf' } }, type: 'Opaque', stringData,
  })),
});

/** One file for all: the name of the secret goes before the key, FORMS_DATABASE_URL. Single quotes keep compose from reading on in them. */
export const composeVariables = (secrets) =>
  Object.fromEntries(Object.entries(secrets).flatMap(([name, keys]) => Object.entries(keys).map(([key, value]) => [composeVariable(name, key), value])));

export const composeVariable = (secret, key) => `${secret.replace(/-(role-)?secrets$/, '').replaceAll('-', '_')}_${key}`.toUpperCase();

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  switch (process.argv[2]) {
    case 'kubernetes':
      console.log(JSON.stringify(manifest(generateSecrets(), process.argv[3] ?? 'sheaf'), null, 2));
      break;
    case 'compose':
      console.log(Object.entries(composeVariables(generateSecrets())).map(([name, value]) => `${name}='${value}'`).join('\n'));
      break;
    default:
      console.error('usage: node deploy/generate-secrets.mjs kubernetes [namespace] | compose');
      process.exitCode = 2;
  }
}
