import { request as send } from 'node:http';
import { connect } from 'node:net';
import { anyone } from './people';

/** The time limit of each request. */
const timeoutMs = 10_000;

export interface RawRequest {
  method: string;
  /** Sent unchanged: `fetch` would normalize it. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
}

export interface RawReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed JSON, or the text if it is not JSON; undefined if empty. */
  body: unknown;
}

/** @throws Error if no response arrives in time */
export function raw({ method, path, headers = {}, body }: RawRequest): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    // Node's client would send the body of a GET without a content-length.
    const framing = body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = send(
      anyone.origin,
      { method, path, headers: { ...framing, ...headers }, signal: AbortSignal.timeout(timeoutMs), maxHeaderSize: 65_536 },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed(Buffer.concat(chunks).toString()) }),
        );
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

/** Sends these bytes to the gateway and reads until it closes the connection, or until a complete JSON error has arrived. */
export function sendBytes(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(anyone.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    const finish = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(new Error(`no answer within ${timeoutMs} ms, but received ${JSON.stringify(received)}`)),
    );
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (received.includes('}}')) finish();
    });
    socket.once('error', reject);
    socket.once('end', finish);
  });
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
