import { SheafConnectionError, SheafError, SheafTimeoutError, type ErrorDetail } from './errors';
import { parseRetryAfter } from './retries';
import type { Time } from './time';

/** Longer timers fire at once. */
const longestTimerMs = 2 ** 31 - 1;

export interface AttemptOptions {
  /** For messages. The address may have a secret in it, such as the token of an invitation. */
  name: string;
  fetch: typeof fetch;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** The operation answers with a file. */
  answersWithFile: boolean;
  time: Time;
}

/**
 * Sends a request once. The time limit is that of the whole answer, or of its head if the answer is a file.
 * @returns the data of the answer, or its response if that is a file
 */
export async function attempt(address: string, init: RequestInit, options: AttemptOptions): Promise<unknown> {
  const { name, timeoutMs, signal, answersWithFile, time } = options;
  signal?.throwIfAborted();
  // AbortSignal.any and AbortSignal.timeout would do, but are missing in browsers of 2023.
  const ending = new AbortController();
  const giveUp = () => ending.abort(new SheafTimeoutError(`${name}: no complete answer within ${timeoutMs} ms`));
  const timer = timeoutMs > longestTimerMs ? undefined : setTimeout(giveUp, timeoutMs);
  const end = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', end);
  let isOver = true;
  try {
    // Some implementations refuse to be called as a method.
    const { fetch } = options;
    const response = await fetch(address, { ...init, signal: ending.signal });
    if (response.ok && answersWithFile) {
      isOver = false;
      return response;
    }
    const text = await response.text();
    return dataOf(name, response, text, time);
  } catch (error) {
    if (error instanceof SheafError) throw error;
    signal?.throwIfAborted();
    if (ending.signal.reason instanceof SheafTimeoutError) throw ending.signal.reason;
    throw new SheafConnectionError(`${name}: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    if (isOver) signal?.removeEventListener('abort', end);
  }
}

function dataOf(name: string, response: Response, text: string, time: Time): unknown {
  const { status, ok, headers } = response;
  const facts = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), time.now()),
  };
  if (ok && text === '') return undefined;
  const data = parsed(text);
  if (ok && data !== undefined) return data;

  const { error } = (data ?? {}) as { error?: { code?: unknown; message?: unknown; details?: ErrorDetail[] } };
  if (!ok && typeof error?.code === 'string') {
    throw new SheafError(`${name}: ${String(error.message)}`, { ...facts, code: error.code, details: error.details });
  }
  // A proxy's error page, or the page of a network that wants people to sign in.
  const type = headers.get('content-type') ?? 'no content type';
  throw new SheafError(`${name}: unexpected response, ${status} with ${type}`, { ...facts, code: 'unexpected_response' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Node tells the reason in the cause of a "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return [cause?.message, cause?.code, message].find((text) => typeof text === 'string' && text !== '') ?? 'the connection failed';
}
