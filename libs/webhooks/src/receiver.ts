import { WebhookError } from './errors';
import { eventsIn, type WebhookEvent } from './events';
import { KeySet } from './key-set';
import { rawRequestOf, type NodeRequest, type NodeResponse } from './node';
import { MemoryReplayStore, type ReplayStore } from './replay-store';
import { bodyOf, headerOf, type WebhookRequest } from './request';
import { isSigned, signedHeadersOf, type SignedHeaders } from './signature';

export interface ReceiverOptions {
  /** The address of your Sheaf instance, such as `https://forms.example.org`. */
  origin: string;
  /** How far the time of an attempt may be from now, in seconds; 300 by default. */
  toleranceSeconds?: number;
  /** Remembers handled deliveries; by default in this process's memory. */
  replayStore?: ReplayStore;
  /** How long a handled delivery is remembered, in seconds; a day by default, and never less than twice the tolerance. */
  rememberSeconds?: number;
  /**
   * How long a delivery is reserved for the handler that has begun it, in seconds; 15 by default. If the process dies meanwhile, attempts
   * after this time are handled again, so it should end before Sheaf's last attempt, 20 seconds after the first failure.
   */
  reserveSeconds?: number;
  /** Larger bodies are refused; 5 MiB by default. */
  maxBodyBytes?: number;
  /** Receives every error that `respond` and `listener` answer; by default, those that you have to fix go to the console. */
  onError?: (error: unknown) => void;
  /** Fetches the key set, for example through a proxy; the global `fetch` by default. */
  fetch?: typeof globalThis.fetch;
  /** The current time in milliseconds since 1970; `Date.now` by default. */
  now?: () => number;
}

/** A verified request. */
export interface Delivery {
  /** The same for every attempt of a delivery, sent singly or in a batch. */
  id: string;
  /** When this attempt was made. */
  sentAt: Date;
  /** Whether somebody asked for a sample with "test". This comes from the header `Sheaf-Test`, which is not signed. */
  isTest: boolean;
  /** The place in the [trace](https://www.w3.org/TR/trace-context/) of the request that caused the event, if that is traced. Only that of a batch is signed. */
  traceparent?: string;
  event: WebhookEvent;
}

/** Does the work of a delivery. If it throws, Sheaf sends the delivery again. */
export type Handler = (delivery: Delivery) => unknown;

/** `duplicate`: the delivery was handled before, so the handler did not run. */
export type Outcome = 'handled' | 'duplicate';

/** Receives the webhooks of one Sheaf instance. Keep one for the life of the process, because it caches keys and remembers deliveries. */
export class WebhookReceiver {
  private readonly keys: KeySet;
  private readonly store: ReplayStore;
  private readonly now: () => number;
  private readonly toleranceMs: number;
  private readonly rememberMs: number;
  private readonly reserveMs: number;
  private readonly maxBodyBytes: number;
  private readonly onError: (error: unknown) => void;

  constructor(options: ReceiverOptions) {
    const { now = Date.now, fetch = globalThis.fetch.bind(globalThis), toleranceSeconds = 300, rememberSeconds = 86_400 } = options;
    this.keys = new KeySet({ origin: options.origin, fetch, now });
    this.now = now;
    this.store = options.replayStore ?? new MemoryReplayStore({ now });
    this.toleranceMs = toleranceSeconds * 1_000;
    this.rememberMs = Math.max(rememberSeconds * 1_000, 2 * this.toleranceMs);
    this.reserveMs = (options.reserveSeconds ?? 15) * 1_000;
    this.maxBodyBytes = options.maxBodyBytes ?? 5 * 1_024 * 1_024;
    this.onError = options.onError ?? logFailure;
  }

  /**
   * Checks the signature and the time of a request. Does not look for repeats: `receive` does.
   * @throws WebhookError; also for a batch, which `verifyAll` takes
   */
  async verify(request: WebhookRequest): Promise<Delivery> {
    const { isBatch, deliveries, errors } = await this.verified(request);
    const [only] = deliveries;
    if (!isBatch && errors.length > 0) throw errors[0];
    if (isBatch || !only) throw new WebhookError('unknown_event', 'The request is a batch of events: use verifyAll');
    return only;
  }

  /** Like `verify`, for a webhook with batches: its deliveries, in their order. */
  async verifyAll(request: WebhookRequest): Promise<Delivery[]> {
    const { deliveries, errors } = await this.verified(request);
    if (errors.length > 0) throw errors[0];
    return deliveries;
  }

