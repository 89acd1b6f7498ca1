// End-to-end tests that start all the systems that they need themselves.
module.exports = { ...require('./e2e.cjs'), globalSetup: undefined, globalTeardown: undefined };
