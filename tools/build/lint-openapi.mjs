// Checks docs/openapi.json against Redocly's strictest rules. Needs no network; prints any problems and then exits with 1.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const file = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs/openapi.json');
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // The contract itself has /hooks/subscribe beside /hooks/{id}. The literal path is matched first, and no id equals "subscribe".
    'no-ambiguous-paths': 'off',
    'operation-description': 'error',
    'parameter-description': 'error',
    'tag-description': 'error',
  },
});
const problems = await lintFromString({ source: readFileSync(file, 'utf8'), absoluteRef: file, config });
for (const { ruleId, message, location } of problems) console.error(`${ruleId}: ${message} at ${location[0]?.pointer ?? '?'}`);
process.exitCode = problems.length === 0 ? 0 : 1;
