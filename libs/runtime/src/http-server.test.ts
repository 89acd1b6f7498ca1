import { once } from 'node:events';
import { Agent, createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Registry } from 'prom-client';
import { Health } from './health';
import { listenUntilStop } from './http-server';
import { silentLog } from './log';

let server: Server;
let port: number;
let stop: () => unknown;
let answer: (respond: (text: string) => void) => void;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const listen = async (closeNoticeMs: number) => {
  answer = (respond) => respond('hello');
  server = createServer((_request, response) => answer((text) => response.end(text)));
  const process = {
    name: 'pages',
    log: silentLog(),
    metrics: new Registry(),
    health: new Health(),
    onStop: (_what: string, close: () => unknown) => (stop = close),
  };
  await listenUntilStop(process, server, { port: 0, host: '127.0.0.1', closeNoticeMs });
  ({ port } = server.address() as AddressInfo);
};
beforeEach(() => listen(300));
afterAll(() => agent.destroy());

const ask = async (): Promise<{ connection: string | undefined; text: string }> => {
  const outgoing = send({ port, agent });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  response.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(response, 'end');
  return { connection: response.headers.connection, text };
};

describe('a server that stops', () => {
  it('finishes the requests in progress', async () => {
    let respond: ((text: string) => void) | undefined;
    answer = (reply) => (respond = reply);
    const answered = ask();
    while (!respond) await new Promise((resolve) => setTimeout(resolve, 5));
    const stopped = stop();
    await new Promise((resolve) => setTimeout(resolve, 350));
    respond('done');
    expect(await answered).toMatchObject({ text: 'done' });
    await stopped;
  });

  it('answers the next request on an idle connection, and announces that it closes', async () => {
    expect(await ask()).toEqual({ connection: 'keep-alive', text: 'hello' });
    const stopped = stop();
    expect(await ask()).toEqual({ connection: 'close', text: 'hello' });
    await stopped;
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
  });

  it('closes connections that stay idle after the notice', async () => {
    const idle = connect(port, '127.0.0.1');
    idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(idle, 'data');
    const from = performance.now();
    const closed = once(idle, 'close');
    await stop();
    await closed;
    expect(performance.now() - from).toBeGreaterThan(250);
  });

  it('does not wait if nobody is connected', async () => {
    await stop();
    // Longer than the limit of a test.
    await listen(3_600_000);
    await stop();
  });
});
