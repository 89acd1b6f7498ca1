import ipaddr from 'ipaddr.js';

// All that IANA has given out for use on the Internet (RFC 4291, and the registry at https://www.iana.org/assignments/ipv6-unicast-address-assignments).
// ipaddr.js calls `unicast` whatever it has no other word for; this also keeps out the forms that carry an IPv4 address inside (::a.b.c.d,
// 64:ff9b::/96), 100:0:0:1::/64, and what will be set aside next year.
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether an IP address, in any spelling, belongs to somebody on the public Internet. Anything that is no address is not. */
export const isPublic = (address: string): boolean => ipaddr.isValid(address) && isPublicAddress(ipaddr.parse(address));

const isPublicAddress = (address: Parsed): boolean => address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(globalUnicast));

/**
 * The client behind an address, for counting: an IPv4 address, or the /64 of an IPv6 one, as any customer gets a whole /64. PostgreSQL reads
 * either as an `inet`. Undefined for anything that is not an address. An IPv4 address may come mapped into IPv6.
 */
export function clientNetwork(address: string | undefined): string | undefined {
  return address === undefined || !ipaddr.isValid(address) ? undefined : networkOf(ipaddr.process(address));
}

/**
 * The same for limits that must not hit a crowd: undefined for an address that is not public, as behind one may stand a proxy that we were
 * not told to trust, a whole office, or somebody on this machine.
 */
export function publicNetwork(address: string | undefined): string | undefined {
  if (address === undefined || !ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return isPublicAddress(parsed) ? networkOf(parsed) : undefined;
}

const networkOf = (address: Parsed): string =>
  address instanceof ipaddr.IPv4 ? address.toString() : `${address.parts.slice(0, 4).map((part) => part.toString(16)).join(':')}::/64`;
