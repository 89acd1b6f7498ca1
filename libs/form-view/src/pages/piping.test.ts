import { answerKindOf, FieldList, isOnPages, lengthOf, pipedKeys, type FormItem } from '@sheaf/contracts';
import { answerText } from '../answers/answer-text';
import { pipedAnswers } from '../filling/piped';
import { readAnswers } from '../filling/answers';
import { tagsOf } from '../markup';
import { render } from '../render';
import { check, questions, receipt, shownItem } from '../sample-views';

const options = [
  { value: 'r', label: 'Red', translations: {} },
  { value: 'b', label: 'Blue' },
  { value: 'g', label: 'Green' },
];
const asked = [
  { key: 'name', type: 'short_text' },
  { key: 'story', type: 'long_text' },
  { key: 'count', type: 'number' },
  { key: 'stars', type: 'rating', min: 1, max: 5 },
  { key: 'day', type: 'date' },
  { key: 'at', type: 'time' },
  { key: 'when', type: 'datetime' },
  { key: 'one', type: 'select', options, other: { label: 'Another' }, translations: { de: { options: { r: 'Rot' } } } },
  { key: 'many', type: 'multi_select', options, translations: { de: { options: { r: 'Rot', b: 'Blau', g: 'Grün' } } } },
  { key: 'yes', type: 'boolean' },
  { key: 'looks', type: 'matrix', rows: options, columns: options, translations: { de: { rows: { r: 'Rot' }, columns: { b: 'Blau' } } } },
  { key: 'picture', type: 'file' },
  { key: 'guests', type: 'repeat', fields: [{ key: 'guest', label: 'Guest', type: 'short_text' }] },
].map((field) => ({ label: field.key, ...field }));
const items: FormItem[] = FieldList.parse(asked);
const keys = new Set(asked.map(({ key }) => key));
const written = (answers: Record<string, unknown>, language = 'en') =>
  pipedAnswers(keys, items, { answers, fileNames: new Map([['picture', ['cat.png']]]) }, { language, authorLanguage: 'en' });

describe('An answer within a text', () => {
  const answers = {
    ...{ name: ' Ada\n\nLovelace ', count: 1234.5, stars: 4, day: '2026-05-31', at: '14:30', when: '2026-05-31T14:30' },
    ...{ one: 'r', many: ['r', 'b', 'g'], yes: true, picture: 'file-id' },
  };

  it.each([
    [
      'en',
      ['Ada Lovelace', '1,234.5', '4', '31 May 2026', '14:30', '31 May 2026 at 14:30', 'Red', 'Red, Blue and Green', 'Yes', 'cat.png'],
    ],
    [
      'de',
      ['Ada Lovelace', '1.234,5', '4', '31. Mai 2026', '14:30', '31. Mai 2026 um 14:30', 'Rot', 'Rot, Blau und Grün', 'Ja', 'cat.png'],
    ],
  ])('is written in the language of the reader: %s', (language, expected) => {
    const { name, count, stars, day, at, when, one, many, yes, picture } = written(answers, language);
    expect([name, count, stars, day, at, when, one, many, yes, picture]).toEqual(expected);
  });

  it('has the labels of the rows and columns of a matrix, in the order of its rows', () => {
    const looks = { b: 'gone', r: 'b' };
    expect(written({ looks }).looks).toBe('Red: Blue and ["b","gone"]');
    expect(written({ looks: { r: 'b', b: 'g' } }, 'de').looks).toBe('Rot: Blau und Blue: Green');
  });

  it('is none to a repeat, whose items are no text', () => {
    expect(written({ name: 'Ada', guests: [{ guest: 'Bo' }] })).toEqual({ name: 'Ada' });
  });

  it('has the digits and marks of Arabic', () => {
    expect(written(answers, 'ar')).toMatchObject({ many: 'Red وBlue وGreen', yes: 'نعم' });
  });

  it('is absent without an answer, and is the text of who chose another one', () => {
    expect(written({})).toEqual({});
    expect(written({ one: 'other', one_other: 'Violet' }).one).toBe('Violet');
    expect(written({ one: 'gone' }).one).toBe('gone');
  });

  it('is read without looking through the options anew for each that is chosen', () => {
    const values = Array.from({ length: 200 }, (_, at) => `v${at}`);
    const readingsFor = (chosen: number): number => {
      let readings = 0;
      const field = {
        ...{ key: 'many', type: 'multi_select', label: 'Many', required: false },
        get options() {
          readings += 1;
          return values.map((value) => ({ value, label: value }));
        },
      } as FormItem;
      pipedAnswers(
        new Set(['many']),
        [field],
        { answers: { many: values.slice(0, chosen) }, fileNames: new Map() },
        { language: 'en', authorLanguage: 'en' },
      );
      return readings;
    };
    expect(readingsFor(200)).toBe(readingsFor(1));
  });

  it('is cut where it is long, whatever it is', () => {
    const words = { locale: 'en', yes: 'Yes', no: 'No', labelOf: (value: string) => value };
    expect(written({ story: 'x'.repeat(10_000) }).story).toBe(`${'x'.repeat(200)}…`);
    for (const kind of new Set(items.flatMap((item) => ('key' in item ? [answerKindOf(item)] : []))))
      for (const answer of ['😀'.repeat(100_000), Array(1_000).fill('😀'.repeat(200)), { a: 'b'.repeat(1_000) }, 1e21, false])
        expect(lengthOf(answerText(kind, answer, words))).toBeLessThanOrEqual(201);
  });
});

