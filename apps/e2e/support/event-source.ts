import type { Person } from '@sheaf/testing';

interface Received {
  event: string;
  id: string;
  data: Record<string, unknown>;
}

/** A reader of server-sent events. It comes back after its stream has ended, as a browser does, if it is told to. */
export class EventSource {
  readonly received: Received[] = [];
  lastEventId: string | undefined;
  hasEnded = false;
  private readonly stopping = new AbortController();
  private text = '';

  private constructor(
    private readonly person: Person,
    readonly status: number,
  ) {}

  static async open(person: Person, lastEventId?: string, { comesBack = false } = {}): Promise<EventSource> {
    const stopping = new AbortController();
    const response = await ask(person, lastEventId, stopping.signal);
    const source = new EventSource(person, response.status);
    source.stopping.signal.addEventListener('abort', () => stopping.abort());
    if (response.status === 200 && response.body) void source.readAll(response.body, comesBack);
    else await response.body?.cancel();
    return source;
  }

  get changes(): unknown[] {
    return this.received.filter(({ event }) => event === 'change').map(({ data }) => data);
  }

  close(): void {
    this.stopping.abort();
  }

  private async readAll(body: ReadableStream<Uint8Array>, comesBack: boolean): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        this.text += decoder.decode(chunk, { stream: true });
        const blocks = this.text.split('\n\n');
        this.text = blocks.pop() ?? '';
        blocks.forEach((block) => this.read(block));
      }
    } catch {
      // Cut off, or closed by the test.
    }
    if (comesBack && !this.stopping.signal.aborted) {
      this.text = '';
      const again = await ask(this.person, this.lastEventId, this.stopping.signal).catch(() => undefined);
      if (again?.status === 200 && again.body) return this.readAll(again.body, comesBack);
    }
    this.hasEnded = true;
  }

  private read(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    this.lastEventId = field('id') ?? this.lastEventId;
    const [event, data] = [field('event'), field('data')];
    if (event !== undefined && data !== undefined)
      this.received.push({ event, id: this.lastEventId ?? '', data: JSON.parse(data) as Record<string, unknown> });
  }
}

const ask = (person: Person, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> =>
  fetch(`${person.origin}/app/v1/events`, {
    headers: {
      authorization: `Bearer ${person.credential ?? ''}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal,
  });
