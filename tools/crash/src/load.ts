import { setTimeout as sleep } from 'node:timers/promises';
import { referenceOf } from '@sheaf/contracts';
import type { HttpReply, Person } from '@sheaf/testing';
import type { Choices } from './choices';
import { hookEvents, type Accepted, type Ledger } from './ledger';
import type { Listener, Listeners } from './listeners';

const statuses = ['in_review', 'approved', 'rejected'] as const;
const respondents = 4;
const editors = 2;
/** How many of the submissions come from the hosted page. */
const pageShare = 0.5;
const pauseMs = [60, 260] as const;
const retryAfterMs = [50, 250] as const;
/** How many newcomers subscribe during the run. */
const newcomers = 3;
/** How many submissions are made for the hanging subscribers: each costs three consecutive timeouts. */
const hangingSubmissions = 3;

/** The concurrent requests of all actors while processes are killed. */
export class Load {
  /** Accepted submissions that no editor has picked up yet. */
  private readonly fresh: Accepted[] = [];
  private sentCount = 0;

  constructor(
    private readonly context: {
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
    const { seconds, giveUp, forms } = this.context;
    // Not AbortSignal.any over AbortSignal.timeout: Node 20 may garbage-collect the timeout, and then it never fires.
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, seconds * 1_000);
    giveUp.addEventListener('abort', end, { once: true });
    const ended = ending.signal;
    const actors = [
      ...Array.from({ length: respondents }, () => this.respondent(choices.branch(), ended)),
      ...Array.from({ length: editors }, () => this.editor(choices.branch(), ended)),
      this.atIntervals(newcomers, ended, choices.branch(), (chosen) => this.newcomer(chosen)),
      this.atIntervals(hangingSubmissions, ended, choices.branch(), (chosen) => this.submit(forms.quiet, chosen)),
    ];
    await Promise.all(actors);
    clearTimeout(timer);
  }

  /** Submits as a program does: with the same key until there is an answer. */
  submit(form: string, choices: Choices): Promise<Accepted | undefined> {
    return this.submitFrom(undefined, form, choices);
  }

