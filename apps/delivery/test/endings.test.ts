import { connectionsDieAt, eventually } from '@sheaf/testing';
import { cancelEnded } from '../src/subscriptions/cancel-ended';
import { cancelBatchSize } from '../src/subscriptions/endings.queries';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

let service: Service;

beforeEach(async () => {
  service = await startService({ DELIVERY_BACKLOG: 3 * cancelBatchSize });
});
afterEach(() => service.stop());

const states = async ({ id }: Listener) =>
  Object.fromEntries(
    (
      await service
        .db('delivery')
        .where({ subscription_id: id })
        .groupBy('state', 'reason')
        .select('state', 'reason')
        .count<{ state: string; reason: string | null; count: number }[]>('* as count')
    ).map(({ state, reason, count }) => [reason === null ? state : `${state}: ${reason}`, count]),
  );

describe('a subscription that is removed with a large backlog', () => {
  const pending = cancelBatchSize * 2 + 500;
  let removed: Listener;

  beforeEach(async () => {
    removed = service.subscription();
    await service.planEvents(removed, pending);
    await service.switchOff(removed);
  });

  it('receives nothing more, even while most of its backlog is not cancelled yet', async () => {
    await expect(states(removed)).resolves.toEqual({ pending: pending - cancelBatchSize, 'cancelled: ended': cancelBatchSize });
    await expect(service.run()).resolves.toBe(0);
  });

  it('leaves its backlog to all processes, each of which cancels a part', async () => {
    const cancelled = await Promise.all(
      [service.otherProcess(), service.otherProcess(), service.otherProcess()].map((copy) => cancelEnded(copy)),
    );
    expect(cancelled.reduce((sum, count) => sum + count)).toBe(pending - cancelBatchSize);
    await expect(states(removed)).resolves.toEqual({ 'cancelled: ended': pending });
    await cancelEnded(service.deps);
    await expect(service.db('ending').select()).resolves.toEqual([]);
    await expect(service.db('delivery_count').where({ subscription_id: removed.id, state: 'pending' }).first()).resolves.toMatchObject({
      count: 0,
    });
  });

  it('has its backlog cancelled by another process if one dies midway', async () => {
    const breaking = await connectionsDieAt(service.db, 'before delete on ending');
    await expect(cancelEnded(service.otherProcess())).rejects.toThrow();
    await breaking.end();
    const stopped = new AbortController();
    stopped.abort();
    await expect(cancelEnded(service.deps, stopped.signal)).resolves.toBe(0);

    await cancelEnded(service.deps);
    await expect(states(removed)).resolves.toEqual({ 'cancelled: ended': pending });
    await expect(service.db('ending').select()).resolves.toEqual([]);
  });

  it('receives the events after its reactivation, and none from before it', async () => {
    service.subscription({ ...removed, revision: removed.revision + 2 });
    const [event] = await service.planEvents(removed);
    await service.markQuick(removed);
    await expect(service.run()).resolves.toBe(0);

    await cancelEnded(service.deps);
    await expect(service.run()).resolves.toBe(1);
    await expect(states(removed)).resolves.toEqual({ 'cancelled: ended': pending, succeeded: 1 });
    await expect(service.db('delivery').where({ subscription_id: removed.id, state: 'succeeded' }).pluck('event_id')).resolves.toEqual([
      event,
    ]);
  });
});

it('deliveries beyond the backlog limit of a subscription are dropped, as the log and the metrics show, and no others are', async () => {
  const [full, other] = [service.subscription(), service.subscription()];
  await service.planEvents(full, 3 * cancelBatchSize - 1);
  await service.planEvents(full, 3);
  await service.planEvents(other);

  await expect(states(full)).resolves.toEqual({ pending: 3 * cancelBatchSize, 'failed: backlog_full': 2 });
  await expect(states(other)).resolves.toEqual({ pending: 1 });
  await expect(service.metrics()).resolves.toContain('sheaf_delivery_dropped_total 2');
  await service.run();
  await service.planEvents(full, 1);
  await expect(states(full)).resolves.toMatchObject({ 'failed: backlog_full': 2 });
});

describe('a subscription that always fails', () => {
  const day = 86_400_000;
  let failing: Listener;

  beforeEach(() => {
    failing = service.subscription();
    service.subscriber.answer(500);
  });

  /** Plans another delivery and makes all of its attempts. */
  async function aDelivery(): Promise<string | undefined> {
    await service.planEvents(failing);
    for (const pause of [0, ...service.deps.settings.RETRY_DELAYS_MS]) {
      service.clock.advance(pause);
      await service.run();
    }
    return (await service.db('subscription').where({ id: failing.id }).first<{ state: string }>('state')).state;
  }
  const daily = async (days: number) => {
    for (let n = 0; n < days; n++) {
      await expect(aDelivery()).resolves.toBe('active');
      service.clock.advance(day / 2);
      await expect(aDelivery()).resolves.toBe('active');
      service.clock.advance(day / 2 - 60_000);
    }
  };

  it('is switched off after five days along with its pending deliveries, and hooks learns why', async () => {
    const events = await service.recordEvents();

    await daily(5);
    service.clock.advance(60_000 * 10);
    await expect(aDelivery()).resolves.toBe('inactive');
    await expect(states(failing)).resolves.toEqual({ failed: 11 });
    await eventually(() =>
      expect(events.find(({ subject }) => subject === failing.id)).toMatchObject({
        type: 'subscription.gone',
        body: JSON.stringify({ id: failing.id, revision: failing.revision, reason: 'failing', detail: 'HTTP 500' }),
      }),
    );

    // Reactivated, it has five days again.
    service.subscription({ ...failing, revision: failing.revision + 2 });
    await expect(aDelivery()).resolves.toBe('active');
  });

  it('is switched off after five days also if it seldom has an event', async () => {
    for (const expected of ['active', 'active', 'inactive']) {
      await expect(aDelivery()).resolves.toBe(expected);
      service.clock.advance(2.5 * day);
    }
  });

  it('is not switched off if a delivery succeeded in the meantime', async () => {
    await daily(4);
    service.subscriber.answer(200);
    await aDelivery();
    service.subscriber.answer(500);
    await daily(4);
    await expect(aDelivery()).resolves.toBe('active');
  });

  it('is not switched off for two failures a week apart', async () => {
    await aDelivery();
    service.clock.advance(7 * day);
    await expect(aDelivery()).resolves.toBe('active');
  });
});
