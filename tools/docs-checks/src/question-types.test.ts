import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fencesOf, picturesOf } from './markdown';
import { filesBelow, root } from './repository';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The types of questions, each with what its answers are. */
const types = [...read('libs/contracts/src/fields/field-kinds.ts').matchAll(/^ {2}(\w+): \{\s*answer: '(\w+)',\s*given: '(\w+)'/gm)].map(
  ([, type = '', answer = '', given = '']) => ({ type, answer, given }),
);

it('asks in no code for a type by its name, but for what it is', () => {
  // Names that are neither a kind of answer nor anything else.
  const name = "'(?:short_text|long_text|multi_select|rating|select)'";
  const asked = new RegExp(`type [!=]== ${name}|case ${name}|${name}[^\\]\\n]*\\]\\.(?:includes|some)|new Set\\(\\[[^\\]]*${name}`);
  const code = [...filesBelow('apps'), ...filesBelow('libs')].filter(
    (path) => /\/src\/.*\.tsx?$/.test(path) && !path.endsWith('.test.ts') && !path.includes('/zapier/'),
  );
  expect(code.length).toBeGreaterThan(1_000);
  expect(code.filter((path) => asked.test(read(path)))).toEqual([]);
});

/** The published packages cannot load the table, and take a type that they do not know for a text. */
it.each([
  [
    'apps/n8n-nodes-sheaf/nodes/api/answers.ts',
    ['number', 'whole', 'boolean', 'datetime', 'date_range', 'address', 'matrix', 'items', 'option', 'options', 'file'],
  ],
  // It knows options by themselves.
  ['apps/zapier/src/fields.ts', ['number', 'whole', 'boolean', 'datetime', 'date_range', 'address', 'matrix', 'items', 'options', 'file']],
])('names in %s each type whose answers are no text', (file, kinds) => {
  expect(types.length).toBeGreaterThan(15);
  const wanted = types.filter(({ answer }) => kinds.includes(answer)).map(({ type }) => type);
  expect(wanted.filter((type) => !new RegExp(`\\b${type}\\b`).test(read(file)))).toEqual([]);
});

it.each([
  ['libs/form-view/src/fields/fields.test.ts', types.filter(({ given }) => given !== 'hidden')],
  ['apps/e2e/test/pages/every-field.test.ts', types],
])('names in %s each type of question, so that none goes untested', (file, tested) => {
  expect(tested.map(({ type }) => type).filter((type) => !new RegExp(`'${type}'`).test(read(file)))).toEqual([]);
});

it('costs ten files of code to add a kind of answer, its setting and its faults', () => {
  const own = /date_range|max_days|ends_before_start|too_many_days|CalendarRange/;
  const isWords = /\/words\/(?:languages\/)?[a-z]{2}(?:-hant)?\.ts$/;
  const code = [...filesBelow('apps'), ...filesBelow('libs')].filter(
    (path) => /\/(?:src|nodes)\/.*\.(?:tsx?|css)$/.test(path) && !/\.test\.tsx?$|\/generated\/|\/e2e\//.test(path) && !isWords.test(path),
  );
  expect(
    code
      .filter((path) => own.test(read(path)))
      .map((path) => path.split('/').slice(0, 2).join('/'))
      .sort(),
  ).toEqual([
    ...['apps/console', 'apps/n8n-nodes-sheaf', 'apps/zapier'],
    ...Array.from({ length: 5 }, () => 'libs/contracts'),
    ...Array.from({ length: 2 }, () => 'libs/form-view'),
  ]);
});

describe('docs/guides/questions.md', () => {
  const guide = { path: 'docs/guides/questions.md', text: read('docs/guides/questions.md') };
  const examples = fencesOf(guide).flatMap(({ language, file = '', code }) => {
    const { type } = (language === 'json' ? JSON.parse(code) : {}) as { type?: string };
    return type === undefined ? [] : [{ type, name: file.replace(/\.json$/, '') }];
  });
  const pictures = picturesOf(guide);
  // None of a question that people never see.
  const shown = examples.filter(({ type }) => type !== 'hidden').map(({ name }) => `pictures/${name}.webp`);

  it('has a question of each type, and below each its picture', () => {
    expect(types.map(({ type }) => type).filter((type) => !examples.some((example) => example.type === type))).toEqual([]);
    expect(pictures.map(({ target }) => target)).toEqual(shown);
    expect([...filesBelow('docs/guides/pictures')].sort()).toEqual(shown.map((target) => `docs/guides/${target}`).sort());
  });

  it('says what is on each picture', () => {
    expect(pictures.filter(({ alt }) => alt.length < 20)).toEqual([]);
    expect(new Set(pictures.map(({ alt }) => alt)).size).toBe(pictures.length);
  });

  it('has pictures as wide as a page, and small ones', () => {
    const files = shown.map((target) => ({ target, bytes: readFileSync(join(root, 'docs/guides', target)) }));
    // Its header of WebP has the width less one.
    expect(files.filter(({ bytes }) => bytes.readUIntLE(24, 3) + 1 !== 640).map(({ target }) => target)).toEqual([]);
    expect(files.filter(({ bytes }) => bytes.length > 15_000).map(({ target }) => target)).toEqual([]);
    expect(files.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBeLessThan(400_000);
  });
});
