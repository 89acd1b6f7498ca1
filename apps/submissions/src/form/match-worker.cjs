// Runs in its own thread and matches text against patterns that may take long. The caller ends the thread when a match takes too long.
const { parentPort } = require('node:worker_threads');
const { RE2JS } = require('re2js');

// The same few patterns recur.
const maxCompiled = 4;
const compiled = new Map();

parentPort.on('message', ({ pattern, text }) => {
  const known = compiled.get(pattern) ?? RE2JS.compile(pattern);
  compiled.delete(pattern);
  compiled.set(pattern, known);
  if (compiled.size > maxCompiled) compiled.delete(compiled.keys().next().value);
  parentPort.postMessage(known.matches(text));
});
parentPort.postMessage('ready');
