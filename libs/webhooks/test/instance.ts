import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { WebhookReceiver, type ReceiverOptions } from '../src/receiver';

/** A signing key of an instance. */
export interface SigningKey {
  privateKey: KeyObject;
  jwk: Record<string, unknown>;
}

export function signingKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig', kid: 'a' } };
}

export interface Message {
  id?: string;
  body?: string;
  keys?: readonly SigningKey[];
  at?: number;
}

export const created = JSON.stringify({
  event: 'submission.created',
  form_id: 'f1',
  data: { name: 'Zoë ☃' },
  submission: { id: 's1', form_id: 'f1', schema_version: 1, created_at: '2026-06-01T12:00:00.000Z' },
});

export const startOfTest = Date.parse('2026-06-01T12:00:00.000Z');

/** A Sheaf instance as a receiver sees it: keys at an address, and signed requests. The clock advances only by hand. */
export class Instance {
  readonly origin = 'https://forms.example.org';
  keys: SigningKey[] = [signingKey()];
  time = startOfTest;
  fetches = 0;
  /** Replaces the answer with the key set. */
  answer: (() => Promise<Response>) | undefined;
  cacheControl = 'public, max-age=3600';

  now = (): number => this.time;

  fetch: typeof globalThis.fetch = async (url) => {
    this.fetches += 1;
    if (url !== `${this.origin}/.well-known/webhook-keys.json`) throw new Error(`fetched ${JSON.stringify(url)}`);
    return this.answer?.() ?? this.keySet();
  };

  keySet(): Promise<Response> {
    const headers = { 'cache-control': this.cacheControl };
    return Promise.resolve(Response.json({ keys: this.keys.map(({ jwk }) => jwk) }, { headers }));
  }

  advance(seconds: number): void {
    this.time += seconds * 1_000;
  }

  receiver(options: Partial<ReceiverOptions> = {}): WebhookReceiver {
    const { origin, now, fetch } = this;
    return new WebhookReceiver({ origin, now, fetch, ...options });
  }

  headers({ id = 'd1', body = created, keys = this.keys, at = this.time }: Message = {}): Record<string, string> {
    const timestamp = String(Math.floor(at / 1_000));
    const signed = Buffer.from(`${id}.${timestamp}.${body}`);
    const signatures = keys.map(({ privateKey }) => `v1a,${sign(null, signed, privateKey).toString('base64')}`);
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
  }

  request(message: Message = {}): { headers: Record<string, string>; body: string } {
    return { headers: this.headers(message), body: message.body ?? created };
  }
}
