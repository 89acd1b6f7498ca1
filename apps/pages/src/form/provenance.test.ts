import type { Request } from 'express';
import { clientOf, opensFor } from './provenance';
import type { Visit } from './visit';

const visitFrom = (address: string | undefined) => ({ asked: { call: { address } } }) as Visit;
const requestWith = (headers: Record<string, string>) => ({ headers }) as unknown as Request;

const visit = visitFrom('203.0.113.5');
const browser = { 'user-agent': 'Browser' };
const client = clientOf(visit, requestWith(browser));

describe('the address of a step opens', () => {
  it.each([
    ['a browser that comes from the form', 'document', 'same-origin'],
    ['a frame that comes from the form', 'iframe', 'same-origin'],
    ['a script of the form', 'empty', 'same-origin'],
  ])('for %s, wherever it is by now', (_who, dest, site) => {
    const request = requestWith({ 'user-agent': 'Updated', 'sec-fetch-dest': dest, 'sec-fetch-site': site });
    expect(opensFor(visitFrom('203.0.113.6'), request, client)).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ['a browser that says nothing', {}],
    ['a sandboxed frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }],
    ['a script in a sandboxed frame', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ])('for %s only if it is the client for which it was made', (_who, headers) => {
    const request = requestWith({ ...browser, ...headers });
    expect(opensFor(visit, request, client)).toBe(true);
    expect(opensFor(visitFrom('203.0.113.6'), request, client)).toBe(false);
    expect(opensFor(visit, requestWith({ ...headers, 'user-agent': 'curl/8.5.0' }), client)).toBe(false);
    expect(opensFor(visit, request, undefined)).toBe(false);
  });

  it.each(['none', 'cross-site', 'same-site'])('for no window that was led there from elsewhere (%s)', (site) => {
    expect(opensFor(visit, requestWith({ ...browser, 'sec-fetch-dest': 'document', 'sec-fetch-site': site }), client)).toBe(false);
  });
});

it('a client is told by its address and its program, in few characters', () => {
  expect(client).toMatch(/^[\w-]{16}$/);
  expect(clientOf(visitFrom(undefined), requestWith({}))).not.toBe(client);
});
