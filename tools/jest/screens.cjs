const { availableParallelism } = require('node:os');

module.exports = {
  ...require('./base.cjs')('screens'),
  // Each worker has a browser of its own, which takes a second processor while the test waits for it.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // Each step has a limit of its own, which ends a test that hangs; the steps of a test together take long where the machine is busy.
  testTimeout: 300_000,
  testMatch: ['<rootDir>/screens/**/*.test.ts'],
  globalSetup: require.resolve('./built-console.cjs'),
};
