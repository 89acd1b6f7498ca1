// Runs in a thread of its own: matches texts against patterns that may take long. Whoever asks ends the thread when that takes too long.
const { parentPort } = require('node:worker_threads');
const { RE2JS } = require('re2js');

// The same few patterns come again and again.
const keptAtMost = 4;
const compiled = new Map();

parentPort.on('message', ({ pattern, text }) => {
  const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
  compiled.delete(pattern);
  compiled.set(pattern, known);
  if (compiled.size > keptAtMost) compiled.delete(compiled.keys().next().value);
  parentPort.postMessage(known.matches(text));
});
parentPort.postMessage('ready');
