import { effort, little, tedious } from '@sheaf/testing';
import { maxValues, parseJson } from './body';

const parse = (text: string) => parseJson(Buffer.from(text));

const listed = (length: number, item: (at: number) => string, [start, end] = '[]') =>
  `${start}${Array.from({ length }, (_, at) => item(at)).join(',')}${end}`;

const refused = (read: (text: string) => unknown, text: string) => () => expect(() => read(text)).toThrow();

it.each([
  ['{"a": {"b": [1, {"b": 2}]}, "b": "{\\"a\\": 1, \\"a\\": 2}"}'],
  ['[{"a": 1}, {"a": 1}]'],
  ['{"a": "__proto__", "constructor": ["a", "a"]}'],
  ['"\\\\"'],
  ['5'],
  ['{"a": [-0.5e-3, 1E+9, true, "1e400", "9007199254740993"]}'],
  [
    '[9007199254740992, -9007199254740991.000, 0.1, 1.10, 0.000000000000000000000010, 123456789012345680000, 1e23, 1.7976931348623157e308, 5e-324]',
  ],
  ['[0.30000000000000004, 100000000000000000000000, 0e5, -0.0, 0.00000000000000000000e-999, 299792458.00000000000000000]'],
])('parses %s like JSON.parse', (text) => expect(parse(text)).toEqual(JSON.parse(text)));

it.each([
  ['invalid JSON', '{"a":', 'not valid JSON'],
  ['a repeated key', '{"a": 1, "b": {"a": 1}, "a": 2}', 'the key a twice'],
  ['a repeated key in different spellings', '{"a": 1, "\\u0061": 2}', 'the key a twice'],
  ['__proto__', '{"data": {"__proto__": {}}}', '__proto__'],
  ['an escaped __proto__', '{"data": {"__pr\\u006fto__": {}}}', '__proto__'],
  ['a number beyond the range of a double', '{"a": [-1e400]}', 'a.0: is out of range: -1e400'],
  [
    'an integer that would be rounded',
    '{"data": {"x": [{"y": 1}], "n": 9007199254740993}}',
    'data.n: cannot be stored exactly: 9007199254740993 would become 9007199254740992',
  ],
  [
    'an integer that would be printed with other digits',
    '{"n": 18446744073709551616}',
    'n: cannot be stored exactly: 18446744073709551616 would become 18446744073709552000',
  ],
  ['more digits than a double holds', '{"data": {"a": {"b": [1, 0.1000000000000000055]}}}', 'data.a.b.1: cannot be stored exactly'],
  ['a number that would become 0', '{"n": 1e-400}', 'n: cannot be stored exactly: 1e-400 would become 0'],
  [
    'a number after objects in a list',
    '{"fields": [{"a": [1, {"b": 2}], "max": 3}, {"options": [], "min": 1e400}]}',
    'fields.1.min: is out of range',
  ],
  ['a number outside any object', '9007199254740993', 'The body: cannot be stored exactly'],
  ['a very long number', `{"n": 1${'0'.repeat(200)}.${'0'.repeat(900_000)}1}`, 'n: cannot be stored exactly'],
  ['a body that is nested too deeply', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'nested too deeply'],
])('rejects %s', (_, text, message) => expect(() => parse(text)).toThrow(message));

it('rejects bytes that are not UTF-8', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow('not valid UTF-8');
});

// Jest's timeout fails a scan that backtracks: it would take minutes.
it.each([
  ['of many keys', `{${Array.from({ length: 19_000 }, (_, index) => `"key${index}":"\\\\\\""`).join(',')}}`],
  ['full of escapes', JSON.stringify({ a: '\\"'.repeat(350_000) })],
  ['of one long text', JSON.stringify({ a: 'y'.repeat(1_500_000) })],
])('parses a long body %s quickly', (_, text) => expect(parse(text)).toEqual(JSON.parse(text)));

it('a body of 1 MiB costs little, whatever its longest text, key, number or space', async () => {
  const bound = 1_048_576;
  const bodies = [
    ...tedious(bound).flatMap((text) => [JSON.stringify([text]), JSON.stringify({ [text]: 1 }), `[1${text}`]),
    ...['0', '1', '1.', '0.', '-0.', '1e', '1e-', '9.9e+'].flatMap((start) => [
      `[${start}${'0'.repeat(bound)}]`,
      `[${start}${'7'.repeat(bound)}]`,
    ]),
    ...[' ', '\n'].map((space) => `[${space.repeat(bound)}1]`),
    '['.repeat(bound),
    `"${'\\\\'.repeat(bound / 2)}"`,
    `"${'\\"'.repeat(bound / 2)}"`,
  ].map((text) => Buffer.from(text).subarray(0, 2 * bound));
  const parsing = (body: Buffer) => () => {
    try {
      parseJson(body);
    } catch (error) {
      expect(error).toMatchObject({ code: 'bad_request' });
    }
  };
  for (const body of bodies) expect(await effort(parsing(body))).toBeLessThan(little);
});

it.each<[string, string]>([
  ['keys', listed(85_000, (at) => `"k${at}":1`, '{}')],
  ['keys of data', `{"data":${listed(85_000, (at) => `"k${at}":1`, '{}')}}`],
  ['lists', listed(340_000, () => '[]')],
  ['objects', listed(340_000, () => '{}')],
  ['numbers', listed(250_000, () => '1e5')],
  ['digits', listed(500_000, () => '1')],
  ['texts', listed(340_000, () => '""')],
  ['lists in lists', listed(17_000, () => `${'['.repeat(30)}${']'.repeat(30)}`)],
])('a body of 1 MiB of very many %s costs little to refuse', async (_, text) => {
  expect(() => parse(text)).toThrow('The body must have at most 20000 values.');
  expect(await effort(refused(parse, text))).toBeLessThan(little);
});

it.each<[string, string]>([
  ['keys', listed(19_998, (at) => `"key${at}":1`, '{}')],
  ['keys, many with escapes,', listed(19_998, (at) => (at % 4 === 0 ? `"\\u0061${at}":1` : `"b${at}":1`), '{}')],
  ['lists', listed(19_999, () => '[]')],
  ['objects', listed(10_000, () => '{"a":1}').replace('{"a":1},', '')],
  ['exponents', listed(19_999, () => '1e5')],
  ['zeros', listed(19_999, () => '0e5')],
  ['long numbers', listed(19_999, () => '1.0000000000000000e5')],
  ['longest numbers', listed(19_999, () => '1.7976931348623157e308')],
])('a body of as many %s as it may have costs little', async (_, text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
  expect(await effort(() => parse(text))).toBeLessThan(little);
});

it('counts each value once, and none of a text', () => {
  expect(() => parse(`{"data":${listed(19_998, () => '0')}}`)).not.toThrow();
  expect(() => parse(`{"data": [ [ ] , ${listed(19_997, () => '0').slice(1)} }`)).not.toThrow();
  expect(() => parse(`{"data":${listed(19_999, () => '0')}}`)).toThrow('at most 20000 values');
  expect(() => parse(JSON.stringify(',[{'.repeat(50_000)))).not.toThrow();
  const large = Buffer.from(`{"data":${listed(99_998, () => '0')}}`);
  expect(() => parseJson(large, maxValues.withCredential)).not.toThrow();
});
