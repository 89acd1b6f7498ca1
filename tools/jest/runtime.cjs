// How jest loads modules here: as always, each test file has a context and instances of its own; but a file that several of them load is
// compiled once in a process. Jest compiles it again for each test file, which took a fifth of the processor time of unit tests. Node compiles
// a function's body when it is first called, and a kept script keeps these too.
//
// Large packages without state of a test are loaded once in a process as well, and are no modules of the test's context, as little as those of
// Node itself. So are the validators that `Documented` makes of the API's document: they took a third of the time of a short end-to-end test.
//
// Tests have no `import()`, which swc turns into `require`, so that scripts need no callback for it; with one, V8 could not share them.
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ofTheProcess = new Set(['ajv/dist/2020', 'ajv-formats', 'playwright-core']);
const kept = new Map();

/** By file. The source is compared, as it changes where jest watches. */
const scripts = new Map();

function scriptOf(filename, source, parameters) {
  const kept = scripts.get(filename);
  if (kept?.source === source) return kept.script;
  // On the first line, so that the lines of stack traces are right.
  const opening = `(function (${parameters.join(', ')}) {`;
  const script = new Script(`${opening}${source}\n})`, { filename, columnOffset: -opening.length });
  scripts.set(filename, { source, script });
  return script;
}

module.exports = class extends Runtime {
  constructor(...args) {
    super(...args);
    this._environment.global.keptForAllFiles = kept;
    const { executor } = this;
    const compile = executor.compile.bind(executor);
    executor.compile = (source, filename) => {
      const context = this._environment.getVmContext();
      if (context === null) return null;
      try {
        return scriptOf(filename, source, executor.injectedModuleParameters).runInContext(context);
      } catch {
        // Jest explains what is wrong in the source.
        return compile(source, filename);
      }
    };
  }

  requireModuleOrMock(from, name) {
    return ofTheProcess.has(name) ? require(name) : super.requireModuleOrMock(from, name);
  }
};