  /** Submits from the hosted page: opens it, sends it, and reloads until there is a receipt. */
  async submitPage(form: string, choices: Choices): Promise<Accepted | undefined> {
    const { reply } = await this.retryUntilAnswered(choices, () => this.context.anyone.get(`/f/${form}`));
    if (!this.isExpected(reply, [200], `the page of ${form}`)) return undefined;
    return this.submitFrom(/name="token" value="([^"]+)"/.exec(String(reply?.body))?.[1] ?? 'none', form, choices);
  }

  private async submitFrom(page: string | undefined, form: string, choices: Choices): Promise<Accepted | undefined> {
    const { ledger } = this.context;
    const accepted: Accepted = {
      form,
      key: `answer-${++this.sentCount}`,
      page,
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
    const { form, key, page } = accepted;
    const { anyone } = this.context;
    const { reply } = await this.retryUntilAnswered(choices, () => {
      accepted.tries++;
      // The redirect to the receipt is followed, as browsers do.
      if (page !== undefined) return anyone.post(`/f/${form}`, pageBody(page, key), pageHeaders);
      return anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: key } }, { 'idempotency-key': key });
    });
    if (page !== undefined) return this.isExpected(reply, [200], key) ? this.submissionOn(reply?.body, accepted, choices) : undefined;
    return this.isExpected(reply, [201], key) ? (reply?.body as { id: string } | undefined)?.id : undefined;
  }

  /** The id of the submission on a receipt. A page without one counts as a second submission, which breaks the promise. */
  private async submissionOn(receipt: unknown, { key, ids }: Accepted, choices: Choices): Promise<string> {
    const reference = /Reference\W[^]*?([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2})/.exec(String(receipt))?.[1];
    if (reference === undefined) return `no receipt for ${key}`;
    // One in the trash is not found any more.
    const known = [...ids].find((id) => referenceOf(id) === reference);
    if (known !== undefined) return known;
    const { reply } = await this.retryUntilAnswered(choices, () => this.context.owner.get(`/app/v1/submissions?reference=${reference}`));
    const { data = [] } = (reply?.body ?? {}) as { data?: { id: string }[] };
    return data[0]?.id ?? `no submission ${reference} for ${key}`;
  }

  private async respondent(choices: Choices, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      const { busy } = this.context.forms;
      const accepted = choices.happens(pageShare) ? await this.submitPage(busy, choices) : await this.submit(busy, choices);
      if (accepted && choices.happens(0.4)) this.fresh.push(accepted);
      await pause(choices.integer(...pauseMs), ended);
    }
  }

  /** Takes the latest submissions, so that changes closely follow their creation. */
  private async editor(choices: Choices, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      const accepted = this.fresh.pop();
      if (!accepted) {
        await pause(50, ended);
        continue;
      }
      const changes = choices.integer(1, statuses.length);
      for (const status of statuses.slice(0, changes)) await this.change(accepted, status, choices);
      if (choices.happens(0.4)) await this.remove(accepted, choices);
    }
  }

  private async change(accepted: Accepted, status: string, choices: Choices): Promise<void> {
    const begunAt = Date.now();
    const path = `/api/v1/forms/${accepted.form}/submissions/${[...accepted.ids][0] ?? ''}/status`;
    // A repeated request changes nothing and sends no event.
    const { reply } = await this.retryUntilAnswered(choices, () => this.context.owner.patch(path, { status }));
    if (this.isExpected(reply, [200], `${accepted.key} to ${status}`)) this.context.ledger.changed(accepted, status, begunAt);
  }

  private async remove(accepted: Accepted, choices: Choices): Promise<void> {
    const begunAt = Date.now();
    const path = `/api/v1/forms/${accepted.form}/submissions/${[...accepted.ids][0] ?? ''}`;
    const { reply, tries } = await this.retryUntilAnswered(choices, () => this.context.owner.delete(path));
    // A 404 is expected if an earlier, unanswered try deleted it.
    if (this.isExpected(reply, tries > 1 ? [204, 404] : [204], `${accepted.key} deleted`)) this.context.ledger.deleted(accepted, begunAt);
  }

  private async newcomer(choices: Choices): Promise<void> {
    const { listeners, forms } = this.context;
    await this.subscribe(listeners.add('newcomer', forms.busy, choices.pick(hookEvents)), choices);
  }

  /** Subscribes a listener, which must receive every event once this is answered. */
  async subscribe(listener: Listener, choices: Choices): Promise<void> {
    const { form: form_id, url: target_url, event } = listener;
    const { owner } = this.context;
    const { reply } = await this.retryUntilAnswered(choices, () =>
      form_id === undefined
        ? owner.post('/app/v1/webhooks', { target_url, event, payload: 'named' })
        : owner.post('/api/v1/hooks/subscribe', { form_id, target_url, event, source: 'zapier' }),
    );
    if (!this.isExpected(reply, [201], `subscribing ${target_url}`)) return;
    const { id = '' } = (reply?.body ?? {}) as { id?: string };
    listener.subscriptionId = id;
    listener.since = Date.now();
  }

  private async atIntervals(
    times: number,
    ended: AbortSignal,
    choices: Choices,
    act: (choices: Choices) => Promise<unknown>,
  ): Promise<void> {
    for (let n = 0; n < times && !ended.aborted; n++) {
      await pause((this.context.seconds * 1_000) / (times + 1), ended);
      await act(choices);
    }
  }

  /** Retries until the response is a 2xx or a 4xx, since outages are temporary. */
  private async retryUntilAnswered(
    choices: Choices,
    send: () => Promise<HttpReply>,
  ): Promise<{ reply: HttpReply | undefined; tries: number }> {
    for (let tries = 1; !this.context.giveUp.aborted; tries++) {
      const reply = await send().catch(() => undefined);
      if (reply && reply.status < 500) return { reply, tries };
      this.context.ledger.retries++;
      await pause(choices.integer(...retryAfterMs), this.context.giveUp);
    }
    return { reply: undefined, tries: 0 };
  }

  private isExpected(reply: HttpReply | undefined, expected: readonly number[], what: string): boolean {
    if (reply && expected.includes(reply.status)) return true;
    this.context.ledger.refused.push(reply ? `${what}: ${reply.status} ${JSON.stringify(reply.body)}` : `${what}: never answered`);
    return false;
  }
}

const pageHeaders = { 'content-type': 'application/x-www-form-urlencoded' };
const pageBody = (token: string, name: string): string =>
  new URLSearchParams({ token, version: '1', step: '0', shown: '0', 'a.name': name, do: 'send' }).toString();

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
