import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recipesOf } from './recipes';

const page = readFileSync(join(__dirname, '../../../../docs/verify-webhooks.md'), 'utf8');

it('shows how to verify a signature in five languages and with a secret, for this instance', () => {
  const recipes = recipesOf(page, 'https://answers.example.net');
  expect(recipes.map(({ language }) => language)).toEqual(['JavaScript', 'With a secret of its own', 'Python', 'Go', 'PHP', 'Ruby']);
  expect(recipes[0]?.code).toContain("origin: 'https://answers.example.net'");
  for (const { code } of recipes) expect(code).not.toContain('forms.example.org');
});
