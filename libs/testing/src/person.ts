import type { Documented } from './documented';
import { hangMs } from './eventually';

export interface HttpReply {
  status: number;
  headers: Headers;
  /** The parsed body if it is JSON, otherwise its text; undefined if it is empty. */
  body: unknown;
}

/** A person who calls the system over HTTP, with or without a credential. */
export class Person {
  constructor(
    /** The system's address, such as `http://127.0.0.1:8080`. */
    readonly origin: string,
    readonly credential?: string,
    /** The document that every response must match. */
    private readonly documented?: Documented,
  ) {}

  with(credential: string): Person {
    return new Person(this.origin, credential, this.documented);
  }

  /** The same person without the check against the document, for unknown paths and other requests that are not operations. */
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
      body: body === undefined ? null : bytesOf(body),
      signal: AbortSignal.timeout(hangMs),
    });
    const text = await response.text();
    const reply = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : parsed(text, response.headers.get('content-type')),
    };
    await this.documented?.check({ method, path, status: reply.status, contentType: reply.headers.get('content-type'), body: reply.body });
    return reply;
  }
}

const bytesOf = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? body : Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);

// A response without a content type is parsed too, since one of our handlers may have forgotten the header.
const parsed = (text: string, type: string | null): unknown =>
  type === null || /^application\/json\b/.test(type) ? (JSON.parse(text) as unknown) : text;
