import { cacheDir, checkSha256, onPath } from './find-nats-server';

it('keeps downloads in the configured folder, or else in the user’s cache', () => {
  expect(cacheDir({ SHEAF_CACHE_DIR: '/cache', XDG_CACHE_HOME: '/xdg', HOME: '/home/ann' })).toBe('/cache');
  expect(cacheDir({ SHEAF_CACHE_DIR: '', XDG_CACHE_HOME: '/xdg', HOME: '/home/ann' })).toBe('/xdg/sheaf');
  expect(cacheDir({ HOME: '/home/ann' })).toBe('/home/ann/.cache/sheaf');
});

it('searches PATH in order but skips relative folders', () => {
  expect(onPath('/usr/bin:.:bin::/opt/bin', 'nats-server')).toEqual(['/usr/bin/nats-server', '/opt/bin/nats-server']);
});

it('rejects a download with the wrong checksum', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(() => checkSha256(Buffer.from('abc'), abc)).not.toThrow();
  expect(() => checkSha256(Buffer.from('abd'), abc)).toThrow('wrong checksum');
});
