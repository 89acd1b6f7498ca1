module.exports = {
  ...require('./base.cjs')('service'),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Jest keeps a part of every test file's modules: more than 4 GB after fifty files, where Node gives up. So a worker that has become large is
  // replaced; without a limit, jest on two processors would run all files in its own process.
  workerIdleMemoryLimit: '1.5GB',
  globalSetup: require.resolve('./servers.cjs'),
  globalTeardown: require.resolve('./stop-servers.cjs'),
};
