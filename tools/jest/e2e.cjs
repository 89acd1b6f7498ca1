module.exports = {
  ...require('./base.cjs')('e2e'),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: require.resolve('./system.cjs'),
  globalTeardown: require.resolve('./stop-servers.cjs'),
  testTimeout: 60_000,
};
