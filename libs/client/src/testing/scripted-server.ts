import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { clientIn, type ClientOptions } from '../client';
import type { Client } from '../operation';
import type { Time } from '../time';

/** The server's reaction to a request. */
export type Step = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** The script that was on when a request was sent. */
const scriptHeader = 'x-script';

/** An HTTP server that answers each request with the next of these steps, and the last one again and again. */
export class ScriptedServer {
  readonly received: ReceivedRequest[] = [];
  /** The waits of its clients, which do not take time. */
  readonly waits: number[] = [];
  private steps: Step[] = [];
  private script = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedServer> {
    const server = createServer((request, response) => void started.answer(request, response));
    const started = new ScriptedServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Begins a new script. */
  will(...steps: Step[]): this {
    this.steps = steps;
    this.script += 1;
    this.received.length = 0;
    this.waits.length = 0;
    return this;
  }

  /** A client whose clock stands still, and whose chance is always one half. */
  client(options: Partial<ClientOptions> = {}): Client {
    const time: Time = {
      now: () => Date.UTC(2026, 10, 23, 12),
      random: () => 0.5,
      sleep: async (ms, signal) => {
        this.waits.push(ms);
        // Lets answers arrive that are under way.
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      },
    };
    const send: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set(scriptHeader, String(this.script));
      return (options.fetch ?? fetch)(input, { ...init, headers });
    };
    return clientIn(time, { url: this.origin, ...options, fetch: send });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A request that an earlier test gave up arrives late on a busy machine.
    if ((request.headers[scriptHeader] ?? String(this.script)) !== String(this.script)) return void request.socket.destroy();
    const step = (this.steps.length > 1 ? this.steps.shift() : this.steps[0]) ?? refuse(500, 'internal_error');
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: Buffer.alloc(0) };
    this.received.push(received);
    received.body = await buffer(request);
    step(request, response);
  }
}

export const answer =
  (data: unknown, status = 200, headers: Record<string, string> = {}): Step =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(data));

export const refuse = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  answer({ error: { code, message: `refused with ${code}` } }, status, { 'x-request-id': 'request-1', ...headers });

/** Ends the connection without an answer. */
export const hangUp: Step = (request) => request.socket.destroy();

/** Never answers. */
export const stall: Step = () => undefined;
