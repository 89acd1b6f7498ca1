import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as client from './index';

const root = join(__dirname, '../../..');
const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};

it('the generated files are those of docs/openapi.json; `npx nx run client:generate` writes them', () => {
  const parent = mkdtempSync(join(tmpdir(), 'sheaf-client-'));
  try {
    // Beside other folders, as the files refer to what is beside them.
    const fresh = join(parent, 'generated');
    execFileSync(process.execPath, [join(root, 'tools/build/generate-client.mjs'), fresh], { timeout: 240_000 });
    const committed = join(__dirname, 'generated');
    expect(readdirSync(committed).sort()).toEqual(readdirSync(fresh).sort());
    for (const file of readdirSync(fresh)) {
      const isCurrent = readFileSync(join(committed, file), 'utf8') === readFileSync(join(fresh, file), 'utf8');
      expect([file, isCurrent]).toEqual([file, true]);
    }
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});

it('has every operation of the contract but the one that only Stripe can call', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));
  expect(operations.filter((name) => !(name in client))).toEqual(['receiveStripeEvent']);
});
