import { once } from 'node:events';
import type { Response } from 'express';
import { Problem } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';

/** An answer of bytes that are sent as they come, so that none of its size is ever held here. */
export class Streamed {
  constructor(
    readonly about: {
      /** One of those that the row documents, with its parameters. */
      readonly contentType: string;
      /** With one, a browser saves the answer under this name. It may have any characters. */
      readonly filename?: string | undefined;
      /** More headers, or others than it would have. */
      readonly headers?: Readonly<Record<string, string>>;
    },
    /** Iterated as fast as the client reads; its iteration is ended when the client is gone. A row without `stream` gets its call here. */
    readonly chunks: AsyncIterable<Uint8Array> | ((streamCall: Call) => AsyncIterable<Uint8Array>),
  ) {}
}

/**
 * Sends it. A failure before the first chunk is thrown and can still be answered, like a first chunk that takes too long; one after it
 * cuts the connection, so that nobody takes a part for the whole.
 * @param gone aborts when the client is
 */
export async function replyStreamed(response: Response, status: number, { about, chunks }: Streamed, { streamCall, gone, firstWithinMs }: { streamCall: Call; gone: AbortSignal; firstWithinMs: number }): Promise<void> {
  const iterator = (typeof chunks === 'function' ? chunks(streamCall) : chunks)[Symbol.asyncIterator]();
  try {
    let chunk = await within(firstWithinMs, iterator.next());
    response.statusCode = status;
    if (about.filename !== undefined) response.attachment(about.filename);
    response.setHeader('Content-Type', about.contentType);
    response.setHeader('Cache-Control', 'no-store');
    for (const [name, value] of Object.entries(about.headers ?? {})) response.setHeader(name, value);
    // HEAD takes the same way as GET, up to here.
    while (chunk.done !== true && response.req.method !== 'HEAD') {
      if (!response.write(chunk.value)) await once(response, 'drain', { signal: gone });
      chunk = await iterator.next();
    }
    response.end();
  } finally {
    // Not waited for: it may only get there when what it waits for itself is cancelled.
    iterator.return?.().catch(() => undefined);
  }
}

/** What the work comes to. @throws Problem `unavailable` if it takes longer. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(Problem.unavailable(`a stream that had nothing within ${ms} ms`)), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
