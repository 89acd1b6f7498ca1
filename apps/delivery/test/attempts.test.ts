import { createServer } from 'node:net';
import { createEgress } from '@sheaf/egress';
import { eventually, startSubscriber } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempt';
import { claimDue, settleAll } from '../src/attempts/attempt.queries';
import { Slots } from '../src/attempts/lanes';
import { judge } from '../src/attempts/retry';
import { startWorker } from '../src/attempts/worker';
import {
  anEvent,
  another,
  aSubscription,
  attemptsTo,
  clock,
  db,
  deliveriesTo,
  deps,
  later,
  leaseMs,
  onStage,
  own,
  plan,
  run,
  settings,
  subscriber,
} from './support/stage';

onStage();

describe('a delivery', () => {
  it('carries the exact bytes of the event, and headers that describe it', async () => {
    const subscription = aSubscription();
    const event = anEvent(subscription.form_id);
    await plan(deps, [event]);
    await run();

    const [delivery] = await deliveriesTo(subscription);
    expect(subscriber.received).toHaveLength(1);
    expect(subscriber.received[0]).toMatchObject({
      path: '/hook',
      body: event.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Sheaf-Webhooks/1',
        'x-webhook-event': 'submission.created',
        'x-webhook-id': subscription.id,
        'webhook-id': delivery?.id,
        'webhook-timestamp': String(clock.now().getTime() / 1_000),
      },
    });
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: 1, next_attempt_at: null, settled_at: clock.now() });
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ number: 1, status: 200, error: null, started_at: clock.now() }]);
  });

  it('goes to every listener of that event of that form, and to nobody else', async () => {
    const one = aSubscription();
    const two = aSubscription({ form_id: one.form_id, url: `${subscriber.url}/two` });
    aSubscription({ form_id: one.form_id, event: 'submission.deleted', url: `${subscriber.url}/other-event` });
    aSubscription({ url: `${subscriber.url}/other-form` });

    await expect(plan(deps, [anEvent(one.form_id)])).resolves.toBe(2);
    await run();

    expect(subscriber.received.map(({ headers }) => headers['x-webhook-id']).sort()).toEqual([one.id, two.id].sort());
  });

  it('is attempted three times, 4 s and 16 s after the preceding failures, and never again', async () => {
    const subscription = aSubscription();
    subscriber.answer(500);
    await plan(deps, [anEvent(subscription.form_id)]);

    await run();
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 1, next_attempt_at: later(4_000) }]);
    clock.advance(3_999);
    await expect(run()).resolves.toBe(0);
    clock.advance(1);
    await expect(run()).resolves.toBe(1);
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 2, next_attempt_at: later(16_000) }]);
    clock.advance(15_999);
    await expect(run()).resolves.toBe(0);
    clock.advance(1);
    await expect(run()).resolves.toBe(1);
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([
      { state: 'failed', attempts: 3, next_attempt_at: null, settled_at: clock.now() },
    ]);
    clock.advance(24 * 60 * 60 * 1_000);
    await expect(run()).resolves.toBe(0);

    expect(subscriber.received).toHaveLength(3);
    expect(new Set(subscriber.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([1, 2, 3].map((number) => ({ number, status: 500, error: 'status' })));
  });

  it('ends with the attempt that succeeds', async () => {
    const subscription = aSubscription();
    subscriber.answer(503);
    await plan(deps, [anEvent(subscription.form_id)]);
    await run();
    subscriber.answer(204);
    clock.advance(4_000);
    await run();
    clock.advance(60_000);
    await expect(run()).resolves.toBe(0);

    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'succeeded', attempts: 2 }]);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([
      { status: 503, error: 'status' },
      { status: 204, error: null },
    ]);
  });

  it('counts the pause from the failure, not from the beginning of the attempt', async () => {
    const subscription = aSubscription();
    subscriber.answer(() => {
      clock.advance(9_000);
      return 500;
    });
    await plan(deps, [anEvent(subscription.form_id)]);
    await run();

    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ next_attempt_at: later(4_000) }]);
  });

  it('fails on a redirect, which is not followed', async () => {
    const subscription = aSubscription();
    subscriber.answer({ status: 302, headers: { location: `${subscriber.url}/elsewhere` } });
    await plan(deps, [anEvent(subscription.form_id)]);
    await run();

    expect(subscriber.received.map(({ path }) => path)).toEqual(['/hook']);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ status: 302, error: 'status' }]);
  });

  it('fails on a timeout, and on a refused connection', async () => {
    const slow = aSubscription();
    const dead = aSubscription({ url: `http://127.0.0.1:${await aClosedPort()}/` });
    subscriber.answer('hang');
    await plan(deps, [anEvent(slow.form_id)]);
    await run(new Attempts({ ...deps, settings: { ...settings, DELIVERY_TIMEOUT_MS: 300 } }));
    await plan(deps, [anEvent(dead.form_id)]);
    await run();

    await expect(attemptsTo(slow)).resolves.toMatchObject([{ status: null, error: 'timeout' }]);
    await expect(attemptsTo(dead)).resolves.toMatchObject([{ status: null, error: 'connection_refused' }]);
    await expect(deliveriesTo(slow)).resolves.toMatchObject([{ state: 'pending', attempts: 1 }]);
  });

  it('never goes to an address that is not public, whatever an earlier check found', async () => {
    const strict = {
      ...deps,
      egress: createEgress({ allowPrivateTargets: false, privateOrigins: [], resolve: () => Promise.resolve(['127.0.0.1']) }),
    };
    const http = aSubscription();
    const rebound = aSubscription({ url: 'https://rebound.example.org/hook' });
    await plan(deps, [anEvent(http.form_id), anEvent(rebound.form_id)]);
    await run(new Attempts(strict));

    expect(subscriber.received).toEqual([]);
    await expect(attemptsTo(http)).resolves.toMatchObject([{ error: 'url_not_allowed' }]);
    await expect(attemptsTo(rebound)).resolves.toMatchObject([{ error: 'address_not_allowed' }]);
  });
});