  private async verified(request: WebhookRequest): Promise<{ isBatch: boolean; deliveries: Delivery[]; errors: unknown[] }> {
    // The cheap checks come first.
    const signed = signedHeadersOf(request.headers);
    const sentAt = Number(signed.timestamp) * 1_000;
    if (Math.abs(this.now() - sentAt) > this.toleranceMs) {
      throw new WebhookError('timestamp_out_of_tolerance', `webhook-timestamp is more than ${this.toleranceMs / 1_000} seconds from now`);
    }
    const body = await bodyOf(request, this.maxBodyBytes);
    if (!(await this.isGenuine(body, signed))) {
      throw new WebhookError('signature_mismatch', 'No signature in webhook-signature was made with a key of this instance');
    }
    const isTest = headerOf(request.headers, 'sheaf-test') === '1';
    const traceparent = headerOf(request.headers, 'traceparent');
    const { isBatch, events } = eventsIn(body, { id: signed.id, ...(traceparent !== undefined && { traceparent }) });
    return {
      isBatch,
      deliveries: events.flatMap((one) => ('error' in one ? [] : { ...one, sentAt: new Date(sentAt), isTest })),
      errors: events.flatMap((one) => ('error' in one ? [one.error] : [])),
    };
  }

  /**
   * Verifies a request and runs the handler, once per delivery. The id is remembered only after the handler has succeeded, so a delivery
   * that failed is handled again when Sheaf retries, also if the process died. The deliveries of a batch are handled one after the other, and one that
   * fails, or that this version does not know, keeps no others back: when Sheaf sends the batch again, only those that failed are handled.
   * @returns `duplicate` if all of them were handled before
   * @throws WebhookError, or the first error of the handler
   */
  async receive(request: WebhookRequest, handle: Handler): Promise<Outcome> {
    const outcomes = new Set<Outcome>();
    const { deliveries, errors } = await this.verified(request);
    for (const delivery of deliveries)
      await this.receiveOne(delivery, handle).then(
        (outcome) => outcomes.add(outcome),
        (error: unknown) => errors.push(error),
      );
    if (errors.length > 0) throw errors[0];
    return outcomes.has('handled') ? 'handled' : 'duplicate';
  }

  private async receiveOne(delivery: Delivery, handle: Handler): Promise<Outcome> {
    const reservation = `handling ${delivery.id}`;
    if (!(await this.store.add(reservation, this.after(this.reserveMs)))) {
      // Not a success: if the other attempt fails, Sheaf must retry.
      throw new WebhookError('in_progress', 'An earlier attempt of this delivery is still being handled');
    }
    try {
      if (await this.store.has(delivery.id)) return 'duplicate';
      await handle(delivery);
      await this.store.add(delivery.id, this.after(this.rememberMs));
      return 'handled';
    } finally {
      // A failure here must not hide the handler's. The reservation ends on its own.
      await this.store.remove(reservation).catch(this.onError);
    }
  }

  /** Receives a request and answers it: 204 if the delivery is handled, now or before, otherwise an error status. Never rejects. */
  async respond(request: WebhookRequest, handle: Handler): Promise<Response> {
    const { status, body } = await this.answer(request, handle);
    return new Response(body ?? null, { status, headers: body === undefined ? {} : { 'content-type': 'application/json' } });
  }

  /** A listener for node:http, and a handler for Express. It must see the request before any body parser, except `express.raw()`. */
  listener(handle: Handler): (request: NodeRequest, response: NodeResponse) => Promise<void> {
    return async (request, response) => {
      const raw = rawRequestOf(request, this.maxBodyBytes);
      const { status, body } = await this.answer(raw, handle);
      // The rest of a refused body is not read, so the connection cannot be used again.
      const closing: Record<string, string> = status === 413 ? { connection: 'close' } : {};
      response.writeHead(status, body === undefined ? closing : { ...closing, 'content-type': 'application/json' });
      response.end(body);
    };
  }

  private async answer(request: WebhookRequest | Promise<WebhookRequest>, handle: Handler): Promise<{ status: number; body?: string }> {
    try {
      await this.receive(await request, handle);
      return { status: 204 };
    } catch (error) {
      this.onError(error);
      const known = error instanceof WebhookError ? error : undefined;
      const { code, message } = known ?? { code: 'handler_failed', message: 'The delivery could not be handled' };
      return { status: known?.status ?? 500, body: JSON.stringify({ error: { code, message } }) };
    }
  }

  private async isGenuine(body: Uint8Array, signed: SignedHeaders): Promise<boolean> {
    if (signed.signatures.length === 0) return false;
    const keys = await this.keys.current();
    if (await isSigned(body, signed, keys)) return true;
    const others = await this.keys.others(keys);
    return others !== undefined && isSigned(body, signed, others);
  }

  private after(ms: number): Date {
    return new Date(this.now() + ms);
  }
}

function logFailure(error: unknown): void {
  // Anybody can send forged requests, so these are not logged. A fault that the operator of the receiver has to fix is.
  if (error instanceof WebhookError && !['body_not_raw', 'keys_unavailable'].includes(error.code)) return;
  // oxlint-disable-next-line no-console -- a default for receivers that have no logger
  console.error(error);
}
