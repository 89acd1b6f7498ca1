import { print, RawJson } from './json';

it('splices JSON text in as it is', () => {
  const raw = RawJson.of(Buffer.from('{"b": 1.0, "a": "$&"}'));
  expect(print({ id: 'x', data: raw, more: [raw] })).toBe('{"id":"x","data":{"b": 1.0, "a": "$&"},"more":[{"b": 1.0, "a": "$&"}]}');
});

it('leaves out what is undefined and prints the rest as usual', () => {
  expect(print({ a: undefined, b: null, c: 'é' })).toBe('{"b":null,"c":"é"}');
});
