// The failover suite: real engines that die, hang and lose each other. It needs root, and takes a quarter of an hour.
module.exports = {
  ...require('./e2e-alone.cjs'),
  ...require('./base.cjs')('failover'),
  testMatch: ['<rootDir>/failover/**/*.test.ts'],
  // All tests share one set of engines.
  maxWorkers: 1,
  testTimeout: 600_000,
};
