import { WebhookError } from './errors';
import type { VerifyKey } from './signature';

interface KeySetOptions {
  origin: string;
  fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** While there are keys, the set is fetched at most this often, however many requests match none of them. */
const refetchMs = 60_000;
/** Without keys nothing can be verified, so the next attempt follows sooner: before Sheaf's own retry after 4 s. */
const retryMs = 2_000;
const timeoutMs = 5_000;
const defaultCacheMs = 3_600_000;
const maxCacheMs = 86_400_000;
const maxKeys = 8;

/** The public keys of a Sheaf instance, cached as their Cache-Control allows. */
export class KeySet {
  private readonly url: string;
  private keys: readonly VerifyKey[] = [];
  private expiresAt = 0;
  private triedAt: number | undefined;
  private failure: unknown;
  private fetching: Promise<void> | undefined;

  constructor(private readonly options: KeySetOptions) {
    this.url = `${originOf(options.origin)}/.well-known/webhook-keys.json`;
  }

  /** The keys to try first. If the set cannot be fetched, expired keys remain in use. */
  async current(): Promise<readonly VerifyKey[]> {
    const hasKeys = this.keys.length > 0;
    if (!hasKeys || this.options.now() >= this.expiresAt) await this.fetchUnlessTriedWithin(hasKeys ? refetchMs : retryMs);
    if (this.keys.length > 0) return this.keys;
    throw new WebhookError('keys_unavailable', `The key set at ${this.url} could not be fetched`, { cause: this.failure });
  }

  /** The keys to try when none of `tried` matched; undefined if there are no others. */
  async others(tried: readonly VerifyKey[]): Promise<readonly VerifyKey[] | undefined> {
    if (this.keys === tried) await this.fetchUnlessTriedWithin(refetchMs);
    return this.keys === tried ? undefined : this.keys;
  }

  /** Requests that need the set at the same time share one fetch. */
  private async fetchUnlessTriedWithin(ms: number): Promise<void> {
    if (!this.fetching) {
      const elapsed = this.triedAt === undefined ? Infinity : this.options.now() - this.triedAt;
      // A negative time means that the clock was set back.
      if (elapsed >= 0 && elapsed < ms) return;
      this.triedAt = this.options.now();
      this.fetching = this.fetch().finally(() => (this.fetching = undefined));
    }
    await this.fetching;
  }

  private async fetch(): Promise<void> {
    try {
      // A redirect could lead to somebody else's keys.
      const response = await this.options.fetch(this.url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
      if (response.status !== 200) throw new Error(`The server answered ${response.status}`);
      const { keys } = (await response.json()) as { keys?: unknown };
      const imported = await importedKeys(Array.isArray(keys) ? keys.slice(0, maxKeys) : []);
      if (imported.length === 0) throw new Error('The key set has no Ed25519 key');
      this.keys = imported;
      this.expiresAt = this.options.now() + cacheMs(response.headers);
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }
}

async function importedKeys(set: readonly unknown[]): Promise<VerifyKey[]> {
  const candidates = set.filter((key): key is { x: string } => {
    const { kty, crv, x } = (key ?? {}) as Record<string, unknown>;
    return kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string';
  });
  const results = await Promise.allSettled(
    candidates.map(({ x }) => crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x }, 'Ed25519', false, ['verify'])),
  );
  const imported = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const refused = results.find((result) => result.status === 'rejected');
  // One key that this runtime cannot use must not make the others unusable.
  if (imported.length === 0 && refused) throw refused.reason;
  return imported;
}

/** How long a response may be cached. */
function cacheMs(headers: Headers): number {
  const control = headers.get('cache-control') ?? '';
  if (/\bno-(?:store|cache)\b/i.test(control)) return refetchMs;
  const maxAge = /\bmax-age=(\d{1,9})/i.exec(control)?.[1];
  if (maxAge === undefined) return defaultCacheMs;
  const age = Number(/^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? 0);
  return Math.min(Math.max((Number(maxAge) - age) * 1_000, refetchMs), maxCacheMs);
}

/** Keys that arrive without TLS prove nothing, except from this machine. */
function originOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url && isLocal)) return url.origin;
  throw new RangeError(`origin must be an https address, such as https://forms.example.org, not "${address}"`);
}
