module.exports = {
  ...require('./base.cjs')('e2e'),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testTimeout: 60_000,
};
