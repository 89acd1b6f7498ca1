import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, apps, services } from '@sheaf/kernel';
import { appEnv, commandEnv, hostEnv, type Wiring } from './apps';
import { loadSecrets } from './secrets';

const numbered = <K extends string>(keys: readonly K[], first: number) =>
  Object.fromEntries(keys.map((key, index) => [key, first + index])) as Record<K, number>;

let wiring: Wiring;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-apps-'));
  const secrets = await loadSecrets(join(folder, 'secrets.json'), []);
  await rm(folder, { recursive: true });
  wiring = {
    port: 8080,
    bindHost: '127.0.0.1',
    grpcPorts: numbered(services, 21_000),
    pagesPort: 25_000,
    healthPorts: numbered(apps, 22_000),
    databaseUrls: Object.fromEntries(services.map((name) => [name, `postgres://${name}`])) as Wiring['databaseUrls'],
    natsUrl: 'nats://u:p@127.0.0.1:23000',
    callerKeys: secrets.caller_keys,
    sessionSecret: secrets.session_secret,
    webhookSigningSecret: secrets.webhook_signing_secret,
    pagesSecret: secrets.pages_secret,
    logLevel: 'info',
    demoSubscriber: 'http://127.0.0.1:24000',
    filesDir: '/data/files',
    env: {
      PATH: '/bin',
      HOME: '/home/ann',
      CLOUD_TOKEN: 'theirs',
      HOOKS_PRIVATE_ORIGINS: 'http://10.0.0.7',
      HOOK_SOURCES: 'zapier',
      WEBHOOK_PROXY_CREDENTIALS: 'me:pass',
      WEBHOOK_PROXY_ALLOW_HOSTS: 'hooks.zapier.com',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      STRIPE_TIMEOUT_MS: '900',
      FORMS_CACHE_SIZE: '9',
      SESSION_DAYS: '3',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_BSP_SCHEDULE_DELAY: '500',
      OTEL_SERVICE_NAME: 'theirs',
    },
  };
});

const holders = (variable: string): App[] => apps.filter((app) => appEnv(app, wiring)[variable] !== undefined);

it('gives every process the common variables, and no others of the launcher', () => {
  for (const app of apps) {
    expect(appEnv(app, wiring)).toMatchObject({
      PATH: '/bin',
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      BIND_HOST: '127.0.0.1',
      HEALTH_PORT: String(wiring.healthPorts[app]),
    });
  }
  expect(holders('CLOUD_TOKEN')).toEqual([]);
});

it('passes on the settings of OpenTelemetry except the service name', () => {
  expect(holders('OTEL_EXPORTER_OTLP_ENDPOINT')).toEqual([...apps]);
  expect(holders('OTEL_BSP_SCHEDULE_DELAY')).toEqual([...apps]);
  expect(holders('OTEL_SERVICE_NAME')).toEqual([]);
});

it('gives each secret only to the processes that need it', () => {
  expect(holders('SESSION_SECRET')).toEqual(['workspaces']);
  expect(holders('PAGES_SECRETS')).toEqual(['pages']);
  expect(holders('CALLER_KEY')).toEqual(['gateway', 'delivery']);
  expect(holders('STRIPE_SECRET_KEY')).toEqual(['submissions']);
  expect(holders('STRIPE_WEBHOOK_SECRET')).toEqual(['submissions']);
  expect(holders('DATABASE_URL')).toEqual([...services]);
  expect(holders('NATS_URL')).toEqual(['gateway', ...services]);
  expect(appEnv('forms', wiring).DATABASE_URL).toBe('postgres://forms');
});

it('gives services only the public half of the caller keys', () => {
  const { keys } = JSON.parse(appEnv('forms', wiring).CALLER_KEYS ?? '') as { keys: Record<string, string>[] };
  expect(keys.map(({ kid }) => kid)).toEqual(['gateway', 'delivery']);
  for (const key of keys) expect(key).not.toHaveProperty('d');
});

it('lets only the gateway listen on another address', () => {
  const open = { ...wiring, bindHost: '0.0.0.0' };
  expect(apps.filter((app) => appEnv(app, open).BIND_HOST !== '127.0.0.1')).toEqual(['gateway']);
});

it('gives the processes the addresses of their neighbours', () => {
  expect(appEnv('gateway', wiring)).toMatchObject({
    PORT: '8080',
    WORKSPACES_ADDR: '127.0.0.1:21000',
    FORMS_ADDR: '127.0.0.1:21001',
    SUBMISSIONS_ADDR: '127.0.0.1:21002',
    HOOKS_ADDR: '127.0.0.1:21003',
    DELIVERY_ADDR: '127.0.0.1:21004',
    PAGES_ADDR: '127.0.0.1:25000',
  });
  expect(appEnv('pages', wiring)).toMatchObject({
    PORT: '25000',
    FORMS_ADDR: '127.0.0.1:21001',
    SUBMISSIONS_ADDR: '127.0.0.1:21002',
  });
  expect(appEnv('forms', wiring)).toMatchObject({ GRPC_PORT: '21001', WORKSPACES_ADDR: '127.0.0.1:21000' });
  expect(appEnv('delivery', wiring)).toMatchObject({
    GRPC_PORT: '21004',
    HOOKS_ADDR: '127.0.0.1:21003',
    FORMS_ADDR: '127.0.0.1:21001',
    SUBMISSIONS_ADDR: '127.0.0.1:21002',
    WORKSPACES_ADDR: '127.0.0.1:21000',
  });
});

