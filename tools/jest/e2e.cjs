const { availableParallelism } = require('node:os');

module.exports = {
  ...require('./base.cjs')('e2e'),
  // They wait a lot, for processes that start and for what is due: on two processors jest would take one worker.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: require.resolve('./system.cjs'),
  globalTeardown: require.resolve('./stop-servers.cjs'),
};
