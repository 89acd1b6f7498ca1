// The end-to-end tests whose result does not depend on the Node that runs Sheaf, so that Nx need not repeat them under another one: those of the
// application API, pages and console look at rules that the service tests hold under each Node; those of packages bring their own Nodes. What
// Node itself does, such as sockets, streams, signals and starting, is in the other folders.
const { reporters } = require('./base.cjs')('e2e-any-node');

module.exports = { ...require('./e2e.cjs'), reporters, testMatch: ['<rootDir>/test/{app,console,guides,packages,pages}/**/*.test.ts'] };
