import { audited, record, type Outbox } from '@sheaf/events';
import { authorizeOnInstance, type Clock, type Respondent, type User } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import { LRUCache } from 'lru-cache';
import { deriveKey, signatures, type WebhookKey } from './webhook-key';
import * as queries from './webhook-keys.queries';

/** A key that currently signs. */
export interface ActiveKey extends WebhookKey {
  /** When it stops signing; undefined for the latest. */
  retiresAt: Date | undefined;
}

interface Settings {
  /** The first one is current; the others sign alongside it until they are removed. */
  WEBHOOK_SIGNING_SECRETS: readonly string[];
  WEBHOOK_KEY_OVERLAP_MS: number;
}

/** How long a process may take to notice a rotation. Keys overlap for far longer, so this has no visible effect. */
const cacheMs = 30_000;

/** The keys that sign deliveries: one for each instance, or two during a rotation. */
export class WebhookKeys {
  private readonly known = new LRUCache<string, Promise<ActiveKey[]>>({ max: 10_000, ttl: cacheMs });

  constructor(private readonly deps: { db: Database; outbox: Outbox; clock: Clock; settings: Settings }) {}

  /** The keys that currently sign, latest first. */
  async active(instanceId: string): Promise<ActiveKey[]> {
    let keys = this.known.get(instanceId);
    if (!keys) {
      keys = this.load(instanceId);
      this.known.set(instanceId, keys);
      // A failure is not cached: the next call queries again.
      keys.catch(() => this.known.delete(instanceId));
    }
    const now = this.deps.clock.now();
    return (await keys).filter(({ retiresAt }) => retiresAt === undefined || retiresAt > now);
  }

  /** The value of `webhook-signature`. */
  async sign(instanceId: string, message: { id: string; timestamp: string; body: string }): Promise<string> {
    return signatures(await this.active(instanceId), message);
  }

  /**
   * Creates a key that signs from now on, alongside the previous one until their overlap ends. During the overlap, further calls change
   * nothing: a third signature would serve no purpose, and headers are limited in size.
   */
  async rotate(asked: Asked<User>): Promise<ActiveKey[]> {
    const { db, outbox, clock, settings } = this.deps;
    const { instanceId } = asked.caller;
    const now = clock.now();
    const [last] = await queries.rotations(db, instanceId);
    if (last && last.begun_at.getTime() + settings.WEBHOOK_KEY_OVERLAP_MS > now.getTime()) return this.active(instanceId);

    await outbox.transaction(async (trx) => {
      const rotated = await queries.rotate(trx, instanceId, last?.generation ?? 1, now);
      if (rotated) await record(trx, audited(asked, { action: 'webhook_key.rotated', target: { kind: 'instance', id: instanceId } }, now));
    });
    this.known.delete(instanceId);
    return this.active(instanceId);
  }

  private async load(instanceId: string): Promise<ActiveKey[]> {
    const { db, clock, settings } = this.deps;
    const rotations = await queries.rotations(db, instanceId);
    const oldest = { generation: 1, retiresAt: rotations.at(-1)?.begun_at };
    // Each key retires one overlap after the next one began.
    const generations = [...rotations.map(({ generation }, i) => ({ generation, retiresAt: rotations[i - 1]?.begun_at })), oldest]
      .map(({ generation, retiresAt: begun }) => ({
        generation,
        retiresAt: begun && new Date(begun.getTime() + settings.WEBHOOK_KEY_OVERLAP_MS),
      }))
      .filter(({ retiresAt }) => retiresAt === undefined || retiresAt > clock.now());
    return settings.WEBHOOK_SIGNING_SECRETS.flatMap((secret) =>
      generations.map(({ generation, retiresAt }) => ({ ...deriveKey(secret, instanceId, generation), retiresAt })),
    );
  }
}

/** Open to everyone: the keys are public, and receivers need them to verify anything. */
export const publicWebhookKeys = ({ webhookKeys }: { webhookKeys: WebhookKeys }, caller: User | Respondent): Promise<ActiveKey[]> =>
  webhookKeys.active(caller.instanceId);

export async function rotateWebhookKeys({ webhookKeys }: { webhookKeys: WebhookKeys }, asked: Asked<User>): Promise<ActiveKey[]> {
  authorizeOnInstance(asked.caller, 'rotate webhook keys');
  return webhookKeys.rotate(asked);
}
