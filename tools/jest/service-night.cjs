// The tests of a service that take long. They run at night.
module.exports = { ...require('./service.cjs'), ...require('./base.cjs')('night'), testMatch: ['<rootDir>/night/**/*.test.ts'] };
