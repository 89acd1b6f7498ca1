import { once } from 'node:events';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Response } from 'express';
import { Problem } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import { compressionLevel, mayCompress } from './reply';

/** A response whose chunks are sent as they arrive, so that it is never held in memory as a whole. */
export class Streamed {
  constructor(
    readonly metadata: {
      /** One of the content types that the route documents, with parameters. */
      readonly contentType: string;
      /** If set, browsers save the response under this name, which may contain any characters. */
      readonly filename?: string | undefined;
      /** Additional headers. They override the default ones. */
      readonly headers?: Readonly<Record<string, string>>;
    },
    /**
     * Iterated as fast as the client reads, until the client disconnects. For routes without `stream`, a function that receives the
     * `streamCall`.
     */
    readonly chunks: AsyncIterable<Uint8Array> | ((streamCall: Call) => AsyncIterable<Uint8Array>),
  ) {}
}

/**
 * Sends a streamed response. If the first chunk fails or takes too long, this throws, and an error response is still possible. A later
 * failure cuts the connection, so that clients cannot mistake a part for the whole.
 * @param disconnected aborts when the client disconnects
 */
export async function replyStreamed(
  response: Response,
  status: number,
  { metadata, chunks }: Streamed,
  { streamCall, disconnected, firstChunkTimeoutMs }: { streamCall: Call; disconnected: AbortSignal; firstChunkTimeoutMs: number },
): Promise<void> {
  const iterator = (typeof chunks === 'function' ? chunks(streamCall) : chunks)[Symbol.asyncIterator]();
  try {
    const first = await withTimeout(firstChunkTimeoutMs, iterator.next());
    response.statusCode = status;
    if (metadata.filename !== undefined) response.attachment(metadata.filename);
    response.setHeader('Content-Type', metadata.contentType);
    response.setHeader('Cache-Control', 'no-store');
    for (const [name, value] of Object.entries(metadata.headers ?? {})) response.setHeader(name, value);
    // Streamed JSON is always large. Files are sent as they are.
    const isCompressed = metadata.filename === undefined && isJson(metadata.contentType) && mayCompress(response);
    if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
    // Up to here, HEAD and GET are the same.
    if (response.req.method !== 'HEAD') {
      const sent = from(first, iterator);
      for await (const bytes of isCompressed ? gzipped(sent) : sent)
        if (!response.write(bytes)) await once(response, 'drain', { signal: disconnected });
    }
    response.end();
  } finally {
    // Not awaited: the iterator may return only after its own pending call is cancelled.
    iterator.return?.().catch(() => undefined);
  }
}

const isJson = (contentType: string): boolean => contentType.startsWith('application/json');

async function* from(first: IteratorResult<Uint8Array, unknown>, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let chunk = first; chunk.done !== true; chunk = await rest.next()) yield chunk.value;
}

/** Compresses off the event loop, as fast as the result is read. If reading the chunks fails, so does reading the result. */
const gzipped = (chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 1 }), createGzip({ level: compressionLevel }), () => undefined);

/** The result of the work. @throws Problem `unavailable` if it takes longer than `ms`. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(Problem.unavailable(`the stream sent nothing within ${ms} ms`)), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
