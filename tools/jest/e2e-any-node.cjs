// The end-to-end tests whose result does not depend on the Node that runs Sheaf, so that Nx need not repeat them under another one: they look at
// rules that the service tests hold under each Node, at what Chromium does, and at packages, for which they bring their own Nodes.
const { reporters } = require('./base.cjs')('e2e-any-node');
const { testMatch } = require('./e2e-each-node.cjs');

module.exports = { ...require('./e2e.cjs'), reporters, testMatch: ['**/e2e/test/**/*.test.ts', ...testMatch.map((files) => `!${files}`)] };
