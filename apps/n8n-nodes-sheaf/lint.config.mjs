import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import ts from 'typescript-eslint';

// Not named eslint.config.mjs: the root's ESLint, of another version, would use it for the files here.

// As n8n's own tool lints community nodes before it accepts them, plus the checks of types of the rest of this repository.
const off = (...rules) => Object.fromEntries(rules.map((rule) => [`n8n-nodes-base/${rule}`, 'off']));

export default ts.config(
  { ignores: ['dist/**', '.tests/**', '**/*.mjs'] },
  {
    files: ['**/*.ts'],
    extends: [...ts.configs.strictTypeChecked, ...ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: ['./tsconfig.json', './tsconfig.tests.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
    },
  },
  // Node's test runner awaits the tests itself.
  { files: ['test/**/*.test.ts'], rules: { '@typescript-eslint/no-floating-promises': 'off' } },
  { files: ['credentials/**/*.ts', 'nodes/**/*.ts', 'package.json'], extends: [n8nCommunityNodesPlugin.configs.recommended] },
  {
    files: ['package.json'],
    plugins: { 'n8n-nodes-base': nodesBase },
    rules: nodesBase.configs.community.rules,
    languageOptions: { parser: ts.parser, parserOptions: { extraFileExtensions: ['.json'] } },
  },
  {
    files: ['credentials/**/*.ts'],
    plugins: { 'n8n-nodes-base': nodesBase },
    rules: {
      ...nodesBase.configs.credentials.rules,
      ...off('cred-class-field-documentation-url-miscased', 'cred-class-field-type-options-password-missing'),
    },
  },
  {
    files: ['nodes/**/*.ts'],
    plugins: { 'n8n-nodes-base': nodesBase },
    rules: {
      ...nodesBase.configs.nodes.rules,
      ...off(
        'node-class-description-inputs-wrong-regular-node',
        'node-class-description-outputs-wrong',
        'node-param-type-options-max-value-present',
      ),
    },
  },
);
