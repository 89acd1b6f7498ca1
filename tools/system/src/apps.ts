import { type App, apps, type ServiceName, usesNats } from '@sheaf/kernel';
import { type CallerKeys, publicKeys } from './secrets';

/** The addresses and settings that the processes of one system share. */
export type Wiring = {
  port: number;
  /** The address that the port listens on. */
  bindHost: string;
  grpcPorts: Record<ServiceName, number>;
  pagesPort: number;
  healthPorts: Record<App, number>;
  databaseUrls: Record<ServiceName, string>;
  natsUrl: string;
  callerKeys: CallerKeys;
  sessionSecret: string;
  /** The key with which `pages` signs the pages that it sends. */
  pagesSecret: string;
  webhookSigningSecret: string;
  logLevel: string;
  /** The address at which the demo listens for webhooks: a private address that is allowed as an exception. */
  demoSubscriber: string;
  /** The folder for uploaded files, unless the operator has configured a bucket. */
  filesDir: string;
  /** The launcher's own environment. */
  env: NodeJS.ProcessEnv;
};

/** Variables that every program needs. All others, including unrelated secrets, are withheld. */
const commonVariables = [
  'PATH',
  'HOME',
  'USER',
  'TMPDIR',
  'LANG',
  'LC_ALL',
  'TZ',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
] as const;

/** How to connect behind PgBouncer, which refuses a connection that names settings: migrations too. */
const poolerVariables = ['DATABASE_STARTUP_SETTINGS', 'DATABASE_NAMED_STATEMENTS'] as const;

export const originOf = (port: number) => `http://localhost:${port}`;
export const baseUrl = (port: number) => `${originOf(port)}/api/v1`;
export const healthUrl = (port: number) => `http://127.0.0.1:${port}`;

/** The environment for an app's commands that maintain its database. */
export function commandEnv(wiring: Pick<Wiring, 'env' | 'logLevel'>, databaseUrl: string): NodeJS.ProcessEnv {
  return {
    ...pick(wiring.env, [...commonVariables, ...poolerVariables]),
    NODE_ENV: 'production',
    LOG_LEVEL: wiring.logLevel,
    DATABASE_URL: databaseUrl,
  };
}

/** The complete environment of an app. */
export function appEnv(app: App, wiring: Wiring): NodeJS.ProcessEnv {
  return {
    ...pick(wiring.env, commonVariables),
    ...tuning(app, wiring.env),
    ...tracing(wiring.env),
    NODE_ENV: 'production',
    // By default Node sizes its heap by the machine, and on a large one collects no garbage before hundreds of megabytes pile up. The
    // second option bounds the young generation, which otherwise grows to 3 × 16 MB under load and stays there: see
    // docs/decisions/0018-small-processes.md for the figures.
    NODE_OPTIONS: wiring.env.NODE_OPTIONS ?? '--max-old-space-size=512 --max-semi-space-size=8',
    LOG_LEVEL: wiring.logLevel,
    BIND_HOST: '127.0.0.1',
    HEALTH_PORT: String(wiring.healthPorts[app]),
    ...(usesNats(app) ? natsSettings(wiring) : {}),
    CALLER_KEYS: JSON.stringify(publicKeys(wiring.callerKeys)),
    ...settingsOf[app](wiring),
  };
}

/**
 * The environment of the one process that hosts all apps: each app's own settings carry its name, and only that app reads them
 * (`ownSettings` in libs/runtime). The variables that Node itself and the tracing library read are common.
 */
export function hostEnv(wiring: Wiring): NodeJS.ProcessEnv {
  const common = {
    ...pick(wiring.env, commonVariables),
    ...tracing(wiring.env),
    NODE_ENV: 'production',
    // Seven times the work of one process, so a larger heap: see docs/decisions/0053-one-process.md.
    NODE_OPTIONS: wiring.env.NODE_OPTIONS ?? '--max-old-space-size=1024 --max-semi-space-size=8',
  };
  const own: NodeJS.ProcessEnv = {};
  for (const app of apps)
    for (const [name, value] of Object.entries(appEnv(app, wiring))) if (!(name in common)) own[`${app.toUpperCase()}__${name}`] = value;
  return { ...common, ...own };
}

