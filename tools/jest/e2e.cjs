const { availableParallelism } = require('node:os');

module.exports = {
  ...require('./base.cjs')('e2e'),
  // These tests mostly wait, for processes to start and for due dates: on two processors jest would use one worker.
  maxWorkers: Math.max(3, availableParallelism()),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: require.resolve('./system.cjs'),
  globalTeardown: require.resolve('./stop-servers.cjs'),
};
