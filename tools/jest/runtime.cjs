// How jest loads modules here. Each test file has instances of its own of Sheaf's modules, as always; but a file that several of them load is
// compiled once in a process. Jest compiles it again for each test file, which took a fifth of the processor time of unit tests. Node compiles
// a function's body when it is first called, and a kept script keeps these too.
//
// Large packages without state of a test are loaded once in a process as well, and are no modules of the test's context, as little as those of
// Node itself. So are the validators that `Documented` makes of the API's document: they took a third of the time of a short end-to-end test.
// For test files that run in the context of the process (environment.cjs), that holds for all packages, since both have the same classes.
//
// Tests have no `import()`, which swc turns into `require`, so that scripts need no callback for it; with one, V8 could not share them.
const { createRequire, isBuiltin } = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { loading } = require('./environment.cjs');

const ofTheProcess = new Set(['ajv/dist/2020', 'ajv-formats', 'playwright-core']);
/** In the context of the process, jest loads paths, Sheaf's own, Node's and its own, and packages that keep what a test file has counted or traced. */
const byJest = /^(?:[./]|@sheaf\/|node:|@jest\/|prom-client$|@opentelemetry\/)/;
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

/** By folder of the file that requires, and by name: what Node has loaded. */
const packages = new Map();

function loadPackage(from, name) {
  const folder = dirname(from);
  const loaded = packages.get(folder) ?? new Map();
  packages.set(folder, loaded);
  if (!loaded.has(name)) {
    const load = createRequire(from);
    const file = load.resolve(name);
    loaded.set(name, load.cache[file]?.loaded || isBuiltin(file) ? load(name) : loading(() => load(name)));
  }
  return loaded.get(name);
}

module.exports = class extends Runtime {
  constructor(...args) {
    super(...args);
    this.isInProcess = this._environment.global === globalThis;
    this._environment.global.keptForAllFiles = kept;
    const { executor } = this;
    const compile = executor.compile.bind(executor);
    executor.compile = (source, filename) => {
      const context = this._environment.getVmContext();
      if (context === null) return null;
      try {
        const script = scriptOf(filename, source, executor.injectedModuleParameters);
        return this.isInProcess ? script.runInThisContext() : script.runInContext(context);
      } catch {
        // Jest explains what is wrong in the source.
        return compile(source, filename);
      }
    };
  }

  requireModuleOrMock(from, name) {
    const isOfProcess = this.isInProcess ? !byJest.test(name) && !from.includes('/node_modules/') : ofTheProcess.has(name);
    return isOfProcess ? loadPackage(from, name) : super.requireModuleOrMock(from, name);
  }
};