const settingsOf: Record<App, (wiring: Wiring) => NodeJS.ProcessEnv> = {
  gateway: (wiring) => ({
    PORT: String(wiring.port),
    BIND_HOST: wiring.bindHost,
    WORKSPACES_ADDR: address(wiring, 'workspaces'),
    FORMS_ADDR: address(wiring, 'forms'),
    SUBMISSIONS_ADDR: address(wiring, 'submissions'),
    HOOKS_ADDR: address(wiring, 'hooks'),
    DELIVERY_ADDR: address(wiring, 'delivery'),
    PAGES_ADDR: `127.0.0.1:${wiring.pagesPort}`,
    CALLER_KEY: JSON.stringify(wiring.callerKeys.gateway),
    // No limit, as for submissions below: a demo or a load test sends all requests with one key.
    REQUESTS_PER_CREDENTIAL_PER_MINUTE: '0',
    ...pick(wiring.env, [
      'TRUSTED_PROXIES',
      'IDLE_CONNECTION_MS',
      'REQUESTS_PER_ADDRESS_PER_MINUTE',
      'REQUESTS_PER_CREDENTIAL_PER_MINUTE',
      'HSTS_MAX_AGE_SECONDS',
    ]),
  }),
  workspaces: (wiring) => ({
    ...serviceSettings(wiring, 'workspaces'),
    SESSION_SECRET: wiring.sessionSecret,
    ...pick(wiring.env, [
      'SERVICE_DOMAIN',
      'PUBLIC_URL',
      'SIGN_IN_FAILURES',
      'SIGN_IN_FAILURES_PER_ADDRESS',
      'SIGN_IN_FAILURES_PER_ACCOUNT',
    ]),
  }),
  forms: (wiring) => ({
    ...serviceSettings(wiring, 'forms'),
    WORKSPACES_ADDR: address(wiring, 'workspaces'),
  }),
  submissions: (wiring) => ({
    ...serviceSettings(wiring, 'submissions'),
    FORMS_ADDR: address(wiring, 'forms'),
    // No limit, as this system is for trials: a demo or a load test sends all its load to one form.
    SUBMIT_PER_FORM_PER_MINUTE: '0',
    ...pick(wiring.env, [
      'SUBMIT_PER_ADDRESS_PER_MINUTE',
      'SUBMIT_PER_FORM_PER_MINUTE',
      'SPAM_MAX_LINKS',
      'PROOF_BITS',
      'SPAM_CHECK_URL',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'STRIPE_API_BASE',
      'PAYMENT_SUCCESS_URL',
      'PAYMENT_CANCEL_URL',
    ]),
    ...files(wiring),
  }),
  hooks: (wiring) => ({
    ...serviceSettings(wiring, 'hooks'),
    FORMS_ADDR: address(wiring, 'forms'),
    ...pick(wiring.env, ['HOOK_SOURCES']),
    ...webhookTargets(wiring),
  }),
  delivery: (wiring) => ({
    ...serviceSettings(wiring, 'delivery'),
    HOOKS_ADDR: address(wiring, 'hooks'),
    FORMS_ADDR: address(wiring, 'forms'),
    SUBMISSIONS_ADDR: address(wiring, 'submissions'),
    WORKSPACES_ADDR: address(wiring, 'workspaces'),
    PUBLIC_PORTS: String(wiring.port),
    CALLER_KEY: JSON.stringify(wiring.callerKeys.delivery),
    WEBHOOK_SIGNING_SECRETS: wiring.webhookSigningSecret,
    // No limit: a single instance has no others to share with.
    DELIVERY_PER_INSTANCE_PER_MINUTE: '0',
    ...pick(wiring.env, ['DELIVERY_PER_INSTANCE_PER_MINUTE']),
    ...pick(wiring.env, ['WEBHOOK_PROXY_URL', 'WEBHOOK_PROXY_CREDENTIALS', 'WEBHOOK_PROXY_CREDENTIALS_FILE', 'WEBHOOK_CA_FILE']),
    ...webhookTargets(wiring),
  }),
  pages: (wiring) => ({
    PORT: String(wiring.pagesPort),
    FORMS_ADDR: address(wiring, 'forms'),
    SUBMISSIONS_ADDR: address(wiring, 'submissions'),
    PAGES_SECRETS: wiring.pagesSecret,
    ...pick(wiring.env, ['PAYMENT_PAGE_ORIGINS']),
  }),
};

const natsSettings = ({ natsUrl, env }: Wiring): NodeJS.ProcessEnv => ({
  NATS_URL: natsUrl,
  ...pick(env, ['NATS_CA_FILE', 'NATS_STREAM_REPLICAS', 'NATS_MAX_ACK_PENDING']),
});

const serviceSettings = (wiring: Wiring, service: ServiceName): NodeJS.ProcessEnv => ({
  GRPC_PORT: String(wiring.grpcPorts[service]),
  DATABASE_URL: wiring.databaseUrls[service],
  ...pick(wiring.env, ['DATABASE_REPLICATED']),
});

const address = (wiring: Wiring, service: ServiceName) => `127.0.0.1:${wiring.grpcPorts[service]}`;

/** Whether uploaded files are in the operator's bucket. */
export const hasBucket = (env: NodeJS.ProcessEnv): boolean => (env.FILES_S3_BUCKET ?? '') !== '';

/** Settings for uploaded files: in the operator's bucket, with AWS's usual variables as credentials, or beside our other data. */
function files({ env, filesDir }: Wiring): NodeJS.ProcessEnv {
  const limits = pick(env, ['FILE_UNCLAIMED_HOURS', 'FILE_UNCLAIMED_PER_ADDRESS']);
  if (!hasBucket(env)) return { ...limits, FILES_DIR: filesDir };
  return {
    ...limits,
    ...pick(
      env,
      Object.keys(env).filter((name) => /^(?:FILES_S3|AWS)_/.test(name)),
    ),
  };
}

/** Checked by hooks at registration and by delivery at each call: both need the same settings. */
const webhookTargets = ({ env, demoSubscriber }: Wiring): NodeJS.ProcessEnv => ({
  ...pick(env, ['HOOKS_ALLOW_PRIVATE_TARGETS', 'WEBHOOK_PROXY_ALLOW_HOSTS']),
  HOOKS_PRIVATE_ORIGINS: [env.HOOKS_PRIVATE_ORIGINS ?? '', demoSubscriber].filter((origin) => origin.trim() !== '').join(','),
});

/**
 * Settings that an operator may add without a line here: FORMS_… goes to forms and so on; names of numeric settings (SESSION_DAYS,
 * BODY_LIMIT_BYTES, OUTBOX_POLL_MS, DATABASE_POOL), which cannot be secrets, go to every app.
 */
function tuning(app: App, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const prefix = `${app.toUpperCase()}_`;
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) =>
        name.startsWith(prefix) || /^[A-Z_]+_(MS|DAYS|BYTES|POOL)$/.test(name) || (poolerVariables as readonly string[]).includes(name),
    ),
  );
}

/** All OpenTelemetry variables; each process gets its own service name. */
const tracing = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  pick(
    env,
    Object.keys(env).filter((name) => /^OTEL_(?!SERVICE_NAME$)/.test(name)),
  );

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
