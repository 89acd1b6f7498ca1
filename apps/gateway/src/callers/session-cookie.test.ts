import type { Request } from 'express';
import { requireSameOrigin } from './session-cookie';

const post = (protocol: string, host: string, origin: string) =>
  ({ method: 'POST', protocol, headers: { host, origin } }) as unknown as Request;

it.each([
  ['https', 'forms.example.org', 'https://forms.example.org'],
  ['https', 'forms.example.org:443', 'https://forms.example.org'],
  ['http', 'forms.example.org:80', 'http://forms.example.org'],
  ['http', 'Forms.Example.org:3000', 'http://forms.example.org:3000'],
  ['http', '[::1]:3000', 'http://[::1]:3000'],
])('at %s://%s, accepts a change from a page of %s', (protocol, host, origin) => {
  expect(() => requireSameOrigin(post(protocol, host, origin))).not.toThrow();
});

it.each([
  ['https', 'forms.example.org', 'http://forms.example.org'],
  ['https', 'forms.example.org:80', 'https://forms.example.org'],
  ['http', 'forms.example.org:3000', 'http://forms.example.org'],
  ['http', '1.2.3.999', 'null'],
])('at %s://%s, refuses a change from a page of %s', (protocol, host, origin) => {
  expect(() => requireSameOrigin(post(protocol, host, origin))).toThrow('must come from a page of this origin');
});