const hostile = `<b>x</b> **y** [z](https://evil.example) {{story}} " onload='a' &amp; \u202e`;

describe('A text that shows answers', () => {
  const fields = FieldList.parse([
    ...asked,
    { key: 'age', type: 'integer', label: 'How old is {{name|your child}}?', help: 'Not **{{name}}**, but [{{name}}](https://a.example)' },
    { key: 'ok', type: 'boolean', required: true, must_be_true: true, label: '{{name}}, *do* you agree with \\{{name}}?' },
  ]);
  const shown = fields.filter(isOnPages).slice(-2);
  const page = (piped: Record<string, string>, onPage = shown) =>
    render(questions({ piped, items: onPage.map((item, index) => shownItem(item, index)) }));
  const plain = (html: string) => html.replaceAll(/<bdi>([^<]*)<\/bdi>/g, '$1');

  it('has the answer of an earlier page, and what the author has for none', () => {
    expect(plain(page({ name: 'Ada' }))).toContain('How old is Ada?');
    expect(plain(page({}))).toContain('How old is your child?');
    expect(plain(page({}))).toContain('Not <strong></strong>, but');
    expect(page({ name: 'Ada' })).toContain('<bdi>Ada</bdi>, <em>do</em> you agree with {{name}}?');
  });

  it('takes no markup from an answer, nor another answer', () => {
    const html = page({ name: hostile, story: 'Secret' });
    expect(html).toContain('&lt;b&gt;x&lt;/b&gt; **y** [z](https://evil.example) {{story}} &quot; onload=&#x27;a&#x27; &amp;amp;');
    expect(tagsOf(html, 'a').map(({ href }) => href)).toEqual(['https://a.example']);
    expect(html).not.toContain('Secret');
  });

  it('has no answer in the title of the window, which the history keeps', () => {
    const [step] = FieldList.parse([{ type: 'page', label: 'About {{name}}', help: 'You are {{name}}.' }]).filter(isOnPages);
    const html = render(questions({ piped: { name: 'Ada' }, step: { number: 2, of: 2, page: step } }));
    expect(html).toContain('<title>About … – Site visit</title>');
    expect(html).toContain('About <bdi>Ada</bdi></bdi></h1>');
    expect(html).toContain('You are <bdi>Ada</bdi>.');
    const ending = { title: 'Bye {{name|friend}}', text: 'See **{{name}}**' };
    const end = render(receipt({ piped: { name: 'Ada' }, ending }));
    expect(end).toContain('<title>Bye friend – Site visit</title>');
    expect(end).toContain('Bye <bdi>Ada</bdi>');
    expect(end).toContain('See <strong><bdi>Ada</bdi></strong>');
  });

  it('shows none in texts that are no place for them', () => {
    const form = { title: '{{name}}', settings: { description: '{{name}}' } };
    const [field] = FieldList.parse([
      { key: 'c', type: 'select', label: 'C', placeholder: '{{name}}', options: [{ value: 'a', label: '{{name}}' }] },
    ]).filter(isOnPages);
    const html = render(questions({ form, piped: { name: 'Ada' }, items: field ? [shownItem(field)] : [] }));
    expect(html).not.toContain('Ada');
    expect(html.split('{{name}}').length).toBeGreaterThan(3);
  });

  it('is on the check page and in the names of its buttons too', () => {
    const [, age] = [0, shown[0]];
    const html = render(
      check({ piped: { name: 'Ada' }, answers: [{ field: age as never, answer: 7, fileNames: [], change: { name: 'do', value: 'x' } }] }),
    );
    expect(plain(html)).toContain('How old is Ada?');
    expect(tagsOf(html, 'button').map((button) => button['aria-label'])).toContain('Change: How old is Ada?');
  });

  it('names the question with the answer where it has a fault', () => {
    const fault = { key: 'age', code: 'required', params: {}, message: 'is required' };
    const html = render(questions({ piped: { name: 'Ada' }, faults: [fault], items: shown.map((item, index) => shownItem(item, index)) }));
    expect(html).toContain('How old is Ada?');
  });

  it('brings the result of a calculated field that is not shown to the page only if a text there shows it', () => {
    const [total, statement] = FieldList.parse([
      { key: 'total', type: 'calculated', label: 'Total', formula: '2 + 2.25', shown: false },
      { type: 'statement', label: 'You pay {{total}}.' },
    ]).filter(isOnPages);
    const html = (...items: (typeof total)[]) =>
      render(
        questions({
          items: items.flatMap((item, index) => (item ? [shownItem(item, index, { result: { value: 4.25, formula: undefined } })] : [])),
        }),
      );
    expect(html(total, statement)).toContain('data-result="4.25"');
    expect(html(total)).not.toContain('4.25');
  });

  it('marks the answers of its own page for the script, which other pages do not load', () => {
    expect(tagsOf(page({ name: 'Ada' }), 'script').map(({ src }) => src)).not.toContain('/assets/piping.js');
    const here = page({ name: 'Ada' }, fields.filter(isOnPages));
    expect(tagsOf(here, 'script').map(({ src }) => src)).toContain('/assets/piping.js');
    expect(here).toContain('<bdi data-pipe="name" data-else="your child">Ada</bdi>');
    expect(pipedKeys(shown[0] as FormItem)).toEqual(new Set(['name']));
  });
});

it('An answer that is hidden by a condition is shown nowhere', () => {
  const conditional = FieldList.parse([
    { key: 'has', type: 'boolean', label: 'Has?' },
    { key: 'name', type: 'short_text', label: 'Name', visible_if: { key: 'has', equals: true } },
  ]);
  const piped = (has: string) => {
    const { answers } = readAnswers(
      conditional,
      new Map([
        ['has', [has]],
        ['name', ['Ada']],
      ]),
      new Map(),
      'en',
      () => '2026-05-31',
    );
    return pipedAnswers(keys, conditional, { answers, fileNames: new Map() }, { language: 'en', authorLanguage: 'en' });
  };
  expect([piped('true'), piped('false')]).toEqual([{ name: 'Ada' }, {}]);
});
