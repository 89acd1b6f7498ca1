// Starts the longest end-to-end tests first, so that at the end no processor waits for one of them. On a fresh machine jest knows no durations, and
// takes files for long that have many lines. `npm test` ends with the ten slowest files; an order that is not quite right costs seconds.
const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const longest = [
  'guides',
  'operator',
  'outages',
  'lifecycle',
  'instances',
  'every-operation',
  'steps',
  'erasing',
  'command-line',
  'export',
  'once',
  'choices',
  'criteria',
  'fuzz',
  'haste',
  'submissions',
  'places',
  'accessible',
  'hosts',
  'hostile',
  'embedding',
  'access-code',
  'settings',
  'documentation',
];

const rankOf = ({ path }) => {
  const at = longest.indexOf(basename(path, '.test.ts'));
  return at < 0 ? longest.length : at;
};

module.exports = class LongestFirst extends Sequencer {
  async sort(tests) {
    // The sort is stable: the others stay in jest's order.
    return [...(await super.sort(tests))].sort((one, other) => rankOf(one) - rankOf(other));
  }
};
