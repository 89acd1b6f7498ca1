import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from '@sheaf/kernel';
import { shownChange, type Change } from './changes';
import type { ChangeFeed } from './change-feed';
import type { EventIds } from './event-ids';

const heartbeatMs = 15_000;
/** A client that has not read for this long gets no more. */
const stuckMs = 30_000;
/** Changes that are looked at before other work gets its turn. */
const atOnce = 200;

interface Parts {
  caller: Client;
  feed: ChangeFeed;
  ids: EventIds;
  /** Whether the caller may hear of a change, by their role on the form at this moment. */
  mayHear: (caller: Client, change: Change) => Promise<boolean>;
  /** Looks the caller up again. @throws Problem if the credential is not valid any more */
  revalidate: () => Promise<Client>;
  /** The id of the last event that the client has; undefined to begin now. */
  lastEventId: string | undefined;
  now: () => number;
  /** When the stream ends in any case. */
  until: number;
  /** Cuts the connection of a client that does not read. */
  cut: () => void;
}

/** Server-sent events for one client. Its only buffer is the feed: a slow client continues there, or learns that it has missed something. */
export class EventStream {
  private isClosed = false;
  private wake: () => void = () => undefined;
  private hasNews = true;
  private heardAt: number;
  private writingSince: number | undefined;
  private isChecking = false;
  private stream = '';
  private position = 0;
  private readonly roles: string;

  constructor(private readonly parts: Parts) {
    this.heardAt = parts.now();
    this.roles = rolesOf(parts.caller);
  }

  get caller(): Client {
    return this.parts.caller;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    // Clients that lose the same process should not come back in the same moment.
    let text = `retry: ${1_000 + Math.floor(1_000 * Math.random())}\n\n`;
    while (text !== '' || (await this.news())) {
      this.writingSince = this.parts.now();
      if (text !== '') yield Buffer.from(text);
      this.writingSince = undefined;
      text = this.isOver ? '' : await this.nextText();
    }
  }

  /** Tells the stream that the feed has something new. */
  notify(): void {
    this.hasNews = true;
    this.wake();
  }

  close(): void {
    this.isClosed = true;
    this.wake();
  }

  /** Ends the stream if the access of its caller has ended or changed; they may come back with what they have now. */
  async check(): Promise<void> {
    if (this.isChecking || this.isClosed) return;
    this.isChecking = true;
    try {
      if (rolesOf(await this.parts.revalidate()) !== this.roles) this.close();
    } catch {
      this.close();
    } finally {
      this.isChecking = false;
    }
  }

  /** Called several times a second. */
  tick(): void {
    const { now, cut } = this.parts;
    if (this.writingSince !== undefined && now() - this.writingSince >= stuckMs) {
      this.close();
      return cut();
    }
    if (this.isOver || now() - this.heardAt >= heartbeatMs) this.notify();
  }

  private get isOver(): boolean {
    return this.isClosed || this.parts.now() >= this.parts.until;
  }

  /** Resolves with false at the end of the stream. */
  private async news(): Promise<boolean> {
    while (!this.hasNews && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    this.hasNews = false;
    return !this.isOver;
  }

  /** The events that are due, as text; empty if there are none. */
  private async nextText(): Promise<string> {
    const { feed, now } = this.parts;
    let text = feed.isReady ? this.begin() : '';
    while (feed.isReady && text === '' && !this.isOver) {
      const entries = feed.after(this.position, atOnce);
      if (!entries || entries.some(({ change }) => change === undefined)) return this.reset();
      if (entries.length === 0) break;
      for (const { position, change } of entries) {
        if (change && (await this.shows(change)))
          text += `event: change\n${this.idAt(position)}data: ${JSON.stringify(shownChange(change))}\n\n`;
        this.position = position;
      }
      await turn();
    }
    if (this.isOver) return '';
    if (text === '' && now() - this.heardAt >= heartbeatMs) text = this.heartbeat();
    if (text !== '') this.heardAt = now();
    return text;
  }

  /** Finds the position at the beginning, and again if the stream of NATS is another one. */
  private begin(): string {
    const { feed, ids, lastEventId } = this.parts;
    if (this.stream === feed.stream) return '';
    const isFirst = this.stream === '';
    this.stream = feed.stream;
    const place = lastEventId === undefined ? undefined : ids.placeOf(lastEventId);
    if (!isFirst || place?.stream !== feed.stream) return this.reset();
    this.position = place.position;
    return '';
  }

  /** The client loads everything: it has just come, or may have missed changes. */
  private reset(): string {
    this.position = this.parts.feed.last;
    this.heardAt = this.parts.now();
    return `event: reset\n${this.idAt(this.position)}data: {}\n\n`;
  }

  /** With an id, so that a client that hears nothing for hours need not begin anew when it comes back. */
  private heartbeat(): string {
    const { isReady, last } = this.parts.feed;
    if (!isReady) return ': heartbeat\n\n';
    this.position = Math.max(this.position, last);
    return `: heartbeat\n${this.idAt(this.position)}\n`;
  }

  private idAt(position: number): string {
    return `id: ${this.parts.ids.idOf({ stream: this.stream, position })}\n`;
  }

  private shows(change: Change): Promise<boolean> {
    return this.isClosed ? Promise.resolve(false) : this.parts.mayHear(this.parts.caller, change);
  }
}

const rolesOf = (caller: Client): string => (caller.kind === 'user' ? JSON.stringify(caller.roles) : '');
