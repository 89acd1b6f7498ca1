import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The parts of a Stripe checkout session that we use. */
export interface StripeSession {
  id: string;
  object: 'checkout.session';
  url: string;
  client_reference_id: string | null;
  metadata: Record<string, string>;
  payment_intent: string | null;
  amount_total: number;
  currency: string;
  payment_status: 'paid' | 'unpaid';
  status: string;
  /** All request parameters by their form name, such as `line_items[0][quantity]`. */
  asked: Record<string, string>;
}

/** `unreachable`: connections break; `losing`: the session is created, but the response is lost; `refusing`: requests are rejected. */
export type StripeMode = 'normal' | 'unreachable' | 'losing' | 'refusing';

export interface SignedEvent {
  body: Buffer;
  signature: string;
}

/** Stands in for Stripe: its endpoint for checkout sessions, with its idempotency, and its signed events. */
export interface StandInStripe {
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly sessions: readonly StripeSession[];
  mode: StripeMode;
  /** Returns the checkout of a submission. */
  sessionOf(submissionId: string): StripeSession;
  /** Makes a signed event about a checkout, with `changes` applied. Made again, it is the same event with a new signature. */
  event(
    type: string,
    session: StripeSession,
    changes?: Partial<StripeSession>,
    signedWith?: { secret?: string; at?: Date },
  ): Promise<SignedEvent>;
  close(): Promise<void>;
}

const fault = (response: ServerResponse, status: number, type: string, message: string) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { type, message } }));

/** Long enough for a second request to arrive during the first. */
const workMs = 20;
/** The settings of a system that uses it. */
export const stripeSecrets = { secretKey: 'sk_test_stand_in', webhookSecret: 'whsec_stand_in' };

/** @param port a free one by default */
export async function startStripe(port = 0): Promise<StandInStripe> {
  const state: State = { url: '', mode: 'normal', sessions: [], byKey: new Map() };
  const server = createServer((request, response) => {
    if (request.method === 'GET') showCheckout(state, request, response);
    else void create(state, request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: state.url,
    ...stripeSecrets,
    sessions: state.sessions,
    get mode() {
      return state.mode;
    },
    set mode(next) {
      state.mode = next;
    },
    sessionOf(submissionId) {
      const session = state.sessions.find(({ metadata }) => metadata.submission_id === submissionId);
      if (!session) throw new Error(`the submission ${submissionId} has no checkout session`);
      return session;
    },
    event: signedEvent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface State {
  url: string;
  mode: StripeMode;
  sessions: StripeSession[];
  /** The requests by their idempotency key; the session is absent while the first one is in progress. */
  byKey: Map<string, { asked: string; session: StripeSession | undefined }>;
}

/** The page on which a respondent pays, with the ways back for those who paid and for those who did not. */
function showCheckout({ url, sessions }: State, request: IncomingMessage, response: ServerResponse): void {
  const session = sessions.find((each) => each.url === `${url}${request.url ?? ''}`);
  if (!session) return void fault(response, 404, 'invalid_request_error', 'Unrecognized request URL');
  const { success_url: paid = '', cancel_url: notNow = '' } = session.asked;
  const links = [`<a href="${paid.replaceAll('&', '&amp;')}">Paid</a>`, `<a href="${notNow.replaceAll('&', '&amp;')}">Not now</a>`];
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><html lang="en"><title>Checkout</title><h1>Pay here</h1>${links.join(' ')}</html>`);
}

/** The endpoint for checkout sessions. */
async function create(state: State, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const { byKey, sessions } = state;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const key = String(request.headers['idempotency-key']);
  if (state.mode === 'unreachable') return request.socket.destroy();
  if (request.method !== 'POST' || request.url !== '/v1/checkout/sessions')
    return fault(response, 404, 'invalid_request_error', 'Unrecognized request URL');
  if (request.headers.authorization !== `Bearer ${stripeSecrets.secretKey}`)
    return fault(response, 401, 'invalid_request_error', 'Invalid API Key provided');
  if (state.mode === 'refusing') return fault(response, 400, 'invalid_request_error', 'The amount is too small');

  const known = byKey.get(key);
  if (known && known.asked !== text)
    return fault(response, 400, 'idempotency_error', 'Keys for idempotent requests can only be used with the same parameters');
  if (known && !known.session)
    return fault(response, 409, 'idempotency_error', 'There is currently another in-progress request using this key');
  const entry = known ?? { asked: text, session: undefined };
  if (!known) {
    byKey.set(key, entry);
    await sleep(workMs);
    entry.session = sessionFor(state, Object.fromEntries(new URLSearchParams(text)));
    sessions.push(entry.session);
  }
  if (state.mode === 'losing') return request.socket.destroy();
  return response
    .writeHead(200, { 'content-type': 'application/json', 'request-id': `req_${sessions.length}` })
    .end(JSON.stringify(entry.session));
}

function sessionFor({ url, sessions }: State, asked: Record<string, string>): StripeSession {
  const id = `cs_test_${sessions.length + 1}`;
  return {
    id,
    object: 'checkout.session',
    url: `${url}/c/pay/${id}`,
    client_reference_id: asked.client_reference_id ?? null,
    metadata: Object.fromEntries(
      Object.entries(asked).flatMap(([name, value]) => {
        const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
        return key === undefined ? [] : [[key, value]];
      }),
    ),
    payment_intent: null,
    amount_total: Number(asked['line_items[0][price_data][unit_amount]']) * Number(asked['line_items[0][quantity]']),
    currency: asked['line_items[0][price_data][currency]'] ?? '',
    payment_status: 'unpaid',
    status: 'open',
    asked,
  };
}

async function signedEvent(
  ...[type, session, changes = {}, { secret = stripeSecrets.webhookSecret, at = new Date() } = {}]: Parameters<StandInStripe['event']>
): Promise<SignedEvent> {
  const { asked: _, ...object } = { ...session, payment_intent: `pi_of_${session.id}`, ...changes };
  const payload = JSON.stringify({ id: `evt_${type}_${session.id}`, object: 'event', type, data: { object } });
  // Loaded lazily, because most tests do not need it.
  const { default: Stripe } = await import('stripe');
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at.getTime() / 1_000) });
  return { body: Buffer.from(payload), signature };
}
