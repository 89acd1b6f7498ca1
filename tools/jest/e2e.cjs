const { availableParallelism } = require('node:os');

module.exports = {
  ...require('./base.cjs')('e2e'),
  // These tests mostly wait, for processes to start and for due dates: on two processors jest would use one worker.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // A journey in a browser takes many steps; on a machine that is busy with other tests as well, each of them waits.
  testTimeout: 120_000,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: require.resolve('./system.cjs'),
  globalTeardown: require.resolve('./stop-servers.cjs'),
};