describe('a process that dies during an attempt', () => {
  const claim = async () => {
    const { claims } = await claimDue(db, { clock, look: new Slots(settings).look(), leaseMs, retryDelaysMs: settings.RETRY_DELAYS_MS });
    return claims;
  };

  it('has used it up: the delivery falls due again on its own, and fails after the third', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);

    await expect(claim()).resolves.toMatchObject([{ number: 1 }]);
    clock.advance(leaseMs + 4_000 - 1);
    await expect(claim()).resolves.toEqual([]);
    clock.advance(1);
    await expect(claim()).resolves.toMatchObject([{ number: 2 }]);
    clock.advance(leaseMs + 16_000);
    await expect(claim()).resolves.toMatchObject([{ number: 3 }]);

    clock.advance(leaseMs - 1);
    await run();
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 3 }]);
    clock.advance(1);
    await expect(run()).resolves.toBe(0);
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 3, settled_at: clock.now() }]);
    clock.advance(24 * 60 * 60 * 1_000);
    await expect(run()).resolves.toBe(0);

    expect(subscriber.received).toEqual([]);
    await expect(attemptsTo(subscription)).resolves.toMatchObject(
      [1, 2, 3].map((number) => ({ number, error: 'interrupted', status: null })),
    );
  });

  it('leaves the remaining attempts to the other processes', async () => {
    const subscription = aSubscription();
    subscriber.answer(500);
    await plan(deps, [anEvent(subscription.form_id)]);
    await claim();
    clock.advance(leaseMs + 4_000);
    await run();
    clock.advance(16_000);
    await run();
    clock.advance(24 * 60 * 60 * 1_000);
    await run();

    expect(subscriber.received).toHaveLength(2);
    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 3 }]);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([{ error: 'interrupted' }, { error: 'status' }, { error: 'status' }]);
  });

  it('cannot settle a delivery that another process has begun again', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    // The answer to the first attempt arrives after its lease has ended and another process has begun the second.
    subscriber.answer(() => {
      clock.advance(leaseMs + 4_000);
      return 500;
    });
    const late = new Attempts({
      ...deps,
      egress: {
        post: async (...given) => {
          const outcome = await deps.egress.post(...given);
          await claim();
          return outcome;
        },
      },
    });
    await run(late);

    await expect(deliveriesTo(subscription)).resolves.toMatchObject([
      { state: 'pending', attempts: 2, next_attempt_at: later(leaseMs + 16_000) },
    ]);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([
      { number: 1, status: 500 },
      { number: 2, error: 'interrupted' },
    ]);
  });

  it('settles two attempts of a delivery together, and the later one counts', async () => {
    const subscription = aSubscription();
    await plan(deps, [anEvent(subscription.form_id)]);
    const first = await claim();
    clock.advance(leaseMs + 4_000);
    const second = await claim();

    await settleAll(
      db,
      clock,
      [...first, ...second].map((one) =>
        judge(one, { status: 490 + one.number, durationMs: one.number }, settings.RETRY_DELAYS_MS, clock.now()),
      ),
    );

    await expect(deliveriesTo(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 2, next_attempt_at: later(16_000) }]);
    await expect(attemptsTo(subscription)).resolves.toMatchObject([
      { number: 1, status: 491, duration_ms: 1 },
      { number: 2, status: 492, duration_ms: 2 },
    ]);
  });

  it('claims nothing twice when several processes look at once', async () => {
    const subscriptions = Array.from({ length: 4 }, () => aSubscription());
    await plan(
      deps,
      subscriptions.flatMap(({ form_id }) => [anEvent(form_id), anEvent(form_id)]),
    );
    const processes = Array.from({ length: 5 }, () => new Attempts(deps));
    await Promise.all(processes.map((attempts) => run(attempts)));

    expect(subscriber.received).toHaveLength(8);
    expect(new Set(subscriber.received.map(({ headers }) => headers['webhook-id'])).size).toBe(8);
  });
});

