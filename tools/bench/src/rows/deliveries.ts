import { Agent, createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHookSubscription, submitForm } from '@sheaf/client';
import { median, type Bench, type Result } from '../row';
import { cpuOf, perRequest } from '../processes';
import { answers, type World } from '../world';

/** Measures the time from commit to the subscriber's POST, how fast a backlog drains, and how dead subscribers slow down the others. */
export async function deliveries(bench: Bench, report: (result: Result) => void): Promise<void> {
  report(await latency(bench));
  report(await drain(bench));
  report(await withDeadSubscribers(bench));
}

/** One form with one subscription, at a steady rate. */
async function latency({ world, seconds }: Bench): Promise<Result> {
  const perSecond = world.quick ? 20 : 200;
  const subscriber = await startSubscriber();
  try {
    const form = await world.form('Commit to POST');
    await subscribe(world, form, subscriber.url);
    // Warm-up, as for every row; at this rate it takes about a thousand events.
    const before = world.quick ? 0 : await submitSteadily(world, [form], { perSecond, seconds: 15 });
    await subscriber.waitFor(before, 60_000);
    subscriber.received.length = 0;

    const used = await cpuOf(world.system);
    const count = await submitSteadily(world, [form], { perSecond, seconds: Math.max(seconds, world.quick ? 2 : 5) });
    await subscriber.waitFor(count, 60_000);
    const cpu = perRequest(used, await cpuOf(world.system), count);
    const committed = await commitsOf(world, form);
    const fromCreation = percentiles(subscriber.received);
    return {
      name: `commit → POST at ${perSecond}/s`,
      ...percentiles(subscriber.received, ({ submission }) => committed.get(submission) ?? Number.NaN),
      goal: 'p50 ≤ 5 ms, p99 ≤ 25 ms',
      cpu,
      note: `${subscriber.received.length} received for ${count}; from created_at: p50 ${fromCreation.p50.toFixed(1)}, p99 ${fromCreation.p99.toFixed(1)} ms`,
    };
  } finally {
    await subscriber.close();
  }
}

/** @returns how many submissions were sent, to the forms in turn */
export async function submitSteadily(
  world: World,
  forms: readonly string[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number> {
  const count = perSecond * seconds;
  const from = performance.now();
  for (let i = 0; i < count; i += 1) {
    const due = from + (i * 1_000) / perSecond;
    if (performance.now() < due) await sleep(due - performance.now());
    submit(`${world.system.origin}/public/v1/forms/${forms[i % forms.length] ?? ''}/submissions`, answers(i));
  }
  return count;
}

// Our agent closes idle connections before the server does, so that no request is sent on a closing connection.
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** `fetch` would take half a millisecond of the CPU time under test; this takes a sixth of that. A failed submission is never delivered. */
function submit(url: string, data: Record<string, unknown>): void {
  request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json' } }, (response) => response.resume())
    .on('error', () => undefined)
    .end(JSON.stringify({ data }));
}

/**
 * When each submission of a form was committed, by id. PostgreSQL takes the timestamp before it writes the commit to disk, so latencies
 * measured from it include that wait.
 */
async function commitsOf(world: World, form: string): Promise<Map<string, number>> {
  const commits = new Map<string, number>();
  await world.inDatabase('submissions', async (db) => {
    const { rows } = await db.query<{ id: string; at: number }>(
      'select id, cast(extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as float8) as at from submission where form_id = $1',
      [form],
    );
    for (const { id, at } of rows) commits.set(id, at);
  });
  return commits;
}

/**
 * Delivery latencies. By default they start at `created_at`, which is before the answers are checked and the transaction begins.
 * All clocks are this machine's.
 */
function percentiles(received: readonly Delivered[], from = ({ createdAt }: Delivered): number => createdAt): { p50: number; p99: number } {
  const times = received.map((delivered) => delivered.at - from(delivered)).sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length / 2)] ?? Number.NaN, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN };
}