it('lets webhooks reach the demo in addition to the origins that the operator allows', () => {
  for (const app of ['hooks', 'delivery'] as const) {
    expect(appEnv(app, wiring).HOOKS_PRIVATE_ORIGINS).toBe('http://10.0.0.7,http://127.0.0.1:24000');
  }
});

it('gives the password of the proxy for webhooks to what calls them alone', () => {
  expect(holders('WEBHOOK_PROXY_CREDENTIALS')).toEqual(['delivery']);
  expect(holders('WEBHOOK_PROXY_ALLOW_HOSTS')).toEqual(['hooks', 'delivery']);
});

it('keeps files next to the other data, or in the operator’s bucket', () => {
  expect(holders('FILES_DIR')).toEqual(['submissions']);
  expect(appEnv('submissions', wiring).FILES_DIR).toBe('/data/files');

  const withBucket = {
    ...wiring,
    env: { ...wiring.env, FILES_S3_BUCKET: 'sheaf', FILES_S3_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'key' },
  };
  expect(appEnv('submissions', withBucket)).toMatchObject({
    FILES_S3_BUCKET: 'sheaf',
    FILES_S3_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'key',
  });
  expect(appEnv('submissions', withBucket)).not.toHaveProperty('FILES_DIR');
  expect(appEnv('forms', withBucket)).not.toHaveProperty('AWS_ACCESS_KEY_ID');
});

it('passes the settings of a service to that service', () => {
  expect(holders('HOOK_SOURCES')).toEqual(['hooks']);
  expect(holders('FORMS_CACHE_SIZE')).toEqual(['forms']);
  expect(holders('SESSION_DAYS')).toEqual([...apps]);
  expect(holders('SERVICE_DOMAIN')).toEqual([]);
});

it('limits the submissions to a form only if the operator sets a limit', () => {
  expect(appEnv('submissions', wiring).SUBMIT_PER_FORM_PER_MINUTE).toBe('0');
  expect(appEnv('submissions', { ...wiring, env: { SUBMIT_PER_FORM_PER_MINUTE: '9' } }).SUBMIT_PER_FORM_PER_MINUTE).toBe('9');
});

it('tells a command how to connect behind a pooler, which would refuse a migration otherwise', () => {
  const env = { DATABASE_STARTUP_SETTINGS: 'false', DATABASE_NAMED_STATEMENTS: 'false', DATABASE_POOL: '3' };
  expect(commandEnv({ ...wiring, env }, 'postgres://owner')).toMatchObject({
    DATABASE_STARTUP_SETTINGS: 'false',
    DATABASE_NAMED_STATEMENTS: 'false',
  });
  expect(commandEnv({ ...wiring, env }, 'postgres://owner')).not.toHaveProperty('DATABASE_POOL');
});

it('gives a command only the database', () => {
  expect(commandEnv(wiring, 'postgres://owner')).toEqual({
    PATH: '/bin',
    HOME: '/home/ann',
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    DATABASE_URL: 'postgres://owner',
  });
});

describe('the process that hosts all apps', () => {
  it('gets each app’s settings under the app’s name, so that no other app reads them', () => {
    const env = hostEnv(wiring);
    for (const app of apps) {
      for (const [name, value] of Object.entries(appEnv(app, wiring)))
        expect({ app, name, value: env[`${app.toUpperCase()}__${name}`] ?? env[name] }).toEqual({
          app,
          name,
          value: name === 'NODE_OPTIONS' ? '--max-old-space-size=1024 --max-semi-space-size=8' : value,
        });
    }
    expect(Object.keys(env).filter((name) => name.endsWith('SESSION_SECRET'))).toEqual(['WORKSPACES__SESSION_SECRET']);
    expect(Object.keys(env).filter((name) => name.endsWith('DATABASE_URL'))).toEqual(
      services.map((name) => `${name.toUpperCase()}__DATABASE_URL`),
    );
  });

  it('gets what Node and the tracing library read once for all, and nothing else of the launcher', () => {
    const env = hostEnv(wiring);
    expect(env).toMatchObject({ PATH: '/bin', NODE_ENV: 'production', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' });
    expect(env).not.toHaveProperty('CLOUD_TOKEN');
  });
});
