import { once } from 'node:events';
import type { Writable } from 'node:stream';

/**
 * Writes messages in order, as fast as the other side reads them, so that only a few are ever unread.
 * @throws AbortError when the signal aborts, and any error of the messages or the stream.
 */
export async function writeAll(stream: Writable, messages: AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
  for await (const message of messages) {
    signal.throwIfAborted();
    if (!stream.write(message)) await once(stream, 'drain', { signal });
  }
}
