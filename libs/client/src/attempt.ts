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
  /** The operation may succeed without a body. */
  answersWithNothing: boolean;
  time: Time;
}

/**
 * Sends a request once. The time limit is that of the whole answer, or of its head if the answer is a file.
 * @returns the data of the answer, or its response if that is a file
 */
export async function attempt(address: string, init: RequestInit, options: AttemptOptions): Promise<unknown> {
  const { name, timeoutMs, signal, answersWithFile } = options;
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
    // Following a redirect would turn a POST into a GET, and could take the key to another host.
    const response = await fetch(address, { ...init, redirect: 'manual', signal: ending.signal });
    if (isRedirect(response)) throw redirected(address, response, options);
    if (response.ok && answersWithFile) {
      isOver = false;
      return response;
    }
    const text = await response.text();
    return dataOf(response, text, options);
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

const factsOf = ({ status, headers }: Response, { time }: AttemptOptions) => ({
  status,
  requestId: headers.get('x-request-id') ?? undefined,
  retryAfterMs: parseRetryAfter(headers.get('retry-after'), time.now()),
});

/** Browsers do not show a redirect that they do not follow: its status is 0. */
const isRedirect = ({ type, status }: Response): boolean => type === 'opaqueredirect' || (status >= 300 && status < 400);

/** It names the origin only, as the rest of the address may have a secret in it. */
function redirected(address: string, response: Response, options: AttemptOptions): SheafError {
  const to = response.headers.get('location');
  const origin = to !== null && URL.canParse(to, address) ? new URL(to, address).origin : 'another address';
  void response.body?.cancel().catch(() => undefined);
  const message = `${options.name}: the server redirects to ${origin}, which is not followed; give the client the address where Sheaf itself answers`;
  return new SheafError(message, { ...factsOf(response, options), code: 'redirected' });
}

function dataOf(response: Response, text: string, options: AttemptOptions): unknown {
  const { name, answersWithNothing } = options;
  const { status, ok, headers } = response;
  const facts = factsOf(response, options);
  if (ok && text === '') {
    if (answersWithNothing) return undefined;
    throw new SheafError(`${name}: an empty response with status ${status}; a proxy may have answered`, {
      ...facts,
      code: 'empty_response',
    });
  }
  const data = parsed(text);
  if (ok && typeof data === 'object' && data !== null) return data;

  const { error } = (data ?? {}) as { error?: { code?: unknown; message?: unknown; details?: ErrorDetail[] } };
  if (!ok && typeof error?.code === 'string') {
    throw new SheafError(`${name}: ${String(error.message)}`, { ...facts, code: error.code, details: error.details });
  }
  // A proxy's error page, or the page of a network that wants people to sign in.
  const type = headers.get('content-type') ?? 'no content type';
  throw new SheafError(`${name}: unexpected response, ${status} with ${type}; it is not one of Sheaf's`, {
    ...facts,
    code: 'unexpected_response',
  });
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
