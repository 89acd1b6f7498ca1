import type { Documented } from './documented';

export interface HttpReply {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, else the text; undefined for an empty one. */
  body: unknown;
}

/** Somebody who talks to the system over HTTP, with their credential or without one. */
export class Person {
  constructor(
    /** Where the system is, e.g. `http://127.0.0.1:8080`. */
    readonly origin: string,
    readonly credential?: string,
    /** What every answer is held against. */
    private readonly documented?: Documented,
  ) {}

  with(credential: string): Person {
    return new Person(this.origin, credential, this.documented);
  }

  /** The same person where what comes back is in no documentation: unknown paths, and what is no operation. */
  get offTheMap(): Person {
    return new Person(this.origin, this.credential);
  }

  get = (path: string) => this.send('GET', path);
  delete = (path: string) => this.send('DELETE', path);
  post = (path: string, body?: unknown, headers?: Record<string, string>) => this.send('POST', path, body, headers);
  put = (path: string, body?: unknown) => this.send('PUT', path, body);
  patch = (path: string, body?: unknown) => this.send('PATCH', path, body);

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<HttpReply> {
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        ...(this.credential === undefined ? {} : { authorization: `Bearer ${this.credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    const reply = { status: response.status, headers: response.headers, body: text === '' ? undefined : parsed(text, response.headers.get('content-type')) };
    await this.documented?.check({ method, path, status: reply.status, contentType: reply.headers.get('content-type'), body: reply.body });
    return reply;
  }
}

// What has no type is tried all the same: it is one of ours that forgot to say so.
const parsed = (text: string, type: string | null): unknown => (type === null || /^application\/json\b/.test(type) ? (JSON.parse(text) as unknown) : text);
