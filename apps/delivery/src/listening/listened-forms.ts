import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { formsListenedTo, keepForListeners, type HeardEvent } from './listening.queries';

interface Known {
  forms: ReadonlySet<string>;
  /** Measured on two clocks: the wall clock may be adjusted, and the monotonic clock stops while the machine sleeps. */
  askedAt: { wall: number; running: number };
}

/**
 * Keeps events for those who listen to their forms. Hardly anybody does, and planning has no time to lose, so a process remembers for a moment which forms
 * that are. A listener waits as long before it says that it hears: every process has asked since by then, and misses none of its events.
 */
export class ListenedForms {
  private known: Promise<Known> | undefined;

  constructor(
    private readonly parts: { db: Database; clock: Clock },
    readonly rememberMs = 1_000,
  ) {}

  /**
   * Keeps what somebody listens to. Before the events are planned: if the process dies in between, they come again, and are kept once. After it they would
   * be lost.
   */
  async hear(events: readonly HeardEvent[]): Promise<void> {
    const forms = await this.forms();
    const heard = forms.size === 0 ? [] : events.filter(({ form_id: id }) => forms.has(id));
    if (heard.length > 0) await keepForListeners(this.parts.db, this.parts.clock, heard);
  }

  private async forms(): Promise<ReadonlySet<string>> {
    const known = await (this.known ??= this.ask());
    if (this.ageOf(known) < this.rememberMs) return known.forms;
    // The first of many who find it old asks for all of them.
    if ((await this.known) === known) this.known = this.ask();
    return (await this.known).forms;
  }

  private async ask(): Promise<Known> {
    const askedAt = this.now();
    try {
      return { forms: await formsListenedTo(this.parts.db, this.parts.clock), askedAt };
    } catch (error) {
      this.known = undefined;
      throw error;
    }
  }

  private ageOf({ askedAt }: Known): number {
    const { wall, running } = this.now();
    return Math.max(wall - askedAt.wall, running - askedAt.running);
  }

  private now = () => ({ wall: this.parts.clock.now().getTime(), running: performance.now() });
}
