import type { Problem } from '@sheaf/kernel';
import { parseInput } from '../parse-input';
import { WebhookRequest, WebhookUpdateRequest } from '../operations/webhooks';

const request = (headers: unknown) =>
  parseInput(WebhookRequest, { target_url: 'https://hooks.example.org/a', event: 'submission.created', headers }).headers;
const refusalOf = (headers: unknown): string => {
  try {
    request(headers);
    return 'accepted';
  } catch (error) {
    return (error as Problem).message;
  }
};

it('a webhook may have headers such as credentials and marks', () => {
  const headers = [
    { name: 'Authorization', value: 'Bearer 5f2b.+/=' },
    { name: 'X-Api_Key', value: 'a' },
    { name: 'Accept', value: 'application/json; q=0.5, */*' },
  ];
  expect(request(headers)).toEqual(headers);
  expect(request([])).toEqual([]);
});

it.each([
  'Host',
  'host',
  'Content-Type',
  'content-length',
  'CONTENT-ENCODING',
  'webhook-id',
  'Webhook-Signature',
  'X-Webhook-Event',
  'Sheaf-Hop',
  'Connection',
  'Keep-Alive',
  'Proxy-Authorization',
  'Proxy-Connection',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'HTTP2-Settings',
  'Expect',
  'User-Agent',
  'traceparent',
])('the header %s is refused, and named', (name) => {
  expect(refusalOf([{ name, value: 'x' }])).toBe(`headers.0: ${name}: Sheaf or the connection sets this header, so it cannot be chosen`);
});

it.each([
  ['a line feed', 'secret\nX-Injected: 1'],
  ['a carriage return', 'secret\rX-Injected: 1'],
  ['a tab', 'secret\tx'],
  ['a character outside of ASCII', 'secrét'],
  ['NUL', 'secret\0'],
  ['a space at its end', 'secret '],
  ['nothing', ''],
  ['too many characters', `secret${'x'.repeat(4_096)}`],
])('a value with %s is refused, and never repeated', (_, value) => {
  const refusal = refusalOf([{ name: 'X-Key', value }]);
  expect(refusal).toMatch(/^headers\.0: X-Key: the value must /);
  expect(refusal).not.toContain('secr');
});

it.each(['', 'X Key', 'X:Key', 'X-Key\r\n', '__proto__', 'Schlüssel', 'x'.repeat(65)])('the name %j is refused', (name) => {
  expect(refusalOf([{ name, value: 'x' }])).toMatch(/^headers\.0: the name must /);
});

it('the number and the size of all headers are bounded, and no name is there twice in any case', () => {
  const some = (count: number, value: string) => Array.from({ length: count }, (_, at) => ({ name: `X-${at}`, value }));
  expect(request(some(20, 'x'))).toHaveLength(20);
  expect(refusalOf(some(21, 'x'))).toBe('headers: must have at most 20 headers');
  expect(refusalOf(some(2, 'x'.repeat(4_000)))).toBe('headers: must have at most 6144 characters together');
  expect(
    refusalOf([
      { name: 'X-Key', value: 'a' },
      { name: 'x-key', value: 'b' },
    ]),
  ).toBe('headers: must not name x-key twice');
});

it('a new webhook needs every value, and a change may leave out those that are kept', () => {
  expect(refusalOf([{ name: 'X-Key' }])).toBe('headers: must each have a value');
  expect(parseInput(WebhookUpdateRequest, { headers: [{ name: 'X-Key' }] })).toEqual({ headers: [{ name: 'X-Key' }] });
});
