import { once } from 'node:events';
import type { Writable } from 'node:stream';

/**
 * Writes messages one after the other, as fast as the other side reads them: what it has not read yet is never more than a few.
 * @throws AbortError when the signal aborts, whatever the messages throw themselves, and what breaks the stream.
 */
export async function writeAll(stream: Writable, messages: AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
  for await (const message of messages) {
    signal.throwIfAborted();
    if (!stream.write(message)) await once(stream, 'drain', { signal });
  }
}
