import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { LRUCache } from 'lru-cache';
import * as queries from './seals.queries';

// Secrets of webhooks, such as the values of their headers, are kept sealed: encrypted with a key of the instance. That key is stored too, wrapped
// with the deployment's secret, which no database has. Rejected: encrypting the values with the deployment's secret itself. `hooks` keeps them, so
// nobody could encrypt them anew when the secret is rotated; of the keys here that is one row for each instance.

/** Wrapped keys of secrets that this process does not know are kept this long: another process may still start with them. */
const keptMs = 7 * 86_400_000;
const rewrappedAtOnce = 1_000;

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const prefix = 's1.';

export class Seals {
  private readonly known = new LRUCache<string, Promise<Buffer>>({ max: 10_000 });
  /** The deployment's secrets by their names, the current one first. */
  private readonly secrets: ReadonlyMap<string, string>;

  constructor(private readonly parts: { db: Database; clock: Clock; settings: { WEBHOOK_SIGNING_SECRETS: readonly string[] } }) {
    this.secrets = new Map(parts.settings.WEBHOOK_SIGNING_SECRETS.map((secret) => [nameOf(secret), secret]));
  }

  /** @param purpose what the text is for; it opens for nothing else. */
  async seal(instanceId: string, purpose: string, text: string): Promise<string> {
    return `${prefix}${encrypt(await this.keyOf(instanceId), purpose, Buffer.from(text)).toString('base64url')}`;
  }

  /** @throws if it was not sealed here for this purpose. The error says nothing of its content. */
  async open(instanceId: string, purpose: string, sealed: string): Promise<string> {
    if (!sealed.startsWith(prefix)) throw new Error('a sealed value has an unknown form');
    return decrypt(await this.keyOf(instanceId), purpose, Buffer.from(sealed.slice(prefix.length), 'base64url')).toString();
  }

  /**
   * Wraps the keys of all instances with the current secret as well, and removes those of secrets that are gone for long. Run it at start and now and
   * then: a secret can be removed once it was not the current one for a while.
   * @returns how many were wrapped.
   */
  async rewrap(): Promise<number> {
    const { db, clock } = this.parts;
    const [current = ''] = this.secrets.keys();
    let total = 0;
    let after: string | undefined;
    do {
      const rows = await queries.withoutWrapping(db, { secretId: current, after, limit: rewrappedAtOnce });
      for (const { instance_id: instanceId } of rows) {
        await this.loadKey(instanceId);
        total += 1;
      }
      after = rows.length < rewrappedAtOnce ? undefined : rows.at(-1)?.instance_id;
    } while (after !== undefined);
    await queries.deleteOthers(db, { secretIds: [...this.secrets.keys()], before: new Date(clock.now().getTime() - keptMs) });
    return total;
  }

  private keyOf(instanceId: string): Promise<Buffer> {
    let key = this.known.get(instanceId);
    if (!key) {
      key = this.loadKey(instanceId);
      this.known.set(instanceId, key);
      // A failure is not cached: the next call queries again.
      key.catch(() => this.known.delete(instanceId));
    }
    return key;
  }

  /** The key of an instance, made if there is none, and wrapped with the current secret if it was not. */
  private async loadKey(instanceId: string): Promise<Buffer> {
    const { db, clock } = this.parts;
    return db.transaction(async (trx) => {
      const found = await queries.lockWrapped(trx, instanceId);
      const [current] = this.secrets;
      if (!current) throw new Error('there is no secret to seal with');
      const openable = found.find(({ secret_id: id }) => this.secrets.has(id));
      if (found.length > 0 && !openable) throw new Error('none of WEBHOOK_SIGNING_SECRETS opens what webhooks keep sealed');
      const key = openable
        ? decrypt(wrapperOf(this.secrets.get(openable.secret_id) ?? '', instanceId), instanceId, openable.wrapped)
        : randomBytes(32);
      const [secretId, secret] = current;
      if (!found.some(({ secret_id: id }) => id === secretId)) {
        const wrapped = encrypt(wrapperOf(secret, instanceId), instanceId, key);
        await queries.insertWrapped(trx, { instance_id: instanceId, secret_id: secretId, wrapped, added_at: clock.now() });
      }
      return key;
    });
  }
}

/** Tells which secret a key was wrapped with, and nothing of the secret: that has at least 32 characters. */
const nameOf = (secret: string): string => Buffer.from(hkdfSync('sha256', secret, '', 'sheaf name of a secret', 12)).toString('base64url');

const wrapperOf = (secret: string, instanceId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, instanceId, 'sheaf wrapper of sealing keys', 32));

function encrypt(key: Buffer, purpose: string, content: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(purpose));
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
}

function decrypt(key: Buffer, purpose: string, sealed: Buffer): Buffer {
  const iv = sealed.subarray(0, ivBytes);
  const tag = sealed.subarray(ivBytes, ivBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(purpose)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
}
