import { settingsFrom } from './settings';

const key = { SHEAF_KEY: 'shf_key' };

it('the address comes from the option, or else from the environment, and the key from the environment', () => {
  expect(settingsFrom({ url: 'https://forms.example.org' }, { ...key, SHEAF_URL: 'https://other.example' })).toEqual({
    url: new URL('https://forms.example.org'),
    key: 'shf_key',
  });
  expect(settingsFrom({}, { SHEAF_KEY: ' shf_key\n', SHEAF_URL: 'http://localhost:8080' })).toEqual({
    url: new URL('http://localhost:8080'),
    key: 'shf_key',
  });
});

it.each([
  ['no address', {}, key, '--url: give the address of Sheaf'],
  ['no address that is one', { url: 'forms' }, key, '--url: must be an address'],
  ['another protocol', { url: 'ftp://forms.example.org' }, key, '--url: must begin with https:// or http://'],
  [
    'a key without TLS',
    { url: 'http://forms.example.org' },
    key,
    '--url: must begin with https://, or everybody on the way could read the key',
  ],
  ['no key', { url: 'https://forms.example.org' }, {}, 'SHEAF_KEY: must be set'],
  ['a key of several words', { url: 'https://forms.example.org' }, { SHEAF_KEY: 'the key' }, 'SHEAF_KEY: must be set'],
])('it refuses %s, and says what to give', (_, options, environment, message) => {
  expect(() => settingsFrom(options, environment)).toThrow(message);
});
