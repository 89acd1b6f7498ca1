import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ApiDocument, operationsOf } from './document';
import { type Sample, samplesOf } from './samples';

const root = join(__dirname, '../../..');
const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as ApiDocument;
const run = promisify(execFile);

const samples = operationsOf(document).flatMap((listed) =>
  samplesOf(listed).map((sample) => ({ name: listed.operation.operationId, ...sample })),
);
const of = (title: Sample['title']): { name: string; code: string }[] => samples.filter((sample) => sample.title === title);

let folder: string;
beforeAll(() => {
  // In the tree, so that TypeScript finds the packages' types.
  mkdirSync(join(root, 'dist'), { recursive: true });
  folder = mkdtempSync(join(root, 'dist/samples-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('has a sample of every operation in three languages, but of two that the client leaves out', () => {
  const operations = operationsOf(document).length;
  expect([of('curl').length, of('Python').length, of('JavaScript').length]).toEqual([operations, operations, operations - 2]);
});

it('writes JavaScript that TypeScript accepts with the types of the client', async () => {
  for (const { name, code } of of('JavaScript')) writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
  const config = {
    extends: '../../tsconfig.base.json',
    compilerOptions: { noEmit: true, module: 'esnext', moduleResolution: 'bundler', types: ['node'], baseUrl: undefined },
    include: ['*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = await run(process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', folder], { cwd: root }).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toBe('');
}, 60_000);

it('writes commands of curl that a shell reads as one', async () => {
  const script = of('curl')
    .map(({ code }) => `curl() { printf '%s\\n' "$#"; }\n${code}`)
    .join('\n');
  const { stdout } = await run('sh', ['-c', script], { env: { ...process.env, SHEAF_KEY: 'k' } });
  // One line for each: the number of its arguments.
  expect(stdout.trim().split('\n')).toHaveLength(of('curl').length);
});

it('quotes JSON for the shell and writes it as Python does', () => {
  const operation = {
    operationId: 'note',
    summary: '',
    tags: [],
    security: [{}],
    requestBody: { content: { 'application/json': { schema: {}, example: { text: "It's", done: true, none: null, list: [] } } } },
    responses: {},
  };
  const [curl, javascript, python] = samplesOf({ method: 'post', path: '/notes', operation });
  expect(curl?.code).toContain(`"text": "It'\\''s"`);
  expect(javascript?.code).toContain('done: true,');
  expect(python?.code).toContain('"done": True,\n        "none": None,\n        "list": [],');
});
