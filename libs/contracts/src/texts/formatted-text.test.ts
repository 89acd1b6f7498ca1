/**
 * Not in the context of the process: the steps are calls of the language's own functions, and jest makes such calls itself.
 * @jest-environment node
 */
import { plainLabel, readFormattedLabel, readFormattedText, type Block, type Inline } from './formatted-text';

/** The tree as a short text, to compare. */
const shown = (content: readonly Inline[]): string =>
  content
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.kind === 'break') return '⏎';
      if (part.kind === 'pipe') return `«${part.key}»`;
      return part.kind === 'link'
        ? `<${part.href}|${shown(part.content)}>`
        : `${part.kind === 'strong' ? 'S' : 'E'}{${shown(part.content)}}`;
    })
    .join('');
const label = (source: string): string => shown(readFormattedLabel(source));
const blocks = (found: readonly Block[]): unknown[] =>
  found.map((block) =>
    block.kind === 'paragraph'
      ? shown(block.content)
      : [block.start ?? '•', ...block.items.map((item) => (item.length === 1 ? blocks(item)[0] : blocks(item)))],
  );
const text = (source: string) => blocks(readFormattedText(source));

describe('Formatted text', () => {
  it.each([
    ['*a*, _b_ and **c d**, __e__', 'E{a}, E{b} and S{c d}, S{e}'],
    ['***both*** and **a *b* c**', 'S{E{both}} and S{a E{b} c}'],
    ['(*see below*) "*so*"!', '(E{see below}) "E{so}"!'],
    ['これは**重要**です', 'これはS{重要}です'],
    ['هذا **مهم** جدا', 'هذا S{مهم} جدا'],
    ['first\nsecond', 'first⏎second'],
    [String.raw`\*a\* \[b\](https://c.example)`, '*a* [b](https://c.example)'],
    ['[Privacy *policy*](https://example.org/a_(b)?c=1#d)', '<https://example.org/a_(b)?c=1#d|Privacy E{policy}>'],
    ['[Write](mailto:a@example.org) or [call](tel:+43-1-234)', '<mailto:a@example.org|Write> or <tel:+43-1-234|call>'],
    ['[a [b](https://b.example) c](https://c.example)', '<https://c.example|a b c>'],
  ])('reads marks: %s', (source, expected) => {
    expect(label(source)).toBe(expected);
  });

  it.each([
    '5*3*2 and 5 * 3 * 2',
    '2*(3+4)*5',
    'first_name and _id, C:\\temp, \\\\server\\share',
    'Name*, Address* (fields with * are required)',
    '(*) required, (*) optional, "*" and "*"',
    'Name: ____ Date: ____ **',
    '**open *and _not closed',
    'https://example.org/_a_/*b',
    '<b>bold</b> &amp; <script>',
    '![a',
    '[1] and [x] (later) and [y](later)',
    'a `code` b # c > d ~~e~~',
  ])('leaves alone what only looks like marks: %s', (source) => {
    expect(label(source)).toBe(source);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    '/path',
    'https:evil.example',
    'https://bank.example@evil.example',
    'https://a\u202e.example',
    'https:\\\\evil.example',
    'https://a.example"onclick=x',
    'ftp://a.example',
    'mailto:',
    'tel:javascript',
    ' https://a.example',
  ])('makes no link to %s', (address) => {
    expect(label(`[a](${address})`)).toBe(`[a](${address})`);
  });

  it('has paragraphs, and lists within lists', () => {
    expect(text('One\r\ntwo\n\nBring:\n- a pen\n- paper\n  of any kind\n  1. white\n  2. grey\n\nThanks')).toEqual([
      'One⏎two',
      'Bring:',
      ['•', 'a pen', ['paper⏎of any kind', [1, 'white', 'grey']]],
      'Thanks',
    ]);
    expect(text('3. c\n4. d\n\n5. e')).toEqual([[3, 'c', 'd', 'e']]);
  });

  it.each(['24. December is a holiday', '* required', '24. December\n26. December', '-5 degrees\n-6 degrees', '1.5 litres\n2.5 litres'])(
    'takes no sentence for a list: %s',
    (source) => {
      expect(text(source)).toEqual([source.replaceAll('\n', '⏎')]);
    },
  );

  it('is plain where nothing can be formatted', () => {
    expect(plainLabel('I accept the [privacy *policy*](https://example.org)')).toBe('I accept the privacy policy');
  });

  describe.each([
    '[',
    '*',
    '**a ',
    '_a',
    '*a [',
    '](',
    '[a](',
    '[a](https://',
    '[a](https://x)',
    '- ',
    '- a\n',
    '  - a\n',
    '- a\n  ',
    '1. a\n',
    '\\',
    'h',
    '\n',
  ])('that is "%s" many times', (unit) => {
    const hostile = (length: number) => unit.repeat(length / unit.length);

    it('has bounded depth', () => {
      expect(depthOf(readFormattedText(hostile(100_000)))).toBeLessThanOrEqual(30);
    });

    it('takes steps in proportion to its length', () => {
      const [tenth, whole] = [stepsOf(hostile(2_000)), stepsOf(hostile(20_000))];
      expect(whole).toBeLessThan(11 * tenth + 100);
      expect(whole).toBeLessThan(10 * 20_000);
    });
  });
});

/** Every character is matched, and every part is put somewhere: the steps of reading are these calls. */
function stepsOf(source: string): number {
  const spies = [jest.spyOn(RegExp.prototype, 'exec'), jest.spyOn(Array.prototype, 'push')];
  readFormattedText(source);
  const steps = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  jest.restoreAllMocks();
  return steps;
}

function depthOf(value: unknown): number {
  if (Array.isArray(value)) return Math.max(0, ...value.map(depthOf).slice(0, 1_000));
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
