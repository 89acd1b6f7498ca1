import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Credentials, type HttpReply, type Person, type Subscriber } from '@sheaf/testing';

const events = ['submission.created', 'submission.status_changed', 'submission.deleted'] as const;
const fields = [{ key: 'name', label: 'Your name', type: 'short_text', required: true }];
const deliveryTimeoutMs = 20_000;
/** The time until every process knows a new subscription, in any mix of versions: deploy/README.md, "Upgrading one service". */
const propagationMs = 500;

/** A form with subscriptions. */
export interface Prepared {
  form: string;
  /** The subscriber's address, with a path for each form. */
  url: string;
  /** The acknowledged changes, each of which the subscriber must receive exactly once. */
  expected: { id: string; event: string }[];
}

/** Walks through the main path as one person and stops at the first unexpected response. */
export class MainPath {
  constructor(
    private readonly owner: Person,
    private readonly system: {
      credentials: Credentials;
      subscriber: Subscriber;
      /** Whether both versions have the process `pages`. */
      hasPages: boolean;
    },
  ) {}

  /** Creates and publishes a form, with a subscription to each event. */
  async prepare(): Promise<Prepared> {
    const { email, password } = this.system.credentials.user;
    const { token } = await this.request<{ token: string }>(201, 'POST', '/app/v1/sessions', { email, password });
    await this.request(200, 'GET', '/app/v1/sessions/current', undefined, this.owner.with(token));

    const { id: form } = await this.request<{ id: string }>(201, 'POST', '/api/v1/forms', { title: 'Survey' });
    const { revision } = await this.request<{ revision: number }>(200, 'GET', `/app/v1/forms/${form}/draft`);
    await this.request(200, 'PUT', `/app/v1/forms/${form}/draft`, { fields, revision });
    await this.request(200, 'POST', `/api/v1/forms/${form}/publish`);
    const url = `${this.system.subscriber.url}/${form}`;
    for (const event of events)
      await this.request(201, 'POST', '/api/v1/hooks/subscribe', { form_id: form, target_url: url, event, source: 'zapier' });
    await sleep(propagationMs);
    return { form, url, expected: [] };
  }

  /** Submits, reads, changes and deletes, then waits until the subscriber has received every event. */
  async run(prepared: Prepared): Promise<void> {
    const { form } = prepared;
    const submissions = `/api/v1/forms/${form}/submissions`;
    await this.request(200, 'GET', `/public/v1/forms/${form}`);
    if (this.system.hasPages) await this.request(200, 'GET', `/f/${form}`);
    const key = { 'idempotency-key': randomUUID() };
    const submit = () =>
      this.request<{ id: string }>(201, 'POST', `/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, this.owner, key);
    const { id } = await submit();
    prepared.expected.push({ id, event: 'submission.created' });
    expectSame('the id of a repeated submission', (await submit()).id, id);

    const listed = await this.request<{ data: { id: string }[] }>(200, 'GET', `${submissions}?limit=1`);
    expectSame('the first submission of the list', listed.data[0]?.id, id);
    await this.request(200, 'PATCH', `${submissions}/${id}/status`, { status: 'approved' });
    prepared.expected.push({ id, event: 'submission.status_changed' });
    expectSame('the status', (await this.request<{ status: string }>(200, 'GET', `${submissions}/${id}`)).status, 'approved');
    await this.request(200, 'GET', `/app/v1/forms/${form}/submissions/${id}/history`);
    await this.request(204, 'DELETE', `${submissions}/${id}`);
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
      await this.request(200, 'GET', path);
    }

    await this.system.subscriber.waitFor(events.length, ({ body }) => body.includes(id), deliveryTimeoutMs);
    const log = await eventually(async () => {
      const pending = await this.request<{ total: number }>(200, 'GET', `/app/v1/forms/${form}/deliveries?state=pending`);
      expectSame('the number of pending deliveries', pending.total, 0);
      return this.request<{ data: { id: string }[] }>(200, 'GET', `/app/v1/forms/${form}/deliveries`);
    }, deliveryTimeoutMs);
    await this.request(200, 'GET', `/app/v1/forms/${form}/deliveries/${log.data[0]?.id ?? ''}`);
  }

  /** Lists the events that the subscriber did not receive exactly once. */
  wrongDeliveries({ url, expected }: Prepared): string[] {
    const path = new URL(url).pathname;
    return expected.flatMap(({ id, event }) => {
      const count = this.system.subscriber.received.filter(
        (request) => request.path === path && request.headers['x-webhook-event'] === event && request.body.includes(id),
      ).length;
      return count === 1 ? [] : [`${event} of ${id} was delivered ${count} times`];
    });
  }

  private async request<T>(
    expectedStatus: number,
    method: string,
    path: string,
    body?: unknown,
    as = this.owner,
    headers?: Record<string, string>,
  ): Promise<T> {
    let reply: HttpReply;
    try {
      reply = await as.send(method, path, body, headers);
    } catch (error) {
      throw new Error(`${method} ${path} got no response`, { cause: error });
    }
    if (reply.status !== expectedStatus)
      throw new Error(`${method} ${path} answered ${reply.status}, not ${expectedStatus}: ${JSON.stringify(reply.body)}`);
    return reply.body as T;
  }
}

function expectSame(name: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${name} is ${String(actual)}, not ${String(expected)}`);
}
