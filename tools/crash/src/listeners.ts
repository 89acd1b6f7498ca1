import { startSubscriber, type Received, type Reply, type Subscriber } from '@sheaf/testing';
import type { HookEvent } from './ledger';

/**
 * `healthy` always answers 200; `newcomer` does too, but subscribes during the run. `failing` always answers 500, `hanging` never answers,
 * `flapping` fails at the first POST of each webhook-id, `gone` answers 410.
 */
export type Kind = 'healthy' | 'newcomer' | 'failing' | 'hanging' | 'flapping' | 'gone';
export const neverFails = (kind: Kind): boolean => kind === 'healthy' || kind === 'newcomer';
export const alwaysFails = (kind: Kind): boolean => kind === 'failing' || kind === 'hanging';

/** One POST as received, and the status of the answer. */
export interface Post extends Received {
  webhookId: string;
  reply: Reply;
}

/** One subscription and its own log. */
export interface Listener {
  kind: Kind;
  /** Undefined for a webhook of the instance, with named payloads. */
  form: string | undefined;
  event: HookEvent;
  url: string;
  /** The listener must receive every event that happens from this time on. */
  since: number;
  subscriptionId: string;
  posts: Post[];
}

/** Whether a listener hears of the events of a form. */
export const listensTo = (listener: Listener, form: string): boolean => listener.form === undefined || listener.form === form;

/** All subscribers: one server with a path for each. */
export class Listeners {
  readonly all: Listener[] = [];
  lastPostAt = 0;
  private readonly byPath = new Map<string, Listener>();

  private constructor(private readonly server: Subscriber) {
    server.answer((received) => this.receive(received));
  }

  static start = async (): Promise<Listeners> => new Listeners(await startSubscriber());

  /** Adds a listener that is not subscribed yet. */
  add(kind: Kind, form: string | undefined, event: HookEvent): Listener {
    const path = `/${this.all.length}-${kind}`;
    const listener: Listener = { kind, form, event, url: this.server.url + path, since: Infinity, subscriptionId: '', posts: [] };
    this.all.push(listener);
    this.byPath.set(path, listener);
    return listener;
  }

  close = (): Promise<void> => this.server.close();

  private receive(received: Received): Reply {
    const listener = this.byPath.get(received.path);
    if (!listener) return 404;
    const webhookId = String(received.headers['webhook-id']);
    const reply = answerOf(listener, webhookId);
    listener.posts.push({ ...received, webhookId, reply });
    this.lastPostAt = Date.now();
    return reply;
  }
}

function answerOf({ kind, posts }: Listener, webhookId: string): Reply {
  switch (kind) {
    case 'healthy':
    case 'newcomer':
      return 200;
    case 'failing':
      return 500;
    case 'hanging':
      return 'hang';
    case 'flapping':
      return posts.some((post) => post.webhookId === webhookId) ? 200 : 500;
    case 'gone':
      return 410;
  }
}
