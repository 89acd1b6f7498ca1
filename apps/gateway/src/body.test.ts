import { parseJson } from './body';

const parse = (text: string) => parseJson(Buffer.from(text));

it.each([
  ['{"a": {"b": [1, {"b": 2}]}, "b": "{\\"a\\": 1, \\"a\\": 2}"}'],
  ['[{"a": 1}, {"a": 1}]'],
  ['{"a": "__proto__", "constructor": ["a", "a"]}'],
  ['"\\\\"'],
  ['5'],
  ['{"a": [-0.5e-3, 1E+9, 18446744073709551616, true, "1e400"]}'],
])('reads %s as JSON.parse does', (text) => expect(parse(text)).toEqual(JSON.parse(text)));

it.each([
  ['what is no JSON', '{"a":', 'not valid JSON'],
  ['a key that comes twice', '{"a": 1, "b": {"a": 1}, "a": 2}', 'the key a twice'],
  ['a key that comes twice in different spellings', '{"a": 1, "\\u0061": 2}', 'the key a twice'],
  ['__proto__', '{"data": {"__proto__": {}}}', '__proto__'],
  ['__proto__ in disguise', '{"data": {"__pr\\u006fto__": {}}}', '__proto__'],
  ['a number that no double holds', '{"a": [-1e400]}', 'too large: -1e400'],
  ['what is nested too deeply', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'nested too deeply'],
])('refuses %s', (_, text, message) => expect(() => parse(text)).toThrow(message));

it('refuses bytes that are not UTF-8', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow('not valid UTF-8');
});

// The time that jest gives a test is the bound: a scan that went back over the text would take minutes.
it.each([
  ['of many keys', `{${Array.from({ length: 60_000 }, (_, index) => `"key${index}":"\\\\\\""`).join(',')}}`],
  ['full of escapes', JSON.stringify({ a: '\\"'.repeat(350_000) })],
  ['of one long text', JSON.stringify({ a: 'y'.repeat(1_500_000) })],
])('takes a long body %s', (_, text) => expect(parse(text)).toEqual(JSON.parse(text)));
