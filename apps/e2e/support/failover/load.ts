import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, Person, startSubscriber, type Subscriber, type System } from '@sheaf/testing';

const everyMs = 50;
const retryMs = 500;
const clientTimeoutMs = 8_000;

export interface Answer {
  at: number;
  /** 0 for a broken or silent connection, −1 if it was given up. */
  status: number;
  body: unknown;
  retryAfter: string | undefined;
}

interface Target {
  form: string;
  subscriber: Subscriber;
}

/** The outcome of a run's submissions, from the outside. */
export interface Outcome {
  accepted: number;
  /** Accepted, but not in the list afterwards. */
  lost: string[];
  /** Numbers that stand in the list more than once. */
  doubled: unknown[];
  /** Accepted, but no subscriber has heard of them. */
  undelivered: string[];
  /** Sent to a subscriber, but not in the list. */
  phantoms: string[];
  /** Deliveries with a fourth POST. */
  postedTooOften: string[];
  /** The answers other than 201 that are not an outage as the contract describes it. */
  improper: Answer[];
  /** When the 201s came back after their longest pause. */
  backAt: number;
  longestPauseMs: number;
}

/**
 * Twenty respondents a second. Three of four have an `Idempotency-Key` and repeat a request until it is accepted; the others try once. A tenth
 * of the submissions go to a subscriber that always fails.
 */
export class Load {
  readonly answers: Answer[] = [];
  private readonly accepted = new Map<number, string>();
  private readonly open = new Set<Promise<void>>();
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 300 });
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly system: System,
    private readonly owner: Person,
    private readonly healthy: Target,
    private readonly failing: Target,
  ) {}

  static async start(system: System): Promise<Load> {
    const owner = new Person(system.origin, system.credentials.api_key);
    // The last scenario may have only just ended for one of the services.
    const [healthy, failing] = [await eventually(() => target(owner, 200)), await eventually(() => target(owner, 500))];
    const load = new Load(system, owner, healthy, failing);
    load.running = load.run();
    return load;
  }

  /** Waits until so many more have been accepted. */
  async accepts(more: number): Promise<void> {
    const from = this.accepted.size;
    await eventually(() => {
      if (this.accepted.size < from + more) throw new Error(`Only ${this.accepted.size - from} of ${more} submissions were accepted.`);
    });
  }

  /** Waits until so many more have been refused. */
  async refuses(more: number): Promise<void> {
    const refused = () => this.answers.filter(({ status }) => status === 503).length;
    const from = refused();
    await eventually(() => {
      if (refused() < from + more) throw new Error(`Only ${refused() - from} of ${more} submissions were refused.`);
    });
  }

  /** Ends the load of a test that failed. */
  async abandon(): Promise<void> {
    this.stopped.abort();
    await this.running;
    await Promise.all(this.open);
    await this.closeSubscribers();
  }

  /** Ends the load, waits until everything that was accepted has been sent, and compares. */
  async stop(): Promise<Outcome> {
    this.stopped.abort();
    await this.running;
    await Promise.all(this.open);
    const rows = [...(await this.listOf(this.healthy)), ...(await this.listOf(this.failing))];
    const stored = new Set(rows.map(({ id }) => id));
    const ids = [...this.accepted.values()];
    const heard = () => new Set([this.healthy, this.failing].flatMap(({ subscriber }) => subscriber.received.map(submissionIn)));
    const undelivered = () => ids.filter((id) => !heard().has(id));
    await eventually(() => {
      if (undelivered().length > 0) throw new Error('not yet');
    }).catch(() => undefined);
    // A fourth POST would come before that.
    await eventually(async () => {
      const pending = await Promise.all([this.healthy, this.failing].map((one) => this.pendingOf(one)));
      if (pending.some((count) => count > 0)) throw new Error(`${pending.join(' and ')} deliveries are pending.`);
    });

    const posts = new Map<string, number>();
    for (const { headers } of [...this.healthy.subscriber.received, ...this.failing.subscriber.received]) {
      const id = String(headers['webhook-id']);
      posts.set(id, (posts.get(id) ?? 0) + 1);
    }
    const numbers = rows.map(({ data }) => data.n);
    const outcome = {
      accepted: ids.length,
      lost: ids.filter((id) => !stored.has(id)),
      doubled: numbers.filter((n, index) => numbers.indexOf(n) !== index),
      undelivered: undelivered(),
      phantoms: [...heard()].filter((id) => !stored.has(id)),
      postedTooOften: [...posts].filter(([, count]) => count > 3).map(([id]) => id),
      improper: this.answers.filter((answer) => !isProper(answer)),
      ...longestPause(this.answers),
    };
    await this.closeSubscribers();
    return outcome;
  }

  private async closeSubscribers(): Promise<void> {
    this.agent.destroy();
    await Promise.all([this.healthy.subscriber.close(), this.failing.subscriber.close()]);
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.stopped.signal.aborted; n++) {
      const sent = this.submit(n).finally(() => this.open.delete(sent));
      this.open.add(sent);
      await sleep(everyMs);
    }
  }

  private async submit(n: number): Promise<void> {
    const { form } = n % 10 === 0 ? this.failing : this.healthy;
    const key = n % 4 === 3 ? undefined : `${form}-${n}`;
    // The others go on as long as the load does, and then for as long as an outage may take.
    for (let tries = 0; tries < 400; tries++) {
      const answer = await this.post(`/public/v1/forms/${form}/submissions`, { data: { n } }, key);
      this.answers.push(answer);
      if (answer.status === 201) {
        this.accepted.set(n, (answer.body as { id: string }).id);
        return;
      }
      if (key === undefined) return;
      await sleep(retryMs);
    }
    this.answers.push({ at: Date.now(), status: -1, body: `submission ${n} was never accepted`, retryAfter: undefined });
  }

  private post(path: string, body: object, key: string | undefined): Promise<Answer> {
    return new Promise((resolve) => {
      const text = JSON.stringify(body);
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(key ? { 'idempotency-key': key } : {}),
      };
      const broken = () => resolve({ at: Date.now(), status: 0, body: undefined, retryAfter: undefined });
      const outgoing = request(
        this.system.origin + path,
        { method: 'POST', agent: this.agent, headers, timeout: clientTimeoutMs },
        (response) => {
          let received = '';
          response.on('data', (chunk: Buffer) => (received += chunk.toString()));
          response.on('error', broken);
          response.on('end', () =>
            resolve({
              at: Date.now(),
              status: response.statusCode ?? 0,
              body: JSON.parse(received) as unknown,
              retryAfter: response.headers['retry-after'],
            }),
          );
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', broken);
      outgoing.end(text);
    });
  }

  private async pendingOf({ form }: Target): Promise<number> {
    const { body } = await this.owner.get(`/app/v1/forms/${form}/deliveries?state=pending&limit=1`);
    return (body as { total: number }).total;
  }

  private async listOf({ form }: Target): Promise<{ id: string; data: { n: number } }[]> {
    const rows: { id: string; data: { n: number } }[] = [];
    for (;;) {
      const { status, body } = await eventually(async () => {
        const reply = await this.owner.get(`/api/v1/forms/${form}/submissions?limit=100&offset=${rows.length}`);
        if (reply.status >= 500) throw new Error(`The list is not available: ${reply.status}`);
        return reply;
      });
      if (status !== 200) throw new Error(`The list of ${form} answered ${status}.`);
      const { data } = body as { data: { id: string; data: { n: number } }[] };
      rows.push(...data);
      if (data.length < 100) return rows;
    }
  }
}

