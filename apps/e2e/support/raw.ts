import { request as send } from 'node:http';
import { connect } from 'node:net';
import { anyone } from './people';

/** The time limit for any request, however unusual. */
const patienceMs = 10_000;

export interface RawRequest {
  method: string;
  /** Sent exactly like this: unlike `fetch`, nothing normalizes it. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
}

export interface RawReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed if it is JSON, else the text; undefined if empty. */
  body: unknown;
}

/** @throws Error if no answer arrives in time */
export function raw({ method, path, headers = {}, body }: RawRequest): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    // Node's client would send the body of a GET without a content-length.
    const framing = body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = send(
      anyone.origin,
      { method, path, headers: { ...framing, ...headers }, signal: AbortSignal.timeout(patienceMs), maxHeaderSize: 65_536 },
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
export function overTheWire(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(anyone.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let said = '';
    const done = () => {
      socket.destroy();
      resolve(said);
    };
    socket.setTimeout(patienceMs, () => socket.destroy(new Error(`no answer within ${patienceMs} ms, but ${JSON.stringify(said)}`)));
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('}}')) done();
    });
    socket.once('error', reject);
    socket.once('end', done);
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
