import { connectTo } from '@sheaf/postgres';
import { eventually } from '@sheaf/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { Attempts } from '../src/attempts/attempts';
import { leaseMs } from '../src/attempts/claims.queries';
import { startWorker } from '../src/attempts/worker';
import { startService, type Service } from './support/service';

let service: Service;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const startProcess = () => startWorker(service.process(), new Attempts(service.otherProcess()));

const timesById = () => {
  const times = new Map<string, number>();
  for (const { headers } of service.subscriber.received)
    times.set(String(headers['webhook-id']), (times.get(String(headers['webhook-id'])) ?? 0) + 1);
  return times;
};
const settled = (state: string) =>
  service
    .db('delivery')
    .where({ state })
    .count<{ count: number }[]>('id as count')
    .then(([row]) => row?.count);

describe('several processes side by side', () => {
  it('share the work without a leader: each delivery is sent once', async () => {
    const subscriptions = Array.from({ length: 10 }, () => service.subscription());
    for (const one of subscriptions) await service.planEvents(one, 1);
    await service.markQuick(...subscriptions);
    for (let n = 0; n < 3; n++) startProcess();
    for (const one of subscriptions) await service.planEvents(one, 20);

    await service.subscriber.waitFor(210);
    await eventually(async () => expect(await settled('succeeded')).toBe(210));
    expect([...timesById().values()]).toEqual(Array.from({ length: 210 }, () => 1));
  });

  it('take over from one that was killed, once its attempts count as lost', async () => {
    const subscription = service.subscription();
    await service.planEvents(subscription, 3);
    await service.markQuick(subscription);
    const beforeItsPosts = service.dyingAttempts(() => Promise.resolve());
    await expect(beforeItsPosts.runDue()).resolves.toMatchObject({ begun: 3 });

    startProcess();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }]);
    expect(service.subscriber.received).toHaveLength(0);
    service.clock.advance(leaseMs(service.deps.settings) + 4_000);
    await service.subscriber.waitFor(3);
    await eventually(async () => expect(await settled('succeeded')).toBe(3));
    expect([...timesById().values()]).toEqual([1, 1, 1]);
  });
});

describe('a stalled database', () => {
  it('delays the deliveries, but neither loses nor repeats any', async () => {
    const subscriptions = Array.from({ length: 5 }, () => service.subscription());
    for (const one of subscriptions) await service.planEvents(one, 6);
    await service.markQuick(...subscriptions);
    const holder = connectTo(service.databaseUrl, 'holder', 1);
    // While this transaction is open, with POSTs in flight, nothing can be claimed or settled.
    const stall = async () => {
      await holder.transaction(async (trx) => {
        await trx.raw('lock table queue in access exclusive mode');
        await sleep(700);
      });
    };
    service.subscriber.answer(() => 200);
    startProcess();
    startProcess();
    await service.subscriber.waitFor(1);
    for (let n = 0; n < 3; n++) await stall();

    await eventually(async () => expect(await settled('succeeded')).toBe(30));
    await holder.destroy();
    expect([...timesById().values()]).toEqual(Array.from({ length: 30 }, () => 1));
  });

  it('does not prevent POSTs sent in the meantime from being settled', async () => {
    const subscription = service.subscription();
    await service.planEvents(subscription);
    const away = service.otherProcess();
    const attempts = new Attempts({
      ...away,
      egress: {
        post: async (...args) => {
          const outcome = await service.deps.egress.post(...args);
          await service.db.raw(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sheaf-another' and datname = current_database()`,
          );
          return outcome;
        },
      },
    });
    await attempts.runDue();
    await attempts.idle();

    expect(service.subscriber.received).toHaveLength(1);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'succeeded', attempts: 1 }]);
  });
});