/** Submissions pile up while the delivery process is down; measures how fast it drains them. */
async function drain({ world }: Bench): Promise<Result> {
  const backlog = world.quick ? 500 : 20_000;
  const subscriber = await startSubscriber(50);
  try {
    // Many subscriptions, because each has its own concurrency limit.
    const forms = await Promise.all(Array.from({ length: world.quick ? 20 : 200 }, (_, i) => world.form(`Backlog ${i}`)));
    for (const form of forms) await subscribe(world, form, subscriber.url);
    const pid = (await world.system.pid('delivery')) ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      for (let i = 0; i < backlog; i += 100) {
        await Promise.all(
          Array.from({ length: 100 }, (_, k) =>
            submitForm({ client: world.anyone, path: { form: forms[(i + k) % forms.length] ?? '' }, body: { data: answers(i + k) } }),
          ),
        );
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await subscriber.waitFor(backlog, 300_000);
    const at = subscriber.received.map((delivery) => delivery.at);
    // From 10 % to 90 %: leaves out start-up and the last few.
    const [from = 0, to = 1] = [at[Math.floor(backlog / 10)], at[Math.floor(backlog * 0.9)]];
    return {
      name: `drain ${backlog.toLocaleString('en')} deliveries, 50 ms each`,
      perSecond: (0.8 * backlog * 1_000) / (to - from),
      goal: '≥ 1,800/s',
      note: `${at.length} received`,
    };
  } finally {
    await subscriber.close();
  }
}

/**
 * Measures how subscribers that hang affect the others: in every other round, a tenth of the subscriptions hang. All rounds have the same
 * rate, and a round begins only once the previous one has settled.
 */
async function withDeadSubscribers({ world, seconds, rounds }: Bench): Promise<Result> {
  const [forms, perForm, perSecond] = world.quick ? [2, 10, 5] : [100, 10, 20];
  const subscriber = await startSubscriber();
  try {
    const ids = await Promise.all(Array.from({ length: forms }, (_, i) => world.form(`Beside ${i}`)));
    for (const id of ids) {
      await Promise.all(
        Array.from({ length: perForm }, (_, i) => subscribe(world, id, `${subscriber.url}/${i === 0 ? 'dead' : 'alive'}/${i}`)),
      );
    }
    // Long enough that the slowest percentile is more than a handful of events.
    const round = async (dead: boolean, length = world.quick ? 2 : Math.max(seconds, 10)) => {
      subscriber.received.length = 0;
      if (dead) subscriber.hang('/dead/');
      const submitted = await submitSteadily(world, ids, { perSecond, seconds: length });
      await subscriber.waitFor(submitted * (perForm - 1), 60_000, alive);
      subscriber.hang(undefined);
      await subscriber.waitFor(submitted * perForm, 120_000);
      return percentiles(subscriber.received.filter(alive));
    };
    const alive = ({ path }: Delivered) => !path.startsWith('/dead/');
    if (!world.quick) await round(false, forms / perSecond);

    const [without, beside]: { p50: number; p99: number }[][] = [[], []];
    for (let n = 0; n < rounds; n += 1) {
      without?.push(await round(false));
      beside?.push(await round(true));
    }
    const [p99Without, p99Beside] = [without, beside].map((all) => median((all ?? []).map(({ p99 }) => p99)));
    return {
      name: `${(forms * perForm).toLocaleString('en')} subscriptions, ${forms} of them dead`,
      p50: median((beside ?? []).map(({ p50 }) => p50)),
      p99: p99Beside ?? Number.NaN,
      goal: 'p99 within 10 % of the p99 without dead subscribers',
      note: `${perSecond * perForm} deliveries/s; p99 without: ${Math.round(p99Without ?? Number.NaN)} ms, ratio ${((p99Beside ?? Number.NaN) / (p99Without ?? Number.NaN)).toFixed(2)}`,
    };
  } finally {
    await subscriber.close();
  }
}

export const subscribe = async (world: World, form: string, target_url: string): Promise<void> => {
  const body = { form_id: form, target_url, event: 'submission.created' as const, source: 'zapier' as const };
  await createHookSubscription({ client: world.owner, body });
};

interface Delivered {
  path: string;
  submission: string;
  at: number;
  createdAt: number;
}

/** A subscriber that answers 200 after a delay. */
export async function startSubscriber(afterMs = 0) {
  const received: Delivered[] = [];
  const seen = new Set<unknown>();
  let hangingPath: string | undefined;
  const unanswered: ServerResponse[] = [];
  const server: Server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    const path = request.url ?? '';
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        // Only the first arrival counts.
        const id = request.headers['webhook-id'];
        if (seen.has(id)) return response.end();
        seen.add(id);
        const { submission } = JSON.parse(Buffer.concat(chunks).toString()) as { submission: { id: string; created_at: string } };
        received.push({ path, submission: submission.id, at, createdAt: Date.parse(submission.created_at) });
        if (hangingPath !== undefined && path.startsWith(hangingPath)) unanswered.push(response);
        else if (afterMs === 0) response.end();
        else setTimeout(() => response.end(), afterMs);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Stops answering requests below this path. Without a path, answers everything again, including the requests left open. */
    hang: (below: string | undefined) => {
      hangingPath = below;
      for (const response of unanswered.splice(0)) response.end();
    },
    waitFor: async (count: number, withinMs: number, which: (delivery: Delivered) => boolean = () => true) => {
      const until = Date.now() + withinMs;
      while (received.filter(which).length < count) {
        if (Date.now() > until) throw new Error(`only ${received.filter(which).length} of ${count} deliveries arrived`);
        await sleep(20);
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
