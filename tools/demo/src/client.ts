import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { ErrorBody } from '@sheaf/contracts';
import type { z } from 'zod';

const timeoutMs = 10_000;
// Our agent closes idle connections before the server does, so that no request is sent on a closing connection.
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** Calls the API as any client would; an answer that does not match the contract ends the demo. */
export class Client {
  constructor(
    private readonly origin: string,
    private readonly credential?: string,
  ) {}

  async call<T extends z.ZodType>(
    method: string,
    path: string,
    reply: T,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<z.output<T>> {
    return reply.parse(JSON.parse(await this.send(method, path, body, headers)));
  }

  async remove(path: string): Promise<void> {
    await this.send('DELETE', path, undefined, {});
  }

  private async send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<string> {
    // `fetch` took so much CPU time that webhooks were delayed: the subscriber runs in this process too.
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const commonHeaders = {
        ...(this.credential === undefined ? {} : { authorization: `Bearer ${this.credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      request(this.origin + path, {
        method,
        agent,
        headers: { ...commonHeaders, ...headers },
        signal: AbortSignal.timeout(timeoutMs),
      })
        .on('response', resolve)
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
    const { statusCode: status = 0 } = response;
    const answer = await text(response);
    if (status >= 200 && status < 300) return answer;
    const error = ErrorBody.safeParse(JSON.parse(answer));
    throw new Error(`${method} ${path} → ${status} ${error.success ? error.data.error.message : answer}`);
  }
}
