import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import ts from 'typescript-eslint';

/** Who may import whom. A layer that is not named on the left may import nothing of ours. */
const layers = {
  kernel: [],
  embedded: [],
  runtime: ['kernel'],
  egress: ['kernel', 'testing'],
  contracts: ['kernel'],
  'form-view': ['kernel', 'contracts', 'testing'],
  rpc: ['kernel', 'runtime', 'contracts', 'testing'],
  postgres: ['kernel', 'runtime', 'testing'],
  events: ['kernel', 'runtime', 'contracts', 'postgres', 'testing'],
  testing: ['kernel', 'runtime', 'contracts', 'rpc', 'postgres', 'events', 'egress', 'embedded'],
  // Contracts for their types, and for the rules that have no zod in them.
  console: ['client', 'contracts', 'form-view'],
  gateway: ['kernel', 'runtime', 'contracts', 'rpc', 'events', 'testing'],
  pages: ['kernel', 'runtime', 'contracts', 'rpc', 'form-view', 'testing'],
  service: ['kernel', 'runtime', 'contracts', 'rpc', 'postgres', 'events', 'egress', 'testing'],
  system: ['kernel', 'embedded', 'client'],
  generators: [],
  demo: ['client'],
  // Published packages depend on nothing.
  client: [],
  webhooks: [],
  deploy: ['kernel', 'runtime', 'contracts', 'events', 'rpc'],
  sheaf: ['kernel', 'contracts'],
  docs: [],
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
  // Packages with their own tools, outside the root install.
  { ignores: ['apps/n8n-nodes-sheaf/**', 'apps/zapier/**', 'dist/**', '**/generated/**', 'node_modules/**', '.nx/**', '.data/**'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...ts.configs.strictTypeChecked, ...ts.configs.stylisticTypeChecked],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': ['error', { depConstraints, ignoredCircularDependencies: testedWithTesting }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-extraneous-class': 'off',
      // Takes every plain object for a failed attempt at the class that a library's type is declared as.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
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
    // Its router is told by what is thrown that it should go elsewhere.
    files: ['apps/console/src/router.tsx'],
    rules: {
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
    },
  },
  {
    // The testing library starts servers and reads everything: it is for tests alone.
    files: ['apps/*/src/**/*.ts', 'libs/!(testing)/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [{ name: '@sheaf/testing', message: 'Only tests may import it.' }] }] },
  },
  {
    files: ['tools/*/src/**/*.ts', 'apps/e2e/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
);
