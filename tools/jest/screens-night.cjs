// The screens in every look and language. They run at night.
module.exports = { ...require('./screens.cjs'), ...require('./base.cjs')('night'), testMatch: ['<rootDir>/night/**/*.test.ts'] };
