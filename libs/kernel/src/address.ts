import ipaddr from 'ipaddr.js';

// The range from which IANA assigns public addresses (RFC 4291, https://www.iana.org/assignments/ipv6-unicast-address-assignments).
// ipaddr.js says `unicast` for every range that it does not know. This range also excludes addresses that embed an IPv4 address (::a.b.c.d,
// 64:ff9b::/96), 100:0:0:1::/64, and ranges that will be reserved in the future.
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether an IP address, in any notation, is public. False for text that is not an address. */
export const isPublic = (address: string): boolean => ipaddr.isValid(address) && isPublicAddress(ipaddr.parse(address));

const isPublicAddress = (address: Parsed): boolean =>
  address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(globalUnicast));

/**
 * The key under which a client is counted: an IPv4 address (also when mapped into IPv6), or the /64 of an IPv6 address, since providers
 * assign a whole /64 to each customer. PostgreSQL reads both as `inet`. Undefined for text that is not an address.
 */
export function clientNetwork(address: string | undefined): string | undefined {
  return address === undefined || !ipaddr.isValid(address) ? undefined : networkOf(ipaddr.process(address));
}

/**
 * `clientNetwork` for limits that must not affect many people at once. Undefined for a private address, which may be a proxy that we are
 * not configured to trust, a whole office, or a program on this machine.
 */
export function publicNetwork(address: string | undefined): string | undefined {
  if (address === undefined || !ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return isPublicAddress(parsed) ? networkOf(parsed) : undefined;
}

const networkOf = (address: Parsed): string =>
  address instanceof ipaddr.IPv4
    ? address.toString()
    : `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`;
