import type { Clock } from '@sheaf/kernel';
import { payloadOf, retryOf, type Payload, type RetrySchedule, type WebhookOptions } from '@sheaf/contracts';
import type { Call, Client, FormsDefinition, HooksDefinition } from '@sheaf/rpc';
import { LRUCache } from 'lru-cache';
import { toldOptions } from '../subscriptions/told-options';

/** The events that a subscription can select. */
interface Topic {
  instance_id: string;
  form_id: string;
  event: string;
}

/** A subscription to a topic. */
export interface Listener extends Topic {
  id: string;
  /** All events that it listens to; null if an earlier version of `hooks` does not tell. */
  events: string[] | null;
  url: string;
  revision: number;
  /** Whether it listens to other forms, too. */
  wide: boolean;
  payload: Payload;
  link_origin: string | null;
  /** Null for the subscription of a platform, and if an earlier version of `hooks` does not tell. */
  retry: RetrySchedule | null;
  /** Null for none; undefined if an earlier version of `hooks` does not tell. */
  options: WebhookOptions | null | undefined;
  /** Whether it is switched on; otherwise its events are recorded as skipped. */
  active: boolean;
}

/** The part of `hooks` that returns the subscriptions to any of the topics. */
export interface ListenerSource {
  listListeners(call: Call, request: { topics: Topic[] }): Promise<{ listeners: Listener[] }>;
}

interface Lease {
  listeners: Listener[];
  /** Measured on two clocks: the wall clock may be adjusted, and the monotonic clock stops while the machine sleeps. */
  askedAt: { wall: number; running: number };
  keepMs: number;
  refreshing: boolean;
}

const topicKey = ({ instance_id, form_id, event }: Topic): string => `${instance_id} ${form_id} ${event}`;

/**
 * The listeners of events, requested from `hooks` and cached for their lease. `apps/hooks/src/listeners/listener-lease.ts` describes the protocol and
 * the reason for it.
 */
export class RememberedListeners implements ListenerSource {
  private readonly leases = new LRUCache<string, Lease>({ max: 1_000 });

  constructor(
    private readonly parts: {
      hooks: Pick<Client<HooksDefinition>, 'listListeners'>;
      forms: Pick<Client<FormsDefinition>, 'listFormPlaces'>;
      clock: Clock;
    },
  ) {}

  async listListeners(call: Call, { topics }: { topics: Topic[] }): Promise<{ listeners: Listener[] }> {
    const remembered = topics.flatMap((topic) => this.leases.get(topicKey(topic)) ?? []).filter((known) => this.usedPartOf(known) < 1);
    if (remembered.length < topics.length) return this.ask(call, topics);

    // Refresh before the lease ends, so that only the first of many events waits for an answer.
    const ageing = remembered.filter((known) => !known.refreshing && this.usedPartOf(known) > 0.5);
    for (const known of ageing) known.refreshing = true;
    if (ageing.length > 0) this.ask(call, topics).catch(() => undefined);
    return { listeners: remembered.flatMap(({ listeners }) => listeners) };
  }

  private async ask(call: Call, topics: Topic[]): Promise<{ listeners: Listener[] }> {
    const askedAt = this.now();
    const answer = await this.askWithPlaces(call, topics);
    // An earlier version of `hooks` names none that are inactive.
    const listeners = [
      ...answer.listeners.map((one) => ({ ...one, ...toldOptions(one.options), active: true })),
      ...answer.inactive.map((one) => ({ ...one, ...toldOptions(one.options), active: false })),
    ].map(({ events, active_with_options: isOn, isKnown, active, ...one }) => ({
      ...one,
      active: active || (isKnown && isOn),
      payload: payloadOf(one.payload),
      link_origin: one.link_origin ?? null,
      events: events.length === 0 ? null : events,
      retry: retryOf(one.retry),
    }));
    if (answer.keep_ms > 0) {
      const known = new Map(topics.map((topic): [string, Listener[]] => [topicKey(topic), []]));
      for (const listener of listeners) known.get(topicKey(listener))?.push(listener);
      for (const [key, found] of known) this.leases.set(key, { listeners: found, askedAt, keepMs: answer.keep_ms, refreshing: false });
    }
    return { listeners };
  }

  /** Tells `hooks` the workspaces of forms that it does not know and needs to know. It keeps them, so this happens once per form. */
  private async askWithPlaces(call: Call, topics: Topic[]) {
    const { hooks, forms } = this.parts;
    const answer = await hooks.listListeners(call, { topics, places: [] });
    if (answer.unplaced_form_ids.length === 0) return answer;
    const { places } = await forms.listFormPlaces(call, { form_ids: answer.unplaced_form_ids });
    // A form that was erased meanwhile stays without a place.
    return places.length === 0 ? answer : hooks.listListeners(call, { topics, places });
  }

  /** The used part of the lease; from 1 on the listeners must not be used. */
  private usedPartOf({ askedAt, keepMs }: Lease): number {
    const { wall, running } = this.now();
    return Math.max(wall - askedAt.wall, running - askedAt.running) / keepMs;
  }

  private now = () => ({ wall: this.parts.clock.now().getTime(), running: performance.now() });
}
