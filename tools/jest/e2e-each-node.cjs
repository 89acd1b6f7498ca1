// The end-to-end tests of what Node itself does: sockets, streams, large bodies, signals, starting and stopping. All others are in
// e2e-any-node.cjs.
const folders = [
  'api/{export,files,fuzz,gateway,hostile-*,large-pages}',
  'operations/{broker-outage,db,event-streams,logs,probes,rolling,sample-form,traces}',
  'public/*',
];

module.exports = { ...require('./e2e.cjs'), testMatch: folders.map((files) => `**/e2e/test/${files}.test.ts`) };
