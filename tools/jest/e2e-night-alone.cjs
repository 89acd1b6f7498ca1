// Tests for the night that start all the systems that they need themselves.
module.exports = { ...require('./e2e-alone.cjs'), ...require('./base.cjs')('night'), testMatch: ['<rootDir>/night/**/*.test.ts'] };
