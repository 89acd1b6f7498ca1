import { WebhookError } from './errors';

/** Headers of the Fetch API, or an object with the names in any case. */
export type HeaderSource = { get(name: string): string | null } | Readonly<Record<string, string | string[] | undefined>>;

/** A request of the Fetch API, as Hono, Deno, Bun and workers have it. */
export interface FetchRequest {
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
  readonly bodyUsed: boolean;
}

/** The parts of a request for frameworks that read bodies themselves. The body must be the bytes that arrived. */
export interface RawRequest {
  readonly headers: HeaderSource;
  readonly body: Uint8Array | string;
}

export type WebhookRequest = FetchRequest | RawRequest;

export function headerOf(headers: HeaderSource, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const source = headers as Readonly<Record<string, string | string[] | undefined>>;
  const value = source[name] ?? Object.entries(source).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value.join(' ') : value;
}

export async function bodyOf(request: WebhookRequest, maxBytes: number): Promise<Uint8Array> {
  const { body } = request;
  if (typeof body === 'string') return within(maxBytes, new TextEncoder().encode(body));
  if (body instanceof Uint8Array) return within(maxBytes, body);
  if ('bodyUsed' in request && request.bodyUsed) throw notRaw();
  if (body === null) return new Uint8Array();
  if (typeof (body as Partial<ReadableStream>).getReader !== 'function') throw notRaw();

  const collected = new Collected(maxBytes);
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!collected.add(read.value)) throw tooLarge(maxBytes);
    }
  } finally {
    // After the end this does nothing; after a body that is too large it stops the sender.
    reader.cancel().catch(() => undefined);
  }
  return collected.bytes();
}

export const notRaw = (): WebhookError =>
  new WebhookError(
    'body_not_raw',
    'The body was read or parsed before: verification needs the bytes that arrived. Use this before any body parser',
  );

export const tooLarge = (maxBytes: number): WebhookError => new WebhookError('body_too_large', `The body has more than ${maxBytes} bytes`);

function within(maxBytes: number, body: Uint8Array): Uint8Array {
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  return body;
}

/** The pieces of a body, up to a limit. */
export class Collected {
  private readonly pieces: Uint8Array[] = [];
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  /** @returns false if the piece exceeds the limit */
  add(piece: Uint8Array): boolean {
    this.length += piece.length;
    if (this.length > this.maxBytes) return false;
    this.pieces.push(piece);
    return true;
  }

  bytes(): Uint8Array {
    return concatenated(this.pieces, this.length);
  }
}

export function concatenated(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
