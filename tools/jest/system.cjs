// Set-up of the end-to-end tests: all of Sheaf, as `npm start` runs it, on free ports and a temporary data folder. The tests act as a
// proxy in front of it, so that they can send requests from any address. Tests that need other settings share a further system, which
// starts when the first of them asks for it (apps/e2e/support/shared-system.ts).
const { execFile } = require('node:child_process');
const { existsSync } = require('node:fs');
const { readFile } = require('node:fs/promises');
const { createServer } = require('node:http');
const { join } = require('node:path');
const { promisify } = require('node:util');
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
  // How long the usual work takes depends on luck and on the machine: a browser of tests, which compiles less, took more than 50 s beside others.
  PROOF_BITS: '10',
};

/**
 * One process hosts all apps, as in a small install, and the host determines the instance. Webhooks may hear of all forms there. A minute is
 * longer than any test takes to fill in a form, so all are too fast. Payments go to a stand-in that the test starts: `pages/outages` has
 * payments across processes.
 */
const hosts = async () => ({
  PROCESSES: 'one',
  SERVICE_DOMAIN: 'sheaf.test',
  ERASING_SECOND_LOOK_MS: '500',
  STRIPE_SECRET_KEY: stripeSecrets.secretKey,
  STRIPE_WEBHOOK_SECRET: stripeSecrets.webhookSecret,
  STRIPE_API_BASE: `http://127.0.0.1:${(await freePorts(1))[0]}`,
  PAYMENT_SUCCESS_URL: 'https://forms.example.org/thanks',
  SPAM_MIN_FILL_MS: '60000',
});

/** An instance of it, for tests that cannot say which host they mean, such as those in a browser. */
const shopDomain = '127.0.0.1';

async function startHosts() {
  const running = await start(await hosts());
  const { dataDir, system } = running;
  const file = join(dataDir, 'shop.json');
  const options = { slug: 'shop', name: 'Shop', email: 'owner@shop.example', domain: shopDomain, output: file };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  await promisify(execFile)(process.execPath, [join(__dirname, '../../dist/tools/sheaf/main.cjs'), 'instances', 'create', ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  });
  const base = new URL(system.credentials.base_url);
  base.hostname = shopDomain;
  return { ...running, shop: { ...JSON.parse(await readFile(file, 'utf8')), base_url: base.href } };
}

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

  let starting;
  const onRequest = async (request, response) => {
    const { dataDir, env, system, shop } = await (starting ??= startHosts());
    response.end(JSON.stringify({ dataDir, env, credentials: request.url === '/shop' ? shop : system.credentials }));
  };
  const server = createServer((request, response) => {
    onRequest(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.E2E_SHARED_SYSTEMS = `http://127.0.0.1:${server.address().port}`;

  globalThis.__stopServers = async () => {
    server.close();
    const [further] = await Promise.allSettled([starting]);
    await Promise.all([first, ...(further.value ? [further.value] : [])].map(stop));
  };
};
