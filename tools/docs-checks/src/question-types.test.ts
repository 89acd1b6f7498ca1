import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { filesBelow, root } from './repository';

/** Where a type of question is told: a file, a line there that tells one that exists, and the line for a made-up one. */
interface Place {
  file: string;
  after: string;
  line: string;
}

const table: Place = {
  file: 'libs/contracts/src/fields/field-kinds.ts',
  after: '  rating: {',
  line: "  scale: { answer: 'whole', given: 'chosen', settings: ['min', 'max'], bounds: { min: 0, max: 10 } },",
};

const words = join(root, 'apps/console/src/words/languages');

const places: readonly Place[] = [
  {
    file: 'libs/form-view/src/fields/question.tsx',
    after: '  integer: {',
    line: '  scale: { draw: (control) => <Rating control={control} /> },',
  },
  { file: 'apps/forms/src/xlsform/questions.ts', after: '  rating: [', line: '  scale: [],' },
  { file: 'apps/console/src/builder/model/kinds.ts', after: '  rating: {', line: "  scale: { group: 'choice', icon: Star }," },
  ...readdirSync(words).flatMap((language) =>
    ["  scale: 'points',", "  scale: 'Scale', scaleHelp: 'A point on a line',"].map((line, part) => ({
      file: `apps/console/src/words/languages/${language}`,
      after: part === 0 ? '    short_text: ' : '    ratingHelp: ',
      line,
    })),
  ),
];

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'sheaf-question-types-'));
  const isCopied = (path: string) => !/\.test\.tsx?$|\/(?:n8n-nodes-sheaf|zapier|e2e|node_modules|screens|test|night|dist)$/.test(path);
  for (const folder of ['apps', 'libs', 'docs', 'proto'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isCopied });
  for (const file of ['package.json', 'tsconfig.base.json']) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const config = {
    extends: './tsconfig.base.json',
    compilerOptions: { lib: ['es2023', 'es2024.string', 'dom', 'dom.iterable'], types: ['vite/client', 'node', 'jest'] },
    include: ['apps/*/src', 'libs/*/src'],
    exclude: ['libs/testing'],
  };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function fillIn({ file, after, line }: Place): void {
  const lines = readFileSync(join(copy, file), 'utf8').split('\n');
  const at = lines.findIndex((each) => each.startsWith(after));
  if (at < 0) throw new Error(`${file} has no line that begins with "${after}".`);
  writeFileSync(join(copy, file), lines.toSpliced(at, 0, line).join('\n'));
}

/** The generated client knows a type once the API's document has it. */
function generateClient(): void {
  const file = join(copy, 'libs/client/src/generated/types.gen.ts');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replaceAll("'number' | 'integer' | 'rating'", "'number' | 'integer' | 'rating' | 'scale'"),
  );
}

/** The errors of the compiler: each with its file. */
async function errors(): Promise<string[]> {
  const compile = promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', 'tsconfig.json', '--pretty', 'false'],
    {
      cwd: copy,
    },
  );
  const output = await compile.then(
    () => '',
    (thrown: unknown) => (thrown as { stdout: string }).stdout,
  );
  return output.split('\n').filter((line) => /^\S+\(\d+,\d+\): error/.test(line));
}

const fileOf = (error: string): string => error.slice(0, error.indexOf('('));

it('does not compile with a new type of question until each place that tells types has it, and then does', async () => {
  fillIn(table);
  generateClient();
  // Without its names, whatever shows them does not compile either. Other languages follow the English one.
  const forgotten = places.map(({ file }) => file).filter((file) => !file.includes('/languages/') || basename(file) === 'en.ts');
  expect((await errors()).map(fileOf)).toEqual(expect.arrayContaining(forgotten));

  for (const place of places) fillIn(place);
  expect(await errors()).toEqual([]);
});

it('costs at most ten files to add a type of question', () => {
  expect(new Set([table, ...places].map(({ file }) => file)).size).toBeLessThanOrEqual(10);
});

it('asks in no code for a type by its name, but for what it is', () => {
  // Names that are neither a kind of answer nor anything else.
  const name = "'(?:short_text|long_text|multi_select|rating|select)'";
  const asked = new RegExp(`type [!=]== ${name}|case ${name}|${name}[^\\]\\n]*\\]\\.(?:includes|some)|new Set\\(\\[[^\\]]*${name}`);
  const code = [...filesBelow('apps'), ...filesBelow('libs')].filter(
    (path) => /\/src\/.*\.tsx?$/.test(path) && !path.endsWith('.test.ts') && !path.includes('/zapier/'),
  );
  expect(code.length).toBeGreaterThan(1_000);
  expect(code.filter((path) => asked.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

/** The published packages cannot load the table, and take a type that they do not know for a text. */
it.each([
  ['apps/n8n-nodes-sheaf/nodes/api/answers.ts', ['number', 'whole', 'boolean', 'datetime', 'option', 'options', 'file']],
  // It knows options by themselves.
  ['apps/zapier/src/fields.ts', ['number', 'whole', 'boolean', 'datetime', 'options', 'file']],
])('names in %s each type whose answers are no text', (file, kinds) => {
  const code = readFileSync(join(root, file), 'utf8');
  const types = [...readFileSync(join(root, table.file), 'utf8').matchAll(/^ {2}(\w+): \{\s*answer: '(\w+)'/gm)];
  expect(types.length).toBeGreaterThan(15);
  const wanted = types.flatMap(([, type = '', kind = '']) => (kinds.includes(kind) ? [type] : []));
  expect(wanted.filter((type) => !new RegExp(`\\b${type}\\b`).test(code))).toEqual([]);
});
