import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { consolePolicy } from '@sheaf/contracts';
import { Documented } from '@sheaf/testing';

/** A request of the console. */
export interface Asked {
  method: string;
  pathname: string;
  query: URLSearchParams;
  body: unknown;
}

/** An answer that is not just the body of a success. */
export class Reply {
  constructor(
    readonly status: number | undefined,
    readonly body: unknown,
    readonly type = 'application/json',
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** The answer of the API when it refuses a request. */
export const refused = (
  status: number,
  code: string,
  message: string,
  details?: readonly object[],
  headers?: Readonly<Record<string, string>>,
): Reply => new Reply(status, { error: { code, message, ...(details ? { details } : {}) } }, 'application/json', headers);

/** Text that is no JSON, such as an export. */
export const text = (type: string, body: string, headers?: Readonly<Record<string, string>>): Reply =>
  new Reply(undefined, body, type, headers);

/** The connection breaks before there is an answer. */
export const lost = Symbol('lost');

/**
 * Answers by request, such as `GET /app/v1/forms` or `GET /app/v1/forms?view=trash`: of several that fit, the one with the most parameters.
 * Each is the body of a success, a `Reply`, `lost`, or a function of the request that returns one of these.
 */
export type Answers = Readonly<Record<string, unknown>>;

const types: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };
const isApi = (pathname: string) => /^\/(?:api|app|public)\//.test(pathname);

/** Serves the built console as `pages` does, and what a test has recorded in place of the API. Answers that the API could not give are faults. */
export class RecordedServer {
  private answers = new Map<string, unknown>();
  private readonly holds = new Map<string, Promise<void>>();
  private readonly streams = new Set<ServerResponse>();
  private readonly faults: string[] = [];
  private readonly requests: Asked[] = [];

  private constructor(
    private readonly server: Server,
    private readonly files: ReadonlyMap<string, Buffer>,
    private readonly documented: Documented,
  ) {}

  /**
   * @param folder has what Vite built
   * @param server is at its address already if it has served before
   */
  static async start(folder: string, server = createServer()): Promise<RecordedServer> {
    const names = ['index.html', ...readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`)];
    const files = new Map(names.map((name) => [`/console/${name}`, readFileSync(join(folder, name))]));
    const openapi = JSON.parse(readFileSync(join(__dirname, '../../../../docs/openapi.json'), 'utf8')) as object;
    const recorded = new RecordedServer(server, files, new Documented(openapi));
    server.on('request', (request, response) => void recorded.serve(request, response));
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
    return recorded;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets what was before, and gives these answers. */
  show(answers: Answers): void {
    this.answers = new Map(Object.entries(answers));
    this.requests.length = 0;
  }

  /** Gives these answers from now on. */
  set(answers: Answers): void {
    for (const [request, answer] of Object.entries(answers)) this.answers.set(request, answer);
  }

  /** The requests so far that fit, such as `PATCH /app/v1/me`, the first one first. */
  asked(request: string): Asked[] {
    return this.requests.filter((each) => fits(request, each));
  }

  /** The bodies of these requests. */
  sent(request: string): unknown[] {
    return this.asked(request).map(({ body }) => body);
  }

  /** Lets no answer to this request out until the returned function is called. */
  hold(request: string): () => void {
    let release: () => void = () => undefined;
    this.holds.set(request, new Promise((resolve) => (release = resolve)));
    return () => {
      this.holds.delete(request);
      release();
    };
  }

  /** Tells the console of a change, as the stream of events does. */
  change(change: { kind: string; action: string; form_id: string; submission_id?: string }): void {
    for (const stream of this.streams) stream.write(`event: change\nid: ${this.requests.length}\ndata: ${JSON.stringify(change)}\n\n`);
  }

  /** Ends the streams. @returns what was asked or answered that the API does not have */
  end(): string[] {
    for (const stream of this.streams) stream.destroy();
    this.streams.clear();
    this.holds.clear();
    return this.faults.splice(0);
  }

  /** Answers no more. The address stays, for the server of another test file. */
  pause(): void {
    this.server.removeAllListeners('request');
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://console');
    // Of a file, HEAD tells what GET would.
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const asked = { method, pathname, query, body: await bodyOf(request) };
    if (!isApi(pathname) && !this.answerTo(asked)) return this.servePage(pathname, response);
    this.requests.push(asked);
    for (const [held, released] of this.holds) if (fits(held, asked)) await released;
    await this.answer(asked, response);
  }

  private servePage(pathname: string, response: ServerResponse): void {
    const file = this.files.get(pathname);
    const isPage = !file && (/^\/console(?:\/(?!assets\/)|$)/.test(pathname) || /^\/invitations\/[^/]+$/.test(pathname));
    if (file) response.setHeader('Content-Type', types[extname(pathname)] ?? 'application/octet-stream');
    if (file) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    if (isPage) {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.setHeader('Content-Security-Policy', consolePolicy);
      response.setHeader('Referrer-Policy', 'no-referrer');
    }
    response.statusCode = file || isPage ? 200 : 404;
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.end(isPage ? this.files.get('/console/index.html') : file);
  }

  private async answer(asked: Asked, response: ServerResponse): Promise<void> {
    const { method, pathname, query } = asked;
    const path = query.size > 0 ? `${pathname}?${query.toString()}` : pathname;
    const recorded = this.answerTo(asked);
    if (!recorded && pathname === '/app/v1/events') return this.follow(response);
    if (!recorded) {
      this.faults.push(`${method} ${path} has no recorded answer`);
      response.writeHead(501).end();
      return;
    }
    const given = typeof recorded.answer === 'function' ? (recorded.answer as (asked: Asked) => unknown)(asked) : recorded.answer;
    if (given === lost) return void response.destroy();
    try {
      const reply = given instanceof Reply ? given : new Reply(undefined, given);
      const status = reply.status ?? (isApi(pathname) ? await this.documented.successOf(method, pathname) : 200);
      const contentType = reply.body === undefined ? null : reply.type;
      if (isApi(pathname)) await this.documented.check({ method, path, status, contentType, body: reply.body });
      response.writeHead(status, { ...(contentType === null ? {} : { 'content-type': contentType }), ...reply.headers });
      response.end(bytesOf(reply));
    } catch (error) {
      this.faults.push(error instanceof Error ? error.message : String(error));
      response.writeHead(501).end();
    }
  }

  private answerTo(asked: Asked): { answer: unknown } | undefined {
    const fitting = [...this.answers].filter(([request]) => fits(request, asked));
    const [best] = fitting.sort(([one], [other]) => parametersOf(other).size - parametersOf(one).size);
    return best && { answer: best[1] };
  }

  private follow(response: ServerResponse): void {
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: reset\nid: 0\ndata: {}\n\n');
  }
}

const parametersOf = (request: string) => new URLSearchParams(request.split('?')[1] ?? '');

function fits(request: string, { method, pathname, query }: Asked): boolean {
  const isSame = request.split('?')[0] === `${method} ${pathname}`;
  return isSame && [...parametersOf(request)].every(([name, value]) => query.getAll(name).includes(value));
}

const bytesOf = ({ body, type }: Reply): string | Buffer | undefined => {
  if (body === undefined || body instanceof Buffer) return body;
  return type === 'application/json' || typeof body !== 'string' ? JSON.stringify(body) : body;
};

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const sent = Buffer.concat(chunks).toString();
  if (sent === '') return undefined;
  return (request.headers['content-type'] ?? '').includes('json') ? (JSON.parse(sent) as unknown) : sent;
}
