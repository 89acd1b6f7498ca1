// Settings shared by all jest runs. The configurations beside this file differ in the tests that they select.
const { createHash } = require('node:crypto');
const { join } = require('node:path');

const root = join(__dirname, '../..');

/** Packages, our own too, load when something of them is used: loading all that a file could use took most test files seconds. */
const swc = (parser) => [
  join(__dirname, 'transform.cjs'),
  { jsc: { target: 'es2023', parser, transform: { react: { runtime: 'automatic' } } }, module: { type: 'commonjs', lazy: true } },
];

/** @param {string} kind names the file in which the reporter counts */
module.exports = (kind) => ({
  // Names the folder of transformed sources, which all projects of a clone share.
  id: createHash('sha256').update(root).digest('hex').slice(0, 32),
  testEnvironment: join(__dirname, 'environment.cjs'),
  runtime: join(__dirname, 'runtime.cjs'),
  transform: {
    '\\.[jt]s$': swc({ syntax: 'typescript' }),
    '\\.tsx$': swc({ syntax: 'typescript', tsx: true }),
  },
  // Packages are not transformed, except those that ship ES modules only, which jest cannot load: client-zip, file-type, age-encryption, and their dependencies.
  transformIgnorePatterns: [
    '/node_modules/(?!(?:client-zip|file-type|strtok3|token-types|uint8array-extras|@tokenizer/inflate|@borewit/text-codec|age-encryption|@noble|@scure)/)',
  ],
  moduleNameMapper: { '^@sheaf/([a-z-]+)$': join(root, 'libs/$1/src/index.ts') },
  passWithNoTests: true,
  // Only a test that hangs reaches this limit, on the busiest machine.
  testTimeout: 300_000,
  // By default jest kills a worker half a second after its last test, with a warning that blames the tests. A busy machine takes longer to end a process.
  workerGracefulExitTimeout: 60_000,
  // The browser of a process ends some seconds after its last test file (libs/testing/src/browser/in-browser.ts); jest would warn after one.
  openHandlesTimeout: 10_000,
  reporters: ['default', [join(__dirname, 'report.cjs'), { kind }]],
});
