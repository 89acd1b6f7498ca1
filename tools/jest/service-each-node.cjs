// The service tests of what Node itself does: connections to NATS and PostgreSQL that break, fall silent or are encrypted, HTTP to subscribers,
// streams and cryptography. They are repeated under the other supported Node. Tests of what only our own code and the servers decide, such as which
// delivery is due, are not. The suite for the night has them on both.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const files = [
  'apps/delivery/test/attempts.test.ts',
  'apps/delivery/test/kept-connections.test.ts',
  'apps/delivery/test/listening.test.ts',
  'apps/delivery/test/own-headers.test.ts',
  'apps/delivery/test/seals.test.ts',
  'apps/delivery/test/trace.test.ts',
  'apps/delivery/test/webhook-keys.test.ts',
  'libs/events/test/outbox.test.ts',
  'libs/events/test/relay-dies.test.ts',
  'libs/events/test/signals.test.ts',
  'libs/events/test/stream-tail.test.ts',
  'libs/postgres/test/encrypted.test.ts',
  'libs/postgres/test/pooler.test.ts',
  'libs/postgres/test/reading.test.ts',
  'libs/postgres/test/silence.test.ts',
  'libs/postgres/test/statement.test.ts',
];

const root = join(__dirname, '../..');
const missing = files.filter((file) => !existsSync(join(root, file)));
if (missing.length > 0) throw new Error(`${__filename} names tests that are not there: ${missing.join(', ')}`);

module.exports = {
  ...require('./service.cjs'),
  ...require('./base.cjs')('each-node'),
  testMatch: files.map((file) => `**/${file}`),
  // Each project that has this target is named above.
  passWithNoTests: false,
};
