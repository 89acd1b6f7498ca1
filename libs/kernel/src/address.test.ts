import { clientNetwork, isPublic, publicNetwork } from './address';

it.each([
  '1.1.1.1',
  '8.8.8.8',
  '99.255.255.255',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '2001:4860:4860::8888',
  '2400:cb00::1',
])('accepts the public address %s', (address) => {
  expect(isPublic(address)).toBe(true);
});

it.each([
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['shared between carriers', '100.64.0.1'],
  ['the metadata service of a cloud behind the shared range', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback, in short notation', '127.1'],
  ['loopback, in hexadecimal', '0x7f.0.0.1'],
  ['loopback, in octal', '0177.0.0.1'],
  ['loopback, as a single number', '2130706433'],
  ['the metadata service of most clouds', '169.254.169.254'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['reserved by the IETF', '192.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['a 6to4 relay', '192.88.99.1'],
  ['private', '192.168.1.1'],
  ['benchmarks', '198.18.0.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, written out', '0:0:0:0:0:0:0:1'],
  ['IPv4 inside, mapped', '::ffff:127.0.0.1'],
  ['IPv4 inside, mapped, in hexadecimal', '::ffff:7f00:1'],
  ['IPv4 inside, mapped, although public', '::ffff:8.8.8.8'],
  ['IPv4 inside, compatible', '::127.0.0.1'],
  ['IPv4 inside, compatible, in hexadecimal', '::7f00:1'],
  ['IPv4 inside, translated (RFC 6145)', '::ffff:0:7f00:1'],
  ['IPv4 inside, NAT64', '64:ff9b::7f00:1'],
  ['IPv4 inside, NAT64, local use', '64:ff9b:1::7f00:1'],
  ['IPv4 inside, 6to4', '2002:7f00:1::'],
  ['IPv4 inside, Teredo', '2001:0:7f00:1::'],
  ['discard', '100::1'],
  ['the dummy prefix', '100:0:0:1::1'],
  ['benchmarks', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['segment routing', '5f00::1'],
  ['not assigned yet', '4000::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456::1'],
  ['link local', 'fe80::1'],
  ['link local, with its zone', 'fe80::1%eth0'],
  ['site local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['not an address', 'example.org'],
  ['nothing', ''],
])('rejects the non-public address of %s: %s', (_, address) => {
  expect(isPublic(address)).toBe(false);
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['nonsense', undefined],
  [undefined, undefined],
])('counts the client at %s as %s', (address, counted) => {
  expect(clientNetwork(address)).toBe(counted);
});

it.each([
  ['9.9.9.9', '9.9.9.9'],
  ['2606:4700:1:2::1', '2606:4700:1:2::/64'],
  ['10.0.0.1', undefined],
  ['::1', undefined],
  ['::ffff:192.168.0.1', undefined],
  ['nonsense', undefined],
])('rate-limits the client at %s as %s', (address, counted) => {
  expect(publicNetwork(address)).toBe(counted);
});
