import { parseJson } from './body';

const parse = (text: string) => parseJson(Buffer.from(text));

it.each([
  ['{"a": {"b": [1, {"b": 2}]}, "b": "{\\"a\\": 1, \\"a\\": 2}"}'],
  ['[{"a": 1}, {"a": 1}]'],
  ['{"a": "__proto__", "constructor": ["a", "a"]}'],
  ['"\\\\"'],
  ['5'],
  ['{"a": [-0.5e-3, 1E+9, true, "1e400", "9007199254740993"]}'],
  ['[9007199254740992, -9007199254740991.000, 0.1, 1.10, 0.000000000000000000000010, 123456789012345680000, 1e23, 1.7976931348623157e308, 5e-324]'],
  ['[0.30000000000000004, 100000000000000000000000, 0e5, -0.0, 0.00000000000000000000e-999, 299792458.00000000000000000]'],
])('reads %s as JSON.parse does', (text) => expect(parse(text)).toEqual(JSON.parse(text)));

it.each([
  ['what is no JSON', '{"a":', 'not valid JSON'],
  ['a key that comes twice', '{"a": 1, "b": {"a": 1}, "a": 2}', 'the key a twice'],
  ['a key that comes twice in different spellings', '{"a": 1, "\\u0061": 2}', 'the key a twice'],
  ['__proto__', '{"data": {"__proto__": {}}}', '__proto__'],
  ['__proto__ in disguise', '{"data": {"__pr\\u006fto__": {}}}', '__proto__'],
  ['a number that no double holds', '{"a": [-1e400]}', 'a.0: is too large a number: -1e400'],
  ['a whole number that would be rounded', '{"data": {"x": [{"y": 1}], "n": 9007199254740993}}', 'data.n: cannot be kept exactly: 9007199254740993 would become 9007199254740992'],
  ['one that is printed in other digits', '{"n": 18446744073709551616}', 'n: cannot be kept exactly: 18446744073709551616 would become 18446744073709552000'],
  ['more digits than a double has', '{"data": {"a": {"b": [1, 0.1000000000000000055]}}}', 'data.a.b.1: cannot be kept exactly'],
  ['a number that would become 0', '{"n": 1e-400}', 'n: cannot be kept exactly: 1e-400 would become 0'],
  ['a number behind objects in a list', '{"fields": [{"a": [1, {"b": 2}], "max": 3}, {"options": [], "min": 1e400}]}', 'fields.1.min: is too large a number'],
  ['a number in no object', '9007199254740993', 'The body: cannot be kept exactly'],
  ['a number that is very long', `{"n": 1${'0'.repeat(200)}.${'0'.repeat(900_000)}1}`, 'n: cannot be kept exactly'],
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
