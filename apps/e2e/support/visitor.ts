import { request } from 'node:http';
import { Person, type HttpReply } from '@sheaf/testing';

/** Requests a host by name, wherever the system listens. `fetch` does not allow another `Host` header. */
export class Visitor extends Person {
  constructor(
    origin: string,
    readonly host: string,
    credential?: string,
  ) {
    super(origin, credential);
  }

  override with(credential: string): Visitor {
    return new Visitor(this.origin, this.host, credential);
  }

  /** The same person on another host. */
  at(host: string): Visitor {
    return new Visitor(this.origin, host, this.credential);
  }

  override send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<HttpReply> {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const asked = request(this.origin + path, {
        method,
        headers: {
          host: this.host,
          ...(this.credential === undefined ? {} : { authorization: `Bearer ${this.credential}` }),
          ...(sent === undefined
            ? { 'content-length': '0' }
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) }),
          ...headers,
        },
        signal: AbortSignal.timeout(10_000),
      });
      asked.on('error', reject);
      asked.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
            body: text === '' ? undefined : (JSON.parse(text) as unknown),
          });
        });
      });
      asked.end(sent);
    });
  }
}
