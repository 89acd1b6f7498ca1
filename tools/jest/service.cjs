module.exports = {
  ...require('./base.cjs')('service'),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: require.resolve('./servers.cjs'),
  globalTeardown: require.resolve('./stop-servers.cjs'),
};
