import type { JsonWebKey } from 'node:crypto';

type Fetch = () => Promise<{ keys: JsonWebKey[] }>;

/** As the key set's `Cache-Control` says. A new key signs beside the old one for a day. */
const freshMs = 3_600_000;
/** Forged requests, which match no key, must not make us fetch the keys each time. */
const refetchMs = 60_000;

/** The published keys of Sheaf instances, by their address, kept for an hour. */
export class KeySets {
  readonly #kept = new Map<string, { keys: JsonWebKey[]; fetchedAt: number }>();

  /** Whether `check` accepts the instance's keys; if it does not, they are fetched again, in case there are new ones. */
  async accept(instance: string, check: (keys: JsonWebKey[]) => boolean, { fetch, now }: { fetch: Fetch; now: number }): Promise<boolean> {
    const kept = this.#kept.get(instance);
    if (kept && now - kept.fetchedAt < freshMs) {
      if (check(kept.keys)) return true;
      if (now - kept.fetchedAt < refetchMs) return false;
    }
    const { keys } = await fetch();
    this.#kept.set(instance, { keys, fetchedAt: now });
    return check(keys);
  }
}
