import { SheafConnectionError, SheafError } from './errors';
import type { Client } from './operation';

/** A change, without any answers. New kinds and actions may be added. */
export interface Change {
  /** `form`, `draft`, `grant`, `submission`, `webhook` or `delivery`. */
  kind: string;
  /** Such as `created`. */
  action: string;
  form_id: string;
  /** For a single submission. */
  submission_id?: string;
}

/** At `reset`, load everything that you show; at `change`, whatever changed. An event may arrive twice. */
export type SheafEvent = { type: 'reset'; id: string | undefined } | { type: 'change'; id: string | undefined; data: Change };

export interface EventOptions {
  client: Client;
  /** The id of the last event that you have received. */
  lastEventId?: string | undefined;
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
}

/** Three of the server's heartbeats. */
const silenceMs = 45_000;

/**
 * Receives changes until the loop ends or the signal is aborted. Connects again, and continues after the last event, whenever the stream
 * ends, breaks or falls silent.
 * @throws SheafError if the server refuses the stream
 */
export const receiveEvents = (options: EventOptions): AsyncGenerator<SheafEvent, void, void> => eventsWithin(silenceMs, options);

export async function* eventsWithin(limitMs: number, options: EventOptions): AsyncGenerator<SheafEvent, void, void> {
  const { client, signal } = options;
  let id = options.lastEventId;
  for (let failures = 0; ; failures++) {
    if (failures > 0) await client.pause(failures, signal);
    const connection = new AbortController();
    const end = () => connection.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', end);
    try {
      const { body, headers } = await client.get<{ 200: Blob }>({
        client,
        url: '/app/v1/events',
        security: [{}],
        headers: { 'last-event-id': id },
        signal: connection.signal,
        retries: 0,
      });
      if (!headers.get('content-type')?.startsWith('text/event-stream')) {
        throw new SheafError('GET /app/v1/events: unexpected response, no event stream', { status: 200, code: 'unexpected_response' });
      }
      for await (const message of messagesOf(body, limitMs)) {
        failures = 0;
        id = message.id ?? id;
        const event = eventOf(message, id);
        if (event) yield event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
    } finally {
      signal?.removeEventListener('abort', end);
      connection.abort();
    }
  }
}

/** Anything but a refusal passes, however long it takes. */
const isPassing = (error: unknown) =>
  error instanceof SheafConnectionError || (error instanceof SheafError && (error.status >= 500 || error.status === 429));

type Message = Partial<Record<string, string>>;

function eventOf({ event, data = '{}' }: Message, id: string | undefined): SheafEvent | undefined {
  if (event === 'reset') return { type: 'reset', id };
  return event === 'change' ? { type: 'change', id, data: JSON.parse(data) as Change } : undefined;
}

/** The messages of an event stream, as fields by name. */
async function* messagesOf(body: ReadableStream<Uint8Array>, limitMs: number): AsyncGenerator<Message, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await inTime(reader.read(), limitMs);
    if (done) return;
    const messages = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) yield Object.fromEntries(message.split('\n').map(fieldOf));
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}

/** @throws SheafConnectionError if the stream breaks or is silent for too long */
async function inTime<T>(reading: Promise<T>, limitMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      reading,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`silent for ${limitMs} ms`)), limitMs);
      }),
    ]);
  } catch (error) {
    throw new SheafConnectionError('the event stream broke', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
