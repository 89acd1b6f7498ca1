// The tests of a project without servers that take long. They run at night.
module.exports = { ...require('./base.cjs')('night'), testMatch: ['<rootDir>/night/**/*.test.ts'] };
