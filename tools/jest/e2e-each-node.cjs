// The end-to-end tests of what Node itself does: sockets, streams, large bodies, signals, starting and stopping, and one path through
// everything. They are repeated under the other supported Node.
const folders = ['api/{export,files,gateway,hostile-requests,large-pages,lifecycle}', 'public/*'];

module.exports = {
  ...require('./e2e.cjs'),
  ...require('./base.cjs')('each-node'),
  testMatch: folders.map((files) => `**/e2e/test/${files}.test.ts`),
};
