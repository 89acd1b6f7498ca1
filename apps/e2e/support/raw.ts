import { request as send } from 'node:http';
import { connect } from 'node:net';
import { anyone } from './people';

/** How long the system may take for any request, however strange. */
const patienceMs = 10_000;

export interface RawRequest {
  method: string;
  /** As it goes over the wire: nothing is normalized on the way, other than with `fetch`. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
}

export interface RawReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed if it is JSON, the text otherwise; undefined for an empty one. */
  body: unknown;
}

/** @throws Error when there is no answer in time. */
export function raw({ method, path, headers = {}, body }: RawRequest): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    // Node's client would send the body of a GET without saying that there is one.
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

/** Writes these bytes to the door and reads until it closes, or until a whole JSON error has come. */
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
