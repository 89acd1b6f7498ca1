import type { IncomingMessage } from 'node:http';

/** The body of a response other than 2xx, as text that controls neither a terminal nor a page. */
export interface Excerpt {
  contentType?: string;
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

const longestType = 200;
const longestLocation = 2_048;

/** Reads what a response says, if anything. It never rejects, and ends within a second. */
export async function excerptOf(answer: IncomingMessage, from: URL): Promise<Excerpt | undefined> {
  const { text, isCut } = await beginningOf(answer);
  const location = whereTo(answer, from);
  if (text === '' && !isCut && location === undefined) return undefined;
  const type = answer.headers['content-type'];
  return {
    text,
    isCut,
    ...(type === undefined ? {} : { contentType: harmless(type.slice(0, longestType)) }),
    ...(location === undefined ? {} : { location }),
  };
}

async function beginningOf(answer: IncomingMessage): Promise<Pick<Excerpt, 'text' | 'isCut'>> {
  // A switch of protocols has no body, and its connection no end that this response would hear of.
  if (answer.statusCode === 101) return { text: '', isCut: false };
  if (reading >= mostAtOnce) return { text: '', isCut: true };
  reading += 1;
  try {
    const { bytes, isCut } = await firstBytes(answer);
    // A character that was cut in two is left out.
    return { text: harmless(new TextDecoder().decode(bytes, { stream: isCut })), isCut };
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
  if (location.length > longestLocation || !URL.canParse(location, from.href)) return undefined;
  const { protocol, host, pathname } = new URL(location, from);
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}${pathname}` : undefined;
}
