import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { routes } from '../routes';
import type { Services } from '../routes/services';
import { currentDocument } from './current';
import { openApiDocument, operationId } from './document';

const root = join(__dirname, '../../../..');
const rows = routes({} as Services);
const document = openApiDocument(rows);
const each = rows.map((row) => [`${row.method.toUpperCase()} ${row.path}`, row] as const);

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { example: unknown }> };
  responses: Record<string, { content?: Record<string, { example: unknown }> }>;
}
const operationOf = ({ path, method }: (typeof rows)[number]) => document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method] as unknown as Operation;
const accepts = (shape: z.ZodType, value: unknown) => expect(shape.safeParse(value)).toMatchObject({ success: true });

it('is what docs/openapi.json says; `npx nx run gateway:openapi` writes it anew', () => {
  expect(readFileSync(join(root, 'docs/openapi.json'), 'utf8')).toBe(currentDocument());
});

it('is clean under the strictest rules of a linter', () => {
  // A process of its own, as the linter is an ES module, which jest cannot load.
  execFileSync(process.execPath, [join(root, 'tools/lint-openapi.mjs')], { timeout: 30_000, stdio: 'pipe' });
});

it('names every operation differently', () => {
  const ids = rows.map(({ summary }) => operationId(summary));
  expect(new Set(ids).size).toBe(rows.length);
  expect(operationId('Get the fields of a form')).toBe('getFieldsOfForm');
});

describe.each(each)('%s', (_, row) => {
  it('has examples that its own shapes accept', () => {
    const { requestBody, responses } = operationOf(row);
    if (row.body) accepts(row.body, requestBody?.content['application/json']?.example);
    if (row.reply) accepts(row.reply, responses[row.status]?.content?.['application/json']?.example);
  });

  it('documents every refusal of its row, and those that every operation has', () => {
    const statuses = Object.keys(operationOf(row).responses).map(Number);
    expect(statuses).toEqual(expect.arrayContaining([...row.errors, row.status, 500, 503]));
    expect(statuses.includes(413)).toBe((row.body ?? row.signedBody ?? row.upload) !== undefined);
  });
});

it('lets a client meet fields that it does not know yet', () => {
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});
