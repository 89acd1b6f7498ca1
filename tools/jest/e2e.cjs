const { availableParallelism } = require('node:os');

module.exports = {
  ...require('./base.cjs')('e2e'),
  // These tests mostly wait, for processes to start and for due dates: on two processors jest would use one worker.
  maxWorkers: 2 * Math.max(2, availableParallelism()),
  testSequencer: require.resolve('./longest-first.cjs'),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: require.resolve('./system.cjs'),
  globalTeardown: require.resolve('./stop-servers.cjs'),
};
