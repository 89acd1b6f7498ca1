module.exports = { ...require('./base.cjs')('unit'), testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}'] };
