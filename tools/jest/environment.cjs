// The environment of a test file: the context of the process itself, where the default environment makes a new one. So the packages that a
// process has loaded, and what V8 has learnt of them, serve all its test files; they were a quarter of the processor time of services' tests.
//
// In exchange a file could leave something to the next one. Its changes of the process are put back and fail it, so that the test that made
// them is mended, and not the one that would suffer from them. The changes that a package makes while it loads stay, as the package does.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Signals and failures: a listener that a test adds and leaves would answer for the next one. Others, such as of `exit`, modules add as they load. */
const watchedEvents = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'message', 'disconnect'];

/** Jest sets these for each file. */
const ofJest =
  /jest|expect|^(?:afterAll|afterEach|beforeAll|beforeEach|describe|fdescribe|fit|it|test|xdescribe|xit|xtest|console|keptForAllFiles)$/i;

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The objects of the language and of Node that all code shares: the globals, and what they and their prototypes have. */
function sharedObjects() {
  const shared = new Map([['globalThis', globalThis]]);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    if (!isObject(value) || ofJest.test(name) || value === globalThis || name === 'process') continue;
    shared.set(name, value);
    if (typeof value === 'function' && isObject(value.prototype)) shared.set(`${name}.prototype`, value.prototype);
  }
  return shared;
}

const shared = sharedObjects();
const isSame = (one, other) => Object.is(one?.value, other?.value) && one?.get === other?.get && one?.set === other?.set;
/** Node replaces some getters of its globals by the value when one first asks for it. */
const isLoaded = (before, now) => before?.get !== undefined && now !== undefined && before.get.call(globalThis) === now.value;

/** Jest keeps its state under symbols, and changes how errors are shown. */
const isOfJest = (owner, key) =>
  (owner === 'globalThis' && (typeof key === 'symbol' || ofJest.test(key))) ||
  (owner === 'Error' && ['stackTraceLimit', 'prepareStackTrace'].includes(key));

const stateOfShared = () => new Map([...shared].map(([name, owner]) => [name, Object.getOwnPropertyDescriptors(owner)]));

/** The differences from a state: the object, its name, and the key. */
function* changesSince(state) {
  for (const [name, owner] of shared) {
    const before = state.get(name);
    const now = Object.getOwnPropertyDescriptors(owner);
    for (const key of new Set([...Reflect.ownKeys(before), ...Reflect.ownKeys(now)]))
      if (!isSame(before[key], now[key]) && !isLoaded(before[key], now[key])) yield { name, owner, key };
  }
}

/** The one of the test file that runs. */
let current;

module.exports = class ProcessEnvironment {
  /** Loads a package, and keeps what it changes of shared objects. */
  static loading(load) {
    if (!current) return load();
    const state = stateOfShared();
    const loaded = load();
    for (const { name, owner, key } of changesSince(state)) current.before.get(name)[key] = Object.getOwnPropertyDescriptor(owner, key);
    return loaded;
  }

  constructor({ projectConfig }, { testPath }) {
    this.testPath = testPath;
    current = this;
    this.before = stateOfShared();
    this.variables = process.env;
    this.env = { ...process.env };
    this.exit = process.exit;
    this.listeners = new Map(process.eventNames().map((name) => [name, process.listeners(name)]));

    this.global = globalThis;
    // Only whether there is one matters: the runtime runs all code in this context.
    this.context = {};
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    Error.stackTraceLimit = 100;
  }

  setup() {}

  teardown() {
    this.context = null;
    this.fakeTimersModern.dispose();
    // A spy ends with its file, also one on a module of Node or of a package.
    this.moduleMocker.restoreAllMocks();
    const left = [...this.putBackObjects(), ...this.putBackVariables(), ...this.putBackListeners()];
    process.exit = this.exit;
    if (left.length > 0) throw new Error(`${this.testPath} left to the next test file of its process: ${left.join(', ')}`);
  }

  putBackObjects() {
    const left = [];
    for (const { name, owner, key } of changesSince(this.before)) {
      if (!isOfJest(name, key)) left.push(`${name}.${String(key)}`);
      const before = this.before.get(name)[key];
      if (before) Object.defineProperty(owner, key, before);
      else Reflect.deleteProperty(owner, key);
    }
    return left;
  }

  putBackVariables() {
    process.env = this.variables;
    const changed = [...new Set([...Object.keys(this.env), ...Object.keys(process.env)])].filter(
      (name) => this.env[name] !== process.env[name],
    );
    for (const name of changed) {
      if (this.env[name] === undefined) delete process.env[name];
      else process.env[name] = this.env[name];
    }
    return changed.map((name) => `the variable ${name}`);
  }

  putBackListeners() {
    return process.eventNames().flatMap((name) => {
      const added = process.listeners(name).filter((listener) => !this.listeners.get(name)?.includes(listener));
      for (const listener of added) process.removeListener(name, listener);
      return watchedEvents.includes(name) ? added.map(() => `a listener of ${name}`) : [];
    });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return this.context;
  }
};