/** A published form with one question, and its subscriber. */
async function target(owner: Person, answer: number): Promise<Target> {
  const made = async (reply: Promise<{ status: number; body: unknown }>): Promise<{ id: string; revision: number }> => {
    const { status, body } = await reply;
    if (status >= 300) throw new Error(`The form could not be made: ${status} ${JSON.stringify(body)}`);
    return body as { id: string; revision: number };
  };
  const { id: form } = await made(owner.post('/api/v1/forms', { title: 'Failover' }));
  const fields = [{ key: 'n', label: 'Number', type: 'integer', required: true }];
  await made(owner.put(`/app/v1/forms/${form}/draft`, { revision: 0, fields }));
  await made(owner.post(`/api/v1/forms/${form}/publish`));
  const subscriber = await startSubscriber();
  subscriber.answer(answer);
  await made(
    owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: subscriber.url, event: 'submission.created', source: 'zapier' }),
  );
  return { form, subscriber };
}

const submissionIn = ({ body }: { body: string }): string => (JSON.parse(body) as { submission: { id: string } }).submission.id;

/** A 503 invites a retry, and says when. Anything else but a broken connection would look like a fault of the request, or of Sheaf. */
function isProper({ status, body, retryAfter }: Answer): boolean {
  if (status === 201 || status === 0) return true;
  const { code, message = '' } = (body as { error?: { code?: string; message?: string } }).error ?? {};
  return status === 503 && retryAfter !== undefined && code === 'internal_error' && message.startsWith('Part of the service is down');
}

function longestPause(answers: readonly Answer[]): { longestPauseMs: number; backAt: number } {
  const times = answers.flatMap(({ status, at }) => (status === 201 ? [at] : [])).sort((a, b) => a - b);
  const pauses = times.slice(1).map((at, index) => ({ longestPauseMs: at - (times[index] ?? at), backAt: at }));
  return pauses.reduce((worst, pause) => (pause.longestPauseMs > worst.longestPauseMs ? pause : worst), { longestPauseMs: 0, backAt: 0 });
}
