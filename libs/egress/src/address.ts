import ipaddr from 'ipaddr.js';

// All that IANA has given out for use on the Internet (RFC 4291, and the registry at https://www.iana.org/assignments/ipv6-unicast-address-assignments).
// ipaddr.js calls `unicast` whatever it has no other word for; this also keeps out the forms that carry an IPv4 address inside (::a.b.c.d,
// 64:ff9b::/96), 100:0:0:1::/64, and what will be set aside next year.
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Whether an IP address, in any spelling, belongs to somebody on the public Internet. Anything that is no address is not. */
export const isPublic = (address: string): boolean => ipaddr.isValid(address) && isPublicAddress(ipaddr.parse(address));

export const isPublicAddress = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(globalUnicast));
