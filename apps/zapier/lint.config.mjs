import js from '@eslint/js';
import ts from 'typescript-eslint';

// Not named eslint.config.mjs: the root's ESLint, of another version, would use it for the files here.
export default ts.config(
  { ignores: ['dist/**', '.tests/**', '**/*.mjs'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...ts.configs.strictTypeChecked, ...ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: ['./tsconfig.json', './tsconfig.tests.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
    },
  },
  // Node's test runner awaits the tests itself.
  { files: ['test/**/*.test.ts'], rules: { '@typescript-eslint/no-floating-promises': 'off' } },
);
