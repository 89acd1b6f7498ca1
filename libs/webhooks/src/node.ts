import { WebhookError } from './errors';
import { Collected, notRaw, tooLarge, type RawRequest } from './request';

/** The part of node:http's IncomingMessage that is needed. Express adds `body` if a body parser ran. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly readableEnded?: boolean;
  readonly body?: unknown;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
  off(event: string, listener: (chunk: Uint8Array) => void): unknown;
  pause(): unknown;
}

/** The part of node:http's ServerResponse that is needed. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: string): unknown;
}

/** Reads the raw body, unless express.raw() has done so. */
export async function rawRequestOf(request: NodeRequest, maxBytes: number): Promise<RawRequest> {
  const { headers, body } = request;
  if (body instanceof Uint8Array || typeof body === 'string') return { headers, body };
  if (request.readableEnded === true) throw notRaw();
  return { headers, body: await read(request, maxBytes) };
}

/** With events instead of `for await`, because leaving such a loop early would close the connection before the answer. */
function read(request: NodeRequest, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const collected = new Collected(maxBytes);
    const brokenOff = () => reject(new WebhookError('malformed_body', 'The connection closed before the end of the body'));
    const take = (chunk: Uint8Array) => {
      if (collected.add(chunk)) return;
      request.off('data', take);
      request.pause();
      reject(tooLarge(maxBytes));
    };
    request.on('data', take);
    request.on('end', () => resolve(collected.bytes()));
    request.on('error', brokenOff);
    request.on('close', brokenOff);
  });
}
