// Set-up of the end-to-end tests: all of Sheaf, as `npm start` runs it, on free ports and a temporary data folder. The tests act as a
// proxy in front of it, so that they can send requests from any address.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const apps = Object.keys(require('../../libs/kernel/src/apps.json'));
const { newDataDir, removeDataDir, System } = require('../../libs/testing/src/system.ts');

const bundles = ['tools/system', ...apps.map((app) => `apps/${app}`)].map((project) => join(__dirname, '../../dist', project, 'main.cjs'));

module.exports = async () => {
  const missing = bundles.filter((bundle) => !existsSync(bundle));
  if (missing.length > 0) throw new Error(`Not built: ${missing.join(', ')}. Run this first: npx nx run-many -t build`);
  const dataDir = await newDataDir();
  const system = await System.start(dataDir, {
    TRUSTED_PROXIES: 'loopback',
    // A worker that loads a test for seconds would miss that the gateway closes a connection, and would send its next request on it.
    IDLE_CONNECTION_MS: '3600000',
    // Most people in the tests share one address, and some of them guess passwords.
    SIGN_IN_FAILURES_PER_ADDRESS: '100000',
    // The longest that the gateway accepts: on a busy machine a request may take longer than a person would wait.
    REQUEST_TIMEOUT_MS: '60000',
    // Tests fill in forms faster than people. The test of haste has a system of its own.
    SPAM_MIN_FILL_MS: '0',
  });
  process.env.E2E_CREDENTIALS = JSON.stringify(system.credentials);
  process.env.E2E_DATA_DIR = dataDir;

  globalThis.__stopServers = async () => {
    const code = await system.stop();
    if (code !== 0) throw new Error(`The system ended with ${code}:\n${system.said}`);
    await removeDataDir(dataDir);
  };
};
