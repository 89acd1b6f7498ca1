import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Credentials, type HttpReply, type Person, type Subscriber } from '@sheaf/testing';

const events = ['submission.created', 'submission.status_changed', 'submission.deleted'] as const;
const fields = [{ key: 'name', label: 'Your name', type: 'short_text', required: true }];
const deliveredWithinMs = 20_000;
/** After this long a new subscription is known everywhere, in any order of versions: deploy/README.md, "Upgrading one service". */
const heardEverywhereMs = 500;

/** An existing form with subscriptions. */
export interface Prepared {
  form: string;
  /** Its subscriber's address: each form has its own path. */
  url: string;
  /** The acknowledged changes: its subscriber must receive each of them exactly once. */
  expected: { id: string; event: string }[];
}

/** Takes one person through the main path and stops at the first unexpected answer. */
export class Path {
  constructor(
    private readonly owner: Person,
    private readonly credentials: Credentials,
    private readonly subscriber: Subscriber,
  ) {}

  /** Creates and publishes a form, with a subscription to each event. */
  async prepare(): Promise<Prepared> {
    const { email, password } = this.credentials.user;
    const { token } = await this.ask<{ token: string }>(201, 'POST', '/app/v1/sessions', { email, password });
    await this.ask(200, 'GET', '/app/v1/sessions/current', undefined, this.owner.with(token));

    const { id: form } = await this.ask<{ id: string }>(201, 'POST', '/api/v1/forms', { title: 'Survey' });
    const { revision } = await this.ask<{ revision: number }>(200, 'GET', `/app/v1/forms/${form}/draft`);
    await this.ask(200, 'PUT', `/app/v1/forms/${form}/draft`, { fields, revision });
    await this.ask(200, 'POST', `/api/v1/forms/${form}/publish`);
    const url = `${this.subscriber.url}/${form}`;
    for (const event of events)
      await this.ask(201, 'POST', '/api/v1/hooks/subscribe', { form_id: form, target_url: url, event, source: 'zapier' });
    await sleep(heardEverywhereMs);
    return { form, url, expected: [] };
  }

  /** Submits, reads, changes and deletes, then waits until the subscribers have received every event. */
  async go(prepared: Prepared): Promise<void> {
    const { form } = prepared;
    const submissions = `/api/v1/forms/${form}/submissions`;
    await this.ask(200, 'GET', `/public/v1/forms/${form}`);
    const key = { 'idempotency-key': randomUUID() };
    const submit = () =>
      this.ask<{ id: string }>(201, 'POST', `/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, this.owner, key);
    const { id } = await submit();
    prepared.expected.push({ id, event: 'submission.created' });
    same('the id of a repeated submission', (await submit()).id, id);

    const listed = await this.ask<{ data: { id: string }[] }>(200, 'GET', `${submissions}?limit=1`);
    same('the newest of the list', listed.data[0]?.id, id);
    await this.ask(200, 'PATCH', `${submissions}/${id}/status`, { status: 'approved' });
    prepared.expected.push({ id, event: 'submission.status_changed' });
    same('the status', (await this.ask<{ status: string }>(200, 'GET', `${submissions}/${id}`)).status, 'approved');
    await this.ask(200, 'GET', `/app/v1/forms/${form}/submissions/${id}/history`);
    await this.ask(204, 'DELETE', `${submissions}/${id}`);
    prepared.expected.push({ id, event: 'submission.deleted' });
    for (const path of [
      '/api/v1/forms',
      '/api/v1/workspaces',
      `/api/v1/forms/${form}/fields`,
      `/app/v1/forms/${form}/webhooks`,
      '/app/v1/audit-log',
      '/app/v1/webhook-keys',
      `/app/v1/forms/${form}/submissions/export`,
    ]) {
      await this.ask(200, 'GET', path);
    }

    await this.subscriber.waitFor(events.length, ({ body }) => body.includes(id), deliveredWithinMs);
    const log = await eventually(async () => {
      const pending = await this.ask<{ total: number }>(200, 'GET', `/app/v1/forms/${form}/deliveries?state=pending`);
      same('how many deliveries are pending', pending.total, 0);
      return this.ask<{ data: { id: string }[] }>(200, 'GET', `/app/v1/forms/${form}/deliveries`);
    }, deliveredWithinMs);
    await this.ask(200, 'GET', `/app/v1/forms/${form}/deliveries/${log.data[0]?.id ?? ''}`);
  }

  /** The events that a subscriber received not at all or more than once. */
  misheard({ url, expected }: Prepared): string[] {
    const path = new URL(url).pathname;
    return expected.flatMap(({ id, event }) => {
      const times = this.subscriber.received.filter(
        (got) => got.path === path && got.headers['x-webhook-event'] === event && got.body.includes(id),
      ).length;
      return times === 1 ? [] : [`${event} of ${id} came ${times} times`];
    });
  }

  private async ask<T>(
    wanted: number,
    method: string,
    path: string,
    body?: unknown,
    who = this.owner,
    headers?: Record<string, string>,
  ): Promise<T> {
    let reply: HttpReply;
    try {
      reply = await who.send(method, path, body, headers);
    } catch (error) {
      throw new Error(`${method} ${path} was not answered`, { cause: error });
    }
    if (reply.status !== wanted)
      throw new Error(`${method} ${path} answered ${reply.status}, not ${wanted}: ${JSON.stringify(reply.body)}`);
    return reply.body as T;
  }
}

function same(name: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${name} is ${String(found)}, not ${String(wanted)}`);
}
