import type { ConnectionFacts } from '@sheaf/egress';

/** How an attempt reached its subscriber, as people see it. */
export const shownConnection = ({ isReused, dnsMs, connectMs, tlsMs, firstByteMs, tls }: ConnectionFacts) => ({
  reused: isReused,
  dns_ms: dnsMs,
  connect_ms: connectMs,
  tls_ms: tlsMs,
  first_byte_ms: firstByteMs,
  tls: tls && { protocol: tls.protocol, issuer: tls.issuer, expires_at: tls.expiresAt },
});
