import { pipeFaults, pipedKeys, withoutPipes, withPipesRenamed } from '../app/piped-texts';
import type { FormItem } from '../app/draft';
import { labelTextOf } from '../fields/traits';
import { plainLabel, readFormattedLabel, type Inline } from './formatted-text';
import { escapedPipes, pipesIn, readPipes, truncatePiped, withPipes, wordedPipes } from './piping';

const short = (text: string) => readPipes(text).map((part) => (typeof part === 'string' ? part : [part.key, part.fallback]));

describe('Piping', () => {
  it.each([
    ['Hello {{name}}!', ['Hello ', ['name', ''], '!']],
    ['{{ first_name | my friend }}', [['first_name', 'my friend']]],
    [
      '{{a}}{{b|}}',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    ['{{Name}} and {{first-name}}', [['Name', ''], ' and ', ['first-name', '']]],
    [String.raw`\{{name}} is {{name}}`, ['{{name}} is ', ['name', '']]],
    [String.raw`\\{{name}}`, [String.raw`\{{name}}`]],
  ])('finds the answers in %s', (text, expected) => {
    expect(short(text)).toEqual(expected);
  });

  it.each([
    '{name}',
    '{{}}',
    '{{ }}',
    '{{two words}}',
    '{{name',
    '{{name}',
    '{ {name} }',
    '{{a\n}}',
    '{{a|{b}}}',
    `{{${'a'.repeat(65)}}}`,
    String.raw`\{{ alone`,
  ])('leaves alone what is no place of an answer: %s', (text) => {
    expect(short(text)).toEqual([text]);
  });

  it('takes the underscores of a key for no marks, and formats what stands around it', () => {
    expect(readFormattedLabel('_Dear_ **{{first_name}}**: https://a.example/{{first_name}}')).toEqual([
      { kind: 'emphasis', content: ['Dear'] },
      ' ',
      { kind: 'strong', content: [expect.objectContaining({ kind: 'pipe', key: 'first_name' })] },
      ': https://a.example/',
      expect.objectContaining({ kind: 'pipe' }),
    ]);
  });

  it('keeps what is a text a text, in a label without its marks too', () => {
    expect(plainLabel(String.raw`**\{{a}}** {{b|c}}`)).toBe(String.raw`\{{a}} {{b|c}}`);
    expect(labelTextOf({ type: 'statement', label: String.raw`**\{{a}}** {{b|c}}` })).toBe('{{a}} [b]');
    expect(wordedPipes('How old is {{first_name|your child}}?')).toBe('How old is [first_name]?');
  });

  it.each([
    ['Hello {{name|friend}}!', 15, 'Hello '],
    ['Hello {{name|friend}}!', 21, 'Hello {{name|friend}}'],
    ['👋 {{a}}{{b}}', 11, '👋 {{a}}'],
    [String.raw`Hello \{{name}}`, 7, 'Hello '],
    ['Hello {{name', 9, 'Hello {{n'],
    ['Hello', 5, 'Hello'],
  ])('cuts %j to %d characters, but no place of an answer in two', (text, max, expected) => {
    expect(truncatePiped(text, max)).toBe(expected);
  });

  describe('for any text', () => {
    const pieces = [
      '{{',
      '}}',
      '{',
      '}',
      'a',
      'first_name',
      '|',
      '\\',
      ' ',
      '\n',
      '*',
      '_',
      '[',
      '](https://a.example/',
      ')',
      '<b>',
      '€',
      '\u{1F600}',
    ];
    const texts = Array.from({ length: 3_000 }, (_, seed) => textFrom(seed, pieces));

    it('loses no character, and reads an escaped text as it was', () => {
      for (const text of texts) {
        expect(withPipes(text, ({ source }) => source)).toBe(text);
        expect(readPipes(escapedPipes(text)).filter((part) => typeof part !== 'string')).toEqual([]);
        expect(readPipes(withPipes(text, ({ source }) => source))).toEqual(readPipes(text));
      }
    });

    it('finds the same answers in formatted texts, except in addresses', () => {
      for (const text of texts) {
        const found = pipesOf(readFormattedLabel(text));
        const inAddresses = pipesIn(text).length - found.length;
        expect(inAddresses === 0 || text.includes('](')).toBe(true);
      }
    });
  });

  it('takes time in proportion to the length of what is hostile', () => {
    for (const unit of ['{', '{{', '{{a', '{{a|', `{{a|${'b'.repeat(99)}`, '\\', '\\{{a}}', '{{a}}', 'https://{{'])
      expect(readPipes(unit.repeat(50_000)).length).toBeLessThanOrEqual(100_000);
  });
});

describe('The texts of an item that show answers', () => {
  const isEarlier = (key: string) => ['name', 'constructor'].includes(key);
  const field = (texts: object) => ({ key: 'age', type: 'integer', label: 'Age', required: false, ...texts }) as FormItem;
  const paths = (texts: object) => pipeFaults(field(texts), isEarlier).map(([path]) => path);

  it('show answers to earlier fields only, in every language', () => {
    expect(paths({ label: 'Age of {{name}}', help: '{{constructor}}' })).toEqual([]);
    expect(pipeFaults(field({ label: 'Age of {{nmae}}' }), isEarlier)).toEqual([
      ['label', 'must show only answers to fields before it, which "nmae" is not; \\{{ in place of {{ makes it a text'],
    ]);
    expect(paths({ help: '{{age}}', translations: { de: { label: '{{later}}', help: '{{name}}' } } })).toEqual([
      'help',
      'translations.de.label',
    ]);
    expect(paths({ label: String.raw`\{{later}}` })).toEqual([]);
  });

  it('have no answer in an address, and a bounded number of them', () => {
    expect(paths({ help: '[a](https://a.example/{{name}})' })).toEqual(['help']);
    expect(paths({ help: '[{{name}}](https://a.example/)' })).toEqual([]);
    expect(paths({ help: '{{name}}'.repeat(10) })).toEqual([]);
    expect(paths({ help: '{{name}}'.repeat(11) })).toEqual(['help']);
  });

  it('are none of options, placeholders, checks, and what nobody sees', () => {
    expect(paths({ placeholder: '{{x}}', options: [{ value: 'a', label: '{{x}}' }] })).toEqual([]);
    expect(paths({ type: 'hidden', label: '{{x}}' })).toEqual([]);
    expect(pipeFaults({ type: 'check', if: { key: 'a', answered: true }, message: '{{x}}', at: 'a' }, isEarlier)).toEqual([]);
  });

  it('follow a key that is renamed, and can be made texts', () => {
    const item = field({ label: '{{name}} {{ name|name }} \\{{name}}', translations: { de: { help: '{{name}}' } } });
    expect(withPipesRenamed(item, new Map([['name', 'first']]))).toMatchObject({
      label: '{{first}} {{ first|name }} \\{{name}}',
      translations: { de: { help: '{{first}}' } },
    });
    expect([...pipedKeys(item)]).toEqual(['name']);
    expect([...pipedKeys(withoutPipes(item))]).toEqual([]);
  });
});

/** A text of up to forty pieces, always the same for a seed. */
function textFrom(seed: number, pieces: readonly string[]): string {
  let state = seed * 2_654_435_761 + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: 1 + next(40) }, () => pieces[next(pieces.length)]).join('');
}

const pipesOf = (content: readonly Inline[]): Inline[] =>
  content.flatMap((part) => {
    if (typeof part === 'string' || part.kind === 'break') return [];
    return part.kind === 'pipe' ? [part] : pipesOf(part.content);
  });
