// Set-up of the end-to-end tests: all of Sheaf, as `npm start` runs it, on free ports and a temporary data folder. The tests act as a
// proxy in front of it, so that they can send requests from any address.
const { newDataDir, removeDataDir, System } = require('../../libs/testing/src/system.ts');

module.exports = async () => {
  const dataDir = await newDataDir();
  const system = await System.start(dataDir, {
    TRUSTED_PROXIES: 'loopback',
    // A worker that loads a test for seconds would miss that the gateway closes a connection, and would send its next request on it.
    IDLE_CONNECTION_MS: '3600000',
    // Most people in the tests share one address, and some of them guess passwords.
    SIGN_IN_FAILURES_PER_ADDRESS: '100000',
    // Tests fill in forms faster than people. One test of pages has a system with the default.
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
