import { createServer } from 'node:net';

/**
 * Where we pick from: below the ephemeral ranges of Linux (from 32768) and macOS (from 49152), so that no outgoing connection of
 * anybody takes a port between our looking at it and our using it.
 */
const FIRST = 20_000;
const LAST = 31_999;

/** Ports that this process has already given away, whether or not somebody listens on them yet. */
const given = new Set<number>();

/** True if nothing listens on this TCP port of this address; also if the machine does not have the address at all. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** `count` different TCP ports of 127.0.0.1 that are free now. Throws when it finds too few. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; found.length < count && tries < 200 + count * 20; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) found.push(port);
  }
  if (found.length < count) throw new Error(`Found only ${found.length} of ${count} free ports between ${FIRST} and ${LAST}.`);
  return found;
}
