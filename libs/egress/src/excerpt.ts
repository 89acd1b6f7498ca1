import { urlIn } from '@sheaf/kernel';
import type { IncomingMessage } from 'node:http';

/** A response, as text that controls neither a terminal nor a page. */
export interface Excerpt {
  contentType?: string;
  /** Those that help to find out what happened; absent if there are none. */
  headers?: Record<string, string>;
  /** The beginning of the body. */
  text: string;
  /** Whether the body went on. */
  isCut: boolean;
  /** The address to which a redirect led, without query and credentials. */
  location?: string;
}

const mostBytes = 2_048;
// A body of this size fits into the packets that bring the head, so nearly all have arrived by the time it is read. A server that takes longer
// than a second to go on may do so for ever, and the outcome must be settled within its lease.
const mostMs = 1_000;
// Subscribers that drip must not collect connections: their attempts have given back their slots.
const mostAtOnce = 100;
let reading = 0;

const longestValue = 200;
/**
 * They say when to call again, what is allowed, and how the receiver calls the request in its own log. All others are left out, also what nobody has
 * thought of: cookies are secrets, and a header could carry another one under any name.
 */
const keptHeaders = [
  'allow',
  'retry-after',
  'www-authenticate',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'request-id',
  'x-request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-github-request-id',
  'x-ms-request-id',
  'cf-ray',
];
const longestLocation = 2_048;

/** Reads what a response other than 2xx says, if anything. It never rejects, and ends within a second. */
export const excerptOf = async (answer: IncomingMessage, from: URL): Promise<Excerpt | undefined> =>
  withHead(answer, await beginningOf(answer), whereTo(answer, from));

function withHead(
  { headers: all }: IncomingMessage,
  { text, isCut }: Pick<Excerpt, 'text' | 'isCut'>,
  location?: string,
): Excerpt | undefined {
  let headers: Record<string, string> | undefined;
  for (const name of keptHeaders) {
    const value = all[name];
    if (value !== undefined) (headers ??= {})[name] = harmless(String(value).slice(0, longestValue));
  }
  if (text === '' && !isCut && location === undefined && headers === undefined) return undefined;
  const type = all['content-type'];
  return {
    text,
    isCut,
    ...(type === undefined ? {} : { contentType: harmless(type.slice(0, longestValue)) }),
    ...(headers === undefined ? {} : { headers }),
    ...(location === undefined ? {} : { location }),
  };
}

const discardBytes = 64 * 1024;

/**
 * Reads a 2xx to its end, so that its sender sees a clean one, but no more than 64 KB and no longer than a second, and keeps the beginning. It holds the
 * connection and the slot in any case, so it needs no limit of its own.
 * @returns whether the response ended within the bounds.
 */
export async function readSuccess(answer: IncomingMessage): Promise<{ hasEnded: boolean; excerpt: Excerpt | undefined }> {
  const kept: Buffer[] = [];
  let bytes = 0;
  const hasEnded = await new Promise<boolean>((resolve) => {
    const over = (ended: boolean) => {
      clearTimeout(late);
      resolve(ended);
    };
    const late = setTimeout(() => over(false), mostMs);
    answer
      .on('data', (chunk: Buffer) => {
        if (bytes < mostBytes) kept.push(chunk);
        bytes += chunk.length;
        if (bytes > discardBytes) over(false);
      })
      .on('end', () => over(true))
      .on('error', () => over(false));
  });
  return {
    hasEnded,
    excerpt: withHead(answer, bytes === 0 ? nothing(!hasEnded) : beginningIn(Buffer.concat(kept), bytes > mostBytes || !hasEnded)),
  };
}

const nothing = (isCut: boolean) => ({ text: '', isCut });

/** A character that was cut in two is left out. */
const beginningIn = (bytes: Buffer, isCut: boolean): Pick<Excerpt, 'text' | 'isCut'> => ({
  text: harmless(new TextDecoder().decode(bytes.subarray(0, mostBytes), { stream: isCut })),
  isCut,
});

async function beginningOf(answer: IncomingMessage): Promise<Pick<Excerpt, 'text' | 'isCut'>> {
  // A switch of protocols has no body, and its connection no end that this response would hear of.
  if (answer.statusCode === 101) return nothing(false);
  if (reading >= mostAtOnce) return nothing(true);
  reading += 1;
  try {
    const { bytes, isCut } = await firstBytes(answer);
    return beginningIn(bytes, isCut);
  } finally {
    reading -= 1;
  }
}

function firstBytes(answer: IncomingMessage): Promise<{ bytes: Buffer; isCut: boolean }> {
  return new Promise((resolve) => {
    const kept = Buffer.allocUnsafe(mostBytes);
    let size = 0;
    const over = (isCut: boolean) => {
      clearTimeout(late);
      resolve({ bytes: kept.subarray(0, size), isCut });
    };
    const late = setTimeout(() => over(true), mostMs);
    answer
      .on('data', (chunk: Buffer) => {
        const copied = chunk.copy(kept, size);
        size += copied;
        if (copied < chunk.length) over(true);
      })
      .on('end', () => over(false))
      .on('error', () => over(true))
      .on('close', () => over(true));
  });
}

/** Replaces what a terminal, a page or a database would take for more than text. */
export const harmless = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu, '�');

function whereTo({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): string | undefined {
  if (statusCode < 300 || statusCode > 399 || location === undefined) return undefined;
  const to = location.length > longestLocation ? undefined : urlIn(location, from.href);
  if (!to) return undefined;
  const { protocol, host, pathname } = to;
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}${pathname}` : undefined;
}
