import { print, RawJson } from './json';

it('inserts JSON text unchanged', () => {
  const raw = RawJson.of(Buffer.from('{"b": 1.0, "a": "$&"}'));
  expect(print({ id: 'x', data: raw, more: [raw] })).toBe('{"id":"x","data":{"b": 1.0, "a": "$&"},"more":[{"b": 1.0, "a": "$&"}]}');
});

it('omits undefined properties and prints the rest like JSON.stringify', () => {
  expect(print({ a: undefined, b: null, c: 'é' })).toBe('{"b":null,"c":"é"}');
});
