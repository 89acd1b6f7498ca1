import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type Result } from '../row';
import { answers, type World } from '../world';

/** From the answer to the respondent to the POST at the subscriber, and how fast a backlog goes. */
export async function deliveries(bench: Bench, report: (result: Result) => void): Promise<void> {
  report(await latency(bench, { perSecond: bench.world.quick ? 20 : 200, name: 'commit → POST', goal: 'p50 ≤ 5 ms, p99 ≤ 25 ms' }));
  report(await drain(bench));
  report(await besideDead(bench));
}

/**
 * Submits at a steady pace. The time of a delivery counts from `created_at`, the moment before its transaction began, so it holds the commit as
 * well; both clocks are this machine's.
 */
async function latency({ world, seconds }: Bench, wanted: { perSecond: number; name: string; goal?: string; beside?: (form: string) => Promise<void> }): Promise<Result> {
  const subscriber = await startSubscriber();
  try {
    const form = await world.form(wanted.name);
    await subscribe(world, form, subscriber.url);
    await wanted.beside?.(form);
    const count = wanted.perSecond * Math.max(seconds, world.quick ? 2 : 5);
    const until = performance.now();
    for (let i = 0; i < count; i += 1) {
      const due = until + (i * 1_000) / wanted.perSecond;
      if (performance.now() < due) await sleep(due - performance.now());
      void world.anyone.post(`/public/v1/forms/${form}/submissions`, { data: answers(i) });
    }
    await subscriber.waitFor(count, 60_000);
    const times = subscriber.received.map(({ at, createdAt }) => at - createdAt).sort((a, b) => a - b);
    return {
      name: `${wanted.name} at ${wanted.perSecond}/s`,
      p50: times[Math.floor(times.length / 2)] ?? Number.NaN,
      p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
      ...(wanted.goal === undefined ? {} : { goal: wanted.goal }),
      note: `${subscriber.received.length} received for ${count}`,
    };
  } finally {
    await subscriber.close();
  }
}

/** Submissions pile up while the delivery process is away; what is measured is how fast it works them off. */
async function drain({ world }: Bench): Promise<Result> {
  const backlog = world.quick ? 500 : 20_000;
  const subscriber = await startSubscriber(50);
  try {
    // Many subscriptions, as one alone is held back by its own bound.
    const forms = await Promise.all(Array.from({ length: world.quick ? 20 : 200 }, (_, i) => world.form(`Backlog ${i}`)));
    for (const form of forms) await subscribe(world, form, subscriber.url);
    const pid = (await world.system.pid('delivery')) ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      for (let i = 0; i < backlog; i += 100) {
        await Promise.all(
          Array.from({ length: 100 }, (_, k) => world.good(world.anyone.post(`/public/v1/forms/${forms[(i + k) % forms.length] ?? ''}/submissions`, { data: answers(i + k) }))),
        );
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await subscriber.waitFor(backlog, 300_000);
    const at = subscriber.received.map((one) => one.at);
    // From a tenth to nine tenths: neither the waking up nor the last few.
    const [from = 0, to = 1] = [at[Math.floor(backlog / 10)], at[Math.floor(backlog * 0.9)]];
    return { name: `drain ${backlog.toLocaleString('en')} deliveries, 50 ms each`, perSecond: (0.8 * backlog * 1_000) / (to - from), goal: '≥ 1,800/s', note: `${at.length} received` };
  } finally {
    await subscriber.close();
  }
}

/** The same pace beside a crowd of endpoints that never answer. */
async function besideDead(bench: Bench): Promise<Result> {
  // With the healthy one as many as a form may have.
  const dead = bench.world.quick ? 10 : 99;
  const hanging = await startSubscriber(Number.POSITIVE_INFINITY);
  try {
    return await latency(bench, {
      perSecond: bench.world.quick ? 20 : 100,
      name: `healthy beside ${dead} dead`,
      goal: 'p99 within 10 % of the above',
      beside: async (form) => {
        for (let i = 0; i < dead; i += 1) await subscribe(bench.world, form, `${hanging.url}/${i}`);
      },
    });
  } finally {
    await hanging.close();
  }
}

const subscribe = async (world: World, form: string, target_url: string): Promise<void> => {
  await world.good(world.owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url, event: 'submission.created', source: 'zapier' }));
};

interface Heard {
  at: number;
  createdAt: number;
}

/** A subscriber that answers 200 after a while, or never. */
async function startSubscriber(afterMs = 0) {
  const received: Heard[] = [];
  const server: Server = createServer((request, response) => {
    const at = Date.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      const { submission } = JSON.parse(Buffer.concat(chunks).toString()) as { submission: { created_at: string } };
      received.push({ at, createdAt: Date.parse(submission.created_at) });
      if (afterMs === 0) response.end();
      else if (Number.isFinite(afterMs)) setTimeout(() => response.end(), afterMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    waitFor: async (count: number, withinMs: number) => {
      const until = Date.now() + withinMs;
      while (received.length < count) {
        if (Date.now() > until) throw new Error(`only ${received.length} of ${count} deliveries arrived`);
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
