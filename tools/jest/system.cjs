// Set-up of the end-to-end tests: all of Sheaf, as `npm start` runs it, on free ports and a temporary data folder. The tests act as a
// proxy in front of it, so that they can send requests from any address. Tests that need other settings share further systems, each of which
// starts when the first of them asks for it (apps/e2e/support/shared-system.ts).
const { existsSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');
const apps = Object.keys(require('../../libs/kernel/src/apps.json'));
const { freePorts } = require('../../libs/embedded/src/index.ts');
const { stripeSecrets } = require('../../libs/testing/src/stripe.ts');
const { newDataDir, removeDataDir, System } = require('../../libs/testing/src/system.ts');

const bundles = ['tools/system', 'apps/all', ...apps.map((app) => `apps/${app}`)].map((project) =>
  join(__dirname, '../../dist', project, 'main.cjs'),
);

/** Most tests use this one. */
const common = {
  TRUSTED_PROXIES: 'loopback',
  // A worker that loads a test for seconds would miss that the gateway closes a connection, and would send its next request on it.
  IDLE_CONNECTION_MS: '3600000',
  // Most people in the tests share one address, and some of them guess passwords.
  SIGN_IN_FAILURES_PER_ADDRESS: '100000',
  // The longest that the gateway accepts: on a busy machine a request may take longer than a person would wait.
  REQUEST_TIMEOUT_MS: '60000',
  // Tests fill in forms faster than people.
  SPAM_MIN_FILL_MS: '0',
};

const others = {
  /** The host determines the instance, and webhooks may hear of all forms. One process hosts all apps, as in a small install. */
  hosts: () => ({ PROCESSES: 'one', SERVICE_DOMAIN: 'sheaf.test', ERASING_SECOND_LOOK_MS: '500' }),
  /** Payments at a stand-in that the test starts, in one process as well: `pages/outages` has payments across processes. A minute is longer than any test takes to fill in a form, so all are too fast. */
  payments: async () => ({
    PROCESSES: 'one',
    STRIPE_SECRET_KEY: stripeSecrets.secretKey,
    STRIPE_WEBHOOK_SECRET: stripeSecrets.webhookSecret,
    STRIPE_API_BASE: `http://127.0.0.1:${(await freePorts(1))[0]}`,
    PAYMENT_SUCCESS_URL: 'https://forms.example.org/thanks',
    SPAM_MIN_FILL_MS: '60000',
  }),
};

async function start(env) {
  const dataDir = await newDataDir();
  return { dataDir, env, system: await System.start(dataDir, env) };
}

async function stop({ dataDir, system }) {
  const code = await system.stop();
  if (code !== 0) throw new Error(`The system ended with ${code}:\n${system.said}`);
  await removeDataDir(dataDir);
}

module.exports = async () => {
  const missing = bundles.filter((bundle) => !existsSync(bundle));
  if (missing.length > 0) throw new Error(`Not built: ${missing.join(', ')}. Run this first: npx nx run-many -t build`);
  const first = await start(common);
  process.env.E2E_CREDENTIALS = JSON.stringify(first.system.credentials);
  process.env.E2E_DATA_DIR = first.dataDir;

  const started = new Map();
  const onRequest = async (request, response) => {
    const name = request.url.slice(1);
    if (!started.has(name)) started.set(name, Promise.resolve(others[name]()).then(start));
    const { dataDir, env, system } = await started.get(name);
    response.end(JSON.stringify({ dataDir, env, credentials: system.credentials }));
  };
  const server = createServer((request, response) => {
    onRequest(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.E2E_SHARED_SYSTEMS = `http://127.0.0.1:${server.address().port}`;

  globalThis.__stopServers = async () => {
    server.close();
    const running = await Promise.allSettled(started.values());
    await Promise.all([first, ...running.flatMap(({ value }) => value ?? [])].map(stop));
  };
};
