// What all of jest's runs share. The three configurations beside this file differ in which tests they take.
const { join } = require('node:path');

const root = join(__dirname, '../..');

/** @param {'unit' | 'service' | 'e2e'} kind */
module.exports = (kind) => ({
  testEnvironment: 'node',
  transform: { '\\.[jt]s$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }] },
  // Packages come as they are, but for those that are ES modules only, which jest cannot load: file-type and what it is made of.
  transformIgnorePatterns: [
    '/node_modules/(?!(?:file-type|strtok3|token-types|uint8array-extras|@tokenizer/inflate|@borewit/text-codec)/)',
  ],
  moduleNameMapper: { '^@sheaf/([a-z]+)$': join(root, 'libs/$1/src/index.ts') },
  passWithNoTests: true,
  // How long a test takes that fails; the others do not come near it, also on a machine that is busy with something else.
  testTimeout: 60_000,
  reporters: ['default', [join(__dirname, 'count-reporter.cjs'), { kind }]],
});
