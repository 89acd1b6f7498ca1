import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

/**
 * One address for all ready copies of an app, like a Service with a cluster IP: each connection goes to one of them, and stays there.
 * @param ports the ports of the copies that take new connections
 */
export async function startBalancer(port: number, ports: () => readonly number[]): Promise<Server> {
  let next = 0;
  const server = createServer((client) => {
    const open = ports();
    const copy = open[next++ % open.length];
    if (copy === undefined) return client.resetAndDestroy();
    const upstream = connect(copy, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    // A broken connection breaks on the other side too.
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => other.resetAndDestroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
