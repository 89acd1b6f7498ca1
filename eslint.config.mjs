import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import regexp from 'eslint-plugin-regexp';
import ts from 'typescript-eslint';

/** The imports allowed between layers. A layer that is not named on the left may import nothing of ours. */
const layers = {
  kernel: [],
  embedded: [],
  'data-dir': [],
  runtime: ['kernel'],
  egress: ['kernel', 'testing'],
  contracts: ['kernel'],
  'form-view': ['kernel', 'contracts', 'testing'],
  rpc: ['kernel', 'runtime', 'contracts', 'testing'],
  postgres: ['kernel', 'runtime', 'testing'],
  events: ['kernel', 'runtime', 'contracts', 'postgres', 'testing'],
  testing: ['kernel', 'runtime', 'contracts', 'rpc', 'postgres', 'events', 'egress', 'embedded'],
  // Contracts for their types, and for the rules that have no zod in them. Testing for the tests of its screens.
  console: ['client', 'contracts', 'form-view', 'testing'],
  gateway: ['kernel', 'runtime', 'contracts', 'rpc', 'events', 'testing'],
  pages: ['kernel', 'runtime', 'contracts', 'rpc', 'form-view', 'testing'],
  service: ['kernel', 'runtime', 'contracts', 'rpc', 'postgres', 'events', 'egress', 'testing'],
  // Hosts the others, each of which imports none of them.
  all: ['kernel', 'runtime', 'gateway', 'pages', 'service'],
  system: ['kernel', 'embedded', 'data-dir', 'client'],
  generators: [],
  demo: ['client'],
  // Published packages depend on nothing.
  client: [],
  webhooks: [],
  mcp: [],
  deploy: ['kernel', 'runtime', 'contracts', 'events', 'rpc'],
  sheaf: ['kernel', 'contracts', 'embedded', 'data-dir'],
  docs: ['contracts'],
  release: ['kernel', 'embedded'],
  e2e: ['kernel', 'contracts', 'testing', 'embedded', 'client', 'webhooks'],
  crash: ['kernel', 'contracts', 'testing'],
  bench: ['kernel', 'contracts', 'testing', 'client'],
};

const banned = {
  gateway: ['knex', 'pg'],
  pages: ['knex', 'pg', 'http-proxy-middleware'],
  service: ['express', 'http-proxy-middleware'],
};

const depConstraints = Object.entries(layers).map(([layer, may]) => ({
  sourceTag: `layer:${layer}`,
  onlyDependOnLibsWithTags: may.map((other) => `layer:${other}`),
  ...(banned[layer] ? { bannedExternalImports: banned[layer] } : {}),
}));

/** The tests of these use the testing library, which is itself made of them; their code does not (see no-restricted-imports below). */
const testedWithTesting = ['rpc', 'postgres', 'events', 'egress'].map((lib) => [lib, 'testing']);

export default ts.config(
  { ignores: ['**/dist/**', '**/.tests/**', '**/generated/**', '**/node_modules/**', '.nx/**', '.data/**'] },
  js.configs.recommended,
  {
    // The time of a regular expression is in proportion to the length of the text, wherever the text comes from: a text of 80,000 spaces once
    // stopped a service for minutes.
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': 'error', 'regexp/no-super-linear-move': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    // The rules that need types are in .oxlintrc.json: oxlint checks the whole tree in the time in which ESLint loads the types of one project.
    extends: [ts.configs.strict, ts.configs.stylistic],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { depConstraints, ignoredCircularDependencies: testedWithTesting }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-extraneous-class': 'off',
      'no-console': 'error',
      // Prettier breaks long calls so that this rule mistakes them; it also puts in each semicolon.
      'no-unexpected-multiline': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        AbortSignal: 'readonly',
        performance: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  {
    // The testing library starts servers and reads everything: it is for tests alone.
    files: ['apps/*/src/**/*.ts', 'libs/!(testing)/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: '@sheaf/testing', message: 'Only tests may import it.' },
            {
              name: '@sheaf/postgres',
              importNames: ['connectTo'],
              message: 'openDatabase and openForCommand heed what a pooler in front of the database needs.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['tools/*/src/**/*.ts', 'apps/e2e/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
);
