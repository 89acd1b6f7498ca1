import { request } from 'node:http';
import { hangMs, Person, type HttpReply } from '@sheaf/testing';

/** A person who sets the `Host` header, which `fetch` does not allow. */
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
    const json = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = request(this.origin + path, {
        method,
        headers: {
          host: this.host,
          ...(this.credential === undefined ? {} : { authorization: `Bearer ${this.credential}` }),
          ...(json === undefined
            ? { 'content-length': '0' }
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) }),
          ...headers,
        },
        signal: AbortSignal.timeout(hangMs),
      });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
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
      outgoing.end(json);
    });
  }
}
