import { isIPv6 } from 'node:net';
import { Problem } from '@sheaf/kernel';

/** A DNS name has 253 characters at most, and one more with its final dot. */
const longestName = 255;
const longestPort = 65_535;

const name = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/;
const literal = /^\[([0-9a-f:.]+)\]$/;
const withPort = /^(.+?)(?::(\d{1,5}))?$/;

/**
 * The host that a `Host` header names: in lower case, without its port and its final dot, so that one host has one spelling in every cache.
 * @throws Problem `bad_request` for anything that is not a host, before it is remembered or looked up anywhere.
 */
export function hostNamed(header: string): string {
  const [, given = '', port] = (header.length <= longestName + ':65535'.length ? withPort.exec(header) : null) ?? [];
  const host = given.toLowerCase();
  const isHost = host.length <= longestName && (name.test(host) || isIPv6(literal.exec(host)?.[1] ?? ''));
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= longestPort);
  if (!isHost || !isPort) throw Problem.badRequest(`Host: must be a host name of at most ${longestName} bytes, with a port from 1 to ${longestPort} or none`);
  return host.endsWith('.') ? host.slice(0, -1) : host;
}
