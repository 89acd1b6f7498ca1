import { ErrorBody } from '@sheaf/contracts';
import type { z } from 'zod';

const patienceMs = 10_000;

/** Calls the API as any client would; an answer of another shape than the contract's ends the demo. */
export class Client {
  constructor(
    private readonly origin: string,
    private readonly credential?: string,
  ) {}

  async call<T extends z.ZodType>(method: string, path: string, reply: T, body?: unknown, headers: Record<string, string> = {}): Promise<z.output<T>> {
    const text = await this.send(method, path, body, headers);
    return reply.parse(JSON.parse(text));
  }

  async remove(path: string): Promise<void> {
    await this.send('DELETE', path, undefined, {});
  }

  private async send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<string> {
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        ...(this.credential === undefined ? {} : { authorization: `Bearer ${this.credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    if (response.ok) return text;
    const told = ErrorBody.safeParse(JSON.parse(text));
    throw new Error(`${method} ${path} → ${response.status} ${told.success ? told.data.error.message : text}`);
  }
}
