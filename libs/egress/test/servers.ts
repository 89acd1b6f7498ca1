import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type ServerOptions } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

// Real servers on loopback, which record the connection of each request and end with their test.

export interface Listening {
  port: number;
  url: string;
  /** In the order in which the connections were opened. */
  sockets: Socket[];
  /** The number of the connection of each request. */
  over: number[];
}

const closers: (() => Promise<unknown>)[] = [];
export const afterThisTest = (close: () => Promise<unknown>): void => void closers.push(close);

/** Closes all servers and their connections now. */
export async function closeServers(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()));
}
afterEach(closeServers);

export async function listen(server: Server, scheme = 'http'): Promise<Listening> {
  const listening: Listening = { port: 0, url: '', sockets: [], over: [] };
  server.on(scheme === 'https' ? 'secureConnection' : 'connection', (socket: Socket) =>
    listening.sockets.push(socket.on('error', () => undefined)),
  );
  server.on('request', ({ socket }: IncomingMessage) => listening.over.push(listening.sockets.indexOf(socket) + 1));
  afterThisTest(() => {
    listening.sockets.forEach((socket) => socket.destroy());
    return new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  listening.port = (server.address() as AddressInfo).port;
  listening.url = `${scheme}://127.0.0.1:${listening.port}/`;
  return listening;
}

export const http = (handle: RequestListener = (_, response) => void response.end('ok'), options: ServerOptions = {}): Promise<Listening> =>
  listen(createHttpServer(options, handle));

export const tcp = (handle: (socket: Socket) => void): Promise<Listening> => listen(createTcpServer(handle));
