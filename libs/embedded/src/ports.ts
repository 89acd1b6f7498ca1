import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * The port range is below the ephemeral ranges of Linux (from 32768) and macOS (from 49152), so that no outgoing connection takes a port
 * between our check and our use.
 */
const FIRST = 20_000;
const LAST = 31_999;

/** True if nothing listens on this TCP port of this address, and also if the machine does not have the address. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Finds `count` distinct free TCP ports of 127.0.0.1 and reserves them against other callers of this function while this process runs. Systems
 * that start at the same time listen only seconds after they have chosen their ports. Throws if too few ports are free.
 */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; found.length < count && tries < 200 + count * 20; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if ((await reserve(port)) && (await isFree(port))) found.push(port);
  }
  if (found.length < count) throw new Error(`Found only ${found.length} of ${count} free ports between ${FIRST} and ${LAST}.`);
  return found;
}

/** Reserves the number on this machine by binding the UDP port of the same number, which is released however the process ends. */
function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  return new Promise((resolve) => {
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}
