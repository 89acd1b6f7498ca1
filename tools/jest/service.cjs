module.exports = {
  ...require('./base.cjs')('service'),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: require.resolve('./servers.cjs'),
  globalTeardown: require.resolve('./stop-servers.cjs'),
  // How long a test takes that fails; the others do not come near it, also on a machine that is busy with something else.
  testTimeout: 60_000,
};
