// The end-to-end tests whose result does not depend on the Node that runs Sheaf, so that Nx need not repeat them under another one: those of the
// console look at what Chromium does with answers that other tests get under each Node, and those of the packages bring their own Nodes.
module.exports = {
  ...require('./e2e.cjs'),
  ...require('./base.cjs')('e2e-any-node'),
  testMatch: ['<rootDir>/test/{console,packages}/**/*.test.ts'],
};
