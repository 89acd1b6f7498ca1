import { isIPv6 } from 'node:net';
import { Problem } from '@sheaf/kernel';

/** A DNS name has at most 253 characters, and one more with a trailing dot. */
const maxNameLength = 255;
const maxPort = 65_535;

const hostName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/;
const ipv6Literal = /^\[([0-9a-f:.]+)\]$/;
const withPort = /^(.+?)(?::(\d{1,5}))?$/;

/**
 * The host in a `Host` header: in lower case, without port and trailing dot, so that a host has only one spelling in caches.
 * @throws Problem `bad_request` for an invalid host, so that it is never cached or looked up.
 */
export function parseHost(header: string): string {
  const [, name = '', port] = (header.length <= maxNameLength + ':65535'.length ? withPort.exec(header) : null) ?? [];
  const host = name.toLowerCase();
  const isHost = host.length <= maxNameLength && (hostName.test(host) || isIPv6(ipv6Literal.exec(host)?.[1] ?? ''));
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= maxPort);
  if (!isHost || !isPort)
    throw Problem.badRequest(`Host: must be a host name of at most ${maxNameLength} bytes, optionally with a port from 1 to ${maxPort}`);
  return host.endsWith('.') ? host.slice(0, -1) : host;
}
