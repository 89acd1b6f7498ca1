// The end-to-end tests that take long: whole clusters, every journey, published packages. They run at night.
module.exports = { ...require('./e2e.cjs'), ...require('./base.cjs')('night'), testMatch: ['<rootDir>/night/**/*.test.ts'] };
