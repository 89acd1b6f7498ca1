// The end-to-end tests of what Node itself does: sockets, streams, large bodies, signals, starting and stopping, and one path through
// everything. They are repeated under the other supported Node. Tests of what only our own code decides, such as who finds what at which host, are
// not: they would start a second system for it. The suite for the night has them on both, as it has limits of rates and the page of the document.
const folders = ['api/{export,files,gateway,hostile-requests,large-pages,lifecycle}', 'public/{intake,main-path,webhook-signatures}'];

module.exports = {
  ...require('./e2e.cjs'),
  ...require('./base.cjs')('each-node'),
  testMatch: folders.map((files) => `**/e2e/test/${files}.test.ts`),
};