describe('slots', () => {
  it('go once to each subscription before any gets a second one', async () => {
    const crowd = aSubscription({ url: `${subscriber.url}/crowd` });
    await plan(
      deps,
      Array.from({ length: 10 }, () => anEvent(crowd.form_id)),
    );
    const quiet = Array.from({ length: 3 }, () => aSubscription({ url: `${subscriber.url}/quiet` }));
    await plan(
      deps,
      quiet.map(({ form_id }) => anEvent(form_id)),
    );

    await expect(run(new Attempts({ ...deps, settings: { ...settings, DELIVERY_CONCURRENCY: 6 } }))).resolves.toBe(4);
    expect(subscriber.received.map(({ path }) => path).sort()).toEqual(['/crowd', '/quiet', '/quiet', '/quiet']);
  });

  it('are limited for a subscription, also over several looks, and to one once it has hung', async () => {
    const subscription = aSubscription();
    const attempts = new Attempts({ ...deps, settings: { ...settings, DELIVERY_SLOW_MS: 300 } });
    subscriber.answer('hang');
    await plan(
      deps,
      Array.from({ length: 8 }, () => anEvent(subscription.form_id)),
    );

    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 3 });
    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 0 });
    await eventually(async () =>
      expect(await db('turn').where({ subscription_id: subscription.id }).first()).toMatchObject({ lane: 'slow' }),
    );
    await subscriber.waitFor(3);
    subscriber.hangUp();
    await attempts.idle();
    await expect(attempts.runDue()).resolves.toMatchObject({ begun: 1 });
    await subscriber.waitFor(4);
    subscriber.hangUp();
    await attempts.idle();
  });

  it('taken by dead subscribers leave enough for the healthy ones', async () => {
    const worker = another('worker');
    const hanging = await startSubscriber();
    hanging.answer('hang');
    // Closing it ends their attempts, and only then can the worker stop.
    another('hanging').onStop('subscriber', () => hanging.close());
    const dead = [aSubscription({ url: hanging.url }), aSubscription({ url: hanging.url })];
    const healthy = aSubscription();
    const patient = { ...deps, settings: { ...settings, DELIVERY_TIMEOUT_MS: 60_000 } };
    await plan(
      deps,
      dead.flatMap(({ form_id }) => Array.from({ length: 50 }, () => anEvent(form_id))),
    );
    const attempts = new Attempts(patient);
    const work = startWorker(worker, attempts);
    await hanging.waitFor(6);

    await plan(
      deps,
      Array.from({ length: 20 }, () => anEvent(healthy.form_id)),
    );
    work.wake();
    // All of these arrive before any attempt to the hanging subscriber ends.
    await subscriber.waitFor(20);
    expect(hanging.received).toHaveLength(6);
    expect(
      await db('attempt')
        .whereNotNull('duration_ms')
        .whereIn(
          'delivery_id',
          db('delivery')
            .whereIn(
              'subscription_id',
              dead.map(({ id }) => id),
            )
            .select('id'),
        ),
    ).toEqual([]);
  });
});

it('counts attempts by their outcome', async () => {
  const metrics = await own.metrics.metrics();
  expect(metrics).toMatch(/sheaf_delivery_attempts_total\{outcome="2xx"\} [1-9]/);
  expect(metrics).toMatch(/sheaf_delivery_attempts_total\{outcome="timeout"\} [1-9]/);
  expect(metrics).toContain('sheaf_delivery_in_flight{lane="quick"} 0');
  expect(metrics).toMatch(/sheaf_delivery_first_post_seconds_count [1-9]/);
});

/** A port of this machine on which nothing listens. */
async function aClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
