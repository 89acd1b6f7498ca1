import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpReply, Person } from '@sheaf/testing';
import type { Choices } from './choices';
import { hookEvents, type Accepted, type Ledger } from './ledger';
import type { Listener, Listeners } from './listeners';

const statuses = ['in_review', 'approved', 'rejected'] as const;
const respondents = 4;
const editors = 2;
const pauseMs = [60, 260] as const;
const retryAfterMs = [50, 250] as const;
/** How many newcomers subscribe during the run. */
const newcomers = 3;
/** How many submissions the hanging subscribers get: each costs three timeouts, one after the other. */
const forThoseWhoHang = 3;

/** The concurrent requests of all actors while processes are killed. */
export class Load {
  /** Accepted, and not picked up by an editor yet. */
  private readonly fresh: Accepted[] = [];
  private begun = 0;

  constructor(
    private readonly given: {
      anyone: Person;
      owner: Person;
      ledger: Ledger;
      listeners: Listeners;
      /** Most submissions go to `busy`; `quiet` has the hanging subscribers. */
      forms: { busy: string; quiet: string };
      seconds: number;
      /** Ends the load, including requests without an answer. */
      giveUp: AbortSignal;
    },
  ) {}

  /** Resolves when the time is over and every request has been answered. */
  async run(choices: Choices): Promise<void> {
    const { seconds, giveUp, forms } = this.given;
    // Not AbortSignal.any over AbortSignal.timeout: Node 20 may garbage-collect the timeout, and then it never fires.
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, seconds * 1_000);
    giveUp.addEventListener('abort', end, { once: true });
    const over = ending.signal;
    const actors = [
      ...Array.from({ length: respondents }, () => this.respondent(choices.branch(), over)),
      ...Array.from({ length: editors }, () => this.editor(choices.branch(), over)),
      this.nowAndThen(newcomers, over, choices.branch(), (chosen) => this.newcomer(chosen)),
      this.nowAndThen(forThoseWhoHang, over, choices.branch(), (chosen) => this.submit(forms.quiet, chosen)),
    ];
    await Promise.all(actors);
    clearTimeout(timer);
  }

  /** Submits as a browser does: with the same key until there is an answer. */
  async submit(form: string, choices: Choices): Promise<Accepted | undefined> {
    const { ledger } = this.given;
    const accepted: Accepted = {
      form,
      key: `answer-${++this.begun}`,
      ids: new Set(),
      begunAt: Date.now(),
      tries: 0,
      statuses: [],
      deleted: false,
    };
    const id = await this.send(accepted, choices);
    if (id === undefined) return undefined;
    accepted.ids.add(id);
    ledger.accept(accepted);
    return accepted;
  }

  /** Sends the same key again. */
  async repeat(accepted: Accepted, choices: Choices): Promise<void> {
    const id = await this.send(accepted, choices);
    if (id !== undefined) accepted.ids.add(id);
  }

  private async send(accepted: Accepted, choices: Choices): Promise<string | undefined> {
    const { form, key } = accepted;
    const { reply } = await this.untilAnswered(choices, () => {
      accepted.tries++;
      return this.given.anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: key } }, { 'idempotency-key': key });
    });
    return this.isExpected(reply, [201], key) ? (reply?.body as { id: string }).id : undefined;
  }

  private async respondent(choices: Choices, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const accepted = await this.submit(this.given.forms.busy, choices);
      if (accepted && choices.isTrue(0.4)) this.fresh.push(accepted);
      await pause(choices.whole(...pauseMs), over);
    }
  }

  /** Takes the latest submissions, so that changes closely follow their creation. */
  private async editor(choices: Choices, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const accepted = this.fresh.pop();
      if (!accepted) {
        await pause(50, over);
        continue;
      }
      const changes = choices.whole(1, statuses.length);
      for (const status of statuses.slice(0, changes)) await this.change(accepted, status, choices);
      if (choices.isTrue(0.4)) await this.remove(accepted, choices);
    }
  }

  private async change(accepted: Accepted, status: string, choices: Choices): Promise<void> {
    const begunAt = Date.now();
    const path = `/api/v1/forms/${accepted.form}/submissions/${[...accepted.ids][0] ?? ''}/status`;
    // Repeating it changes nothing and sends no event.
    const { reply } = await this.untilAnswered(choices, () => this.given.owner.patch(path, { status }));
    if (this.isExpected(reply, [200], `${accepted.key} to ${status}`)) this.given.ledger.changed(accepted, status, begunAt);
  }

  private async remove(accepted: Accepted, choices: Choices): Promise<void> {
    const begunAt = Date.now();
    const path = `/api/v1/forms/${accepted.form}/submissions/${[...accepted.ids][0] ?? ''}`;
    const { reply, tries } = await this.untilAnswered(choices, () => this.given.owner.delete(path));
    // A 404 is expected if an earlier, unanswered try deleted it.
    if (this.isExpected(reply, tries > 1 ? [204, 404] : [204], `${accepted.key} deleted`)) this.given.ledger.deleted(accepted, begunAt);
  }

  private async newcomer(choices: Choices): Promise<void> {
    const { listeners, forms } = this.given;
    await this.subscribe(listeners.add('newcomer', forms.busy, choices.one(hookEvents)), choices);
  }

  /** Once this is answered, the listener must receive every event. */
  async subscribe(listener: Listener, choices: Choices): Promise<void> {
    const { form: form_id, url: target_url, event } = listener;
    const { reply } = await this.untilAnswered(choices, () =>
      this.given.owner.post('/api/v1/hooks/subscribe', { form_id, target_url, event, source: 'zapier' }),
    );
    if (!this.isExpected(reply, [201], `subscribing ${target_url}`)) return;
    listener.subscriptionId = (reply?.body as { id: string }).id;
    listener.since = Date.now();
  }

  private async nowAndThen(times: number, over: AbortSignal, choices: Choices, act: (choices: Choices) => Promise<unknown>): Promise<void> {
    for (let n = 0; n < times && !over.aborted; n++) {
      await pause((this.given.seconds * 1_000) / (times + 1), over);
      await act(choices);
    }
  }

  /** Retries until a 2xx or a 4xx comes, since outages are temporary. */
  private async untilAnswered(choices: Choices, ask: () => Promise<HttpReply>): Promise<{ reply: HttpReply | undefined; tries: number }> {
    for (let tries = 1; !this.given.giveUp.aborted; tries++) {
      const reply = await ask().catch(() => undefined);
      if (reply && reply.status < 500) return { reply, tries };
      this.given.ledger.retries++;
      await pause(choices.whole(...retryAfterMs), this.given.giveUp);
    }
    return { reply: undefined, tries: 0 };
  }

  private isExpected(reply: HttpReply | undefined, expected: readonly number[], what: string): boolean {
    if (reply && expected.includes(reply.status)) return true;
    this.given.ledger.refused.push(reply ? `${what}: ${reply.status} ${JSON.stringify(reply.body)}` : `${what}: never answered`);
    return false;
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
