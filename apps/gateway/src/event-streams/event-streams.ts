import { EventCache, StreamTail, type Broker, type Notice } from '@sheaf/events';
import { canActOnForm, formRole, Problem, type Client as ClientCaller, type Clock, type FormAccess } from '@sheaf/kernel';
import { toFormAccess, type Call, type Client, type FormsDefinition } from '@sheaf/rpc';
import type { Process } from '@sheaf/runtime';
import { ChangeFeed } from './change-feed';
import type { EventIds } from './event-ids';
import { requiredAction, type Change } from './changes';
import { EventStream } from './event-stream';

/** The streams that one person may have open in one process. */
const maxPerPerson = 10;
/** Messages from before the start of the process in which a client may continue. */
const history = 5_000;
const tickMs = 250;
/** Changes that come together are sent together. */
const gatherMs = 20;
const cacheMs = 30_000;
const lookUpMs = 5_000;

interface Opening {
  caller: ClientCaller;
  call: Call;
  revalidate: () => Promise<ClientCaller>;
  lastEventId: string | undefined;
  until: number;
  cut: () => void;
}

/**
 * The event streams of this process. One reader follows the events of all forms, beginning with the first stream, and each stream shows
 * what its caller may hear of.
 */
export class EventStreams {
  private readonly open = new Set<EventStream>();
  private readonly feed: ChangeFeed;
  private readonly tail: StreamTail;
  private readonly access: EventCache<FormAccess>;
  private ticking: NodeJS.Timeout | undefined;
  private gathering: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    process: Pick<Process, 'log'>,
    broker: Broker,
    private readonly forms: Client<FormsDefinition>,
    private readonly clock: Clock,
    private readonly ids: EventIds,
  ) {
    this.access = new EventCache<FormAccess>(broker, {
      listener: 'gateway',
      source: 'forms',
      max: 20_000,
      maxBytes: 32 * 1_024 * 1_024,
      ttlMs: cacheMs,
      tagsOf: ({ subject: formId }) => [formId],
    });
    this.feed = new ChangeFeed(
      (notice) => this.endAffected(notice),
      () => this.notifyAll(),
    );
    this.tail = new StreamTail(process, broker, this.feed, history);
  }

  /** @throws Problem `too_many_requests` */
  add({ caller, call, ...opening }: Opening): { chunks: AsyncIterable<Uint8Array>; close: () => void } {
    const own = [...this.open].filter((stream) => stream.caller.id === caller.id);
    if (own.length >= maxPerPerson)
      throw new Problem('too_many_requests', `You have ${maxPerPerson} event streams open, which is the limit. Close one of them.`);
    const stream = new EventStream({
      ...opening,
      caller,
      feed: this.feed,
      ids: this.ids,
      now: () => this.clock.now().getTime(),
      mayHear: (who, change) => this.mayHear(who, change, call),
    });
    this.open.add(stream);
    this.tail.start();
    this.ticking ??= setInterval(() => this.tick(), tickMs);
    if (this.isStopping) stream.close();
    return {
      chunks: stream.chunks(),
      close: () => {
        this.open.delete(stream);
        stream.close();
      },
    };
  }

  /** Ends all streams, so that their clients go to another process and continue there. */
  stop(): void {
    this.isStopping = true;
    clearInterval(this.ticking);
    clearTimeout(this.gathering);
    this.tail.stop();
    for (const stream of this.open) stream.close();
  }

  private tick(): void {
    for (const stream of this.open) {
      stream.tick();
      void stream.check();
    }
  }

  private notifyAll(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      for (const stream of this.open) stream.notify();
    }, gatherMs);
  }

  /** A person whose grant was removed loses a form, and anybody might when it moves. Other losses are found by looking the caller up. */
  private endAffected({ type, action, instanceId, subject }: Notice): void {
    for (const stream of this.open) {
      const { caller } = stream;
      if (caller.instanceId !== instanceId) continue;
      if (type === 'form.moved' || (action === 'grant.removed' && subject === caller.id)) stream.close();
      if (type === 'access.changed') void stream.check();
    }
  }

  private async mayHear(caller: ClientCaller, { instanceId, formId, kind }: Change, call: Call): Promise<boolean> {
    if (instanceId !== caller.instanceId) return false;
    try {
      const facts = await this.access.get(`${instanceId}:${formId}`, async () => {
        const value = toFormAccess(await this.forms.getFormAccess({ ...call, deadline: Date.now() + lookUpMs }, { form_id: formId }));
        return { value, tags: [formId] };
      });
      return canActOnForm(formRole(caller, facts), requiredAction[kind]);
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return false;
      throw error;
    }
  }
}
