import { parseHost } from './host';

it.each([
  ['forms.example.org', 'forms.example.org'],
  ['Forms.Example.ORG:8080', 'forms.example.org'],
  ['forms.example.org.', 'forms.example.org'],
  ['forms.example.org.:443', 'forms.example.org'],
  ['localhost:1', 'localhost'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['my_host', 'my_host'],
  ['127.0.0.1:65535', '127.0.0.1'],
  ['[::1]:8080', '[::1]'],
  [`${'a'.repeat(251)}.org:65535`, `${'a'.repeat(251)}.org`],
])('parses %s', (header, host) => {
  expect(parseHost(header)).toBe(host);
});

it.each([
  ['is empty', ''],
  ['is longer than a name can be', `${'a'.repeat(252)}.org`],
  ['is as long as headers may be', 'a'.repeat(16_000)],
  ['has a port that is not a number', 'forms.example.org:http'],
  ['has a port of too many digits', 'forms.example.org:000443'],
  ['has a port that does not exist', 'forms.example.org:65536'],
  ['has the port 0', 'forms.example.org:0'],
  ['has a colon and no port', 'forms.example.org:'],
  ['has a path', 'forms.example.org/x'],
  ['has a user', 'ada@forms.example.org'],
  ['has a space', 'forms example.org'],
  ['has an empty label', 'forms..example.org'],
  ['begins with a dot', '.example.org'],
  ['is not ASCII', 'bücher.example'],
  ['is a list', 'a.example, b.example'],
  ['has brackets around something else', '[forms.example.org]'],
  ['is an IPv6 address without brackets', '::1'],
])('rejects a host that %s', (_, header) => {
  expect(() => parseHost(header)).toThrow('Host: must be a host name of at most 255 bytes, optionally with a port from 1 to 65535');
});
