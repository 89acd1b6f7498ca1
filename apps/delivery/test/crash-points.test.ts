import { connectionsDieAt } from '@sheaf/testing';
import { leaseMs } from '../src/attempts/claims.queries';
import { claimDue } from '../src/attempts/claims.queries';
import { settle } from '../src/attempts/settlements.queries';
import { Slots } from '../src/attempts/slots';
import { plan } from '../src/planning/plan';
import { settlementOf } from '../src/attempts/judge';
import { startService, type Service } from './support/service';

// Processes that die at each point between an event and its POSTs.

let service: Service;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const day = 24 * 60 * 60 * 1_000;

async function dieAfterPost(): Promise<void> {
  const posted = service.subscriber.received.length;
  await expect(service.dyingAttempts().runDue()).resolves.toMatchObject({ begun: 1 });
  await service.subscriber.waitFor(posted + 1);
}

it('an event whose process died before the commit leaves nothing behind, and is planned when it arrives again', async () => {
  const subscription = service.subscription();
  const event = service.event(subscription.form_id);
  const breaking = await connectionsDieAt(service.db, 'before insert on queue');
  await expect(plan(service.deps, [event])).rejects.toThrow();
  expect(await breaking.deaths()).toBe(1);
  await breaking.end();
  await expect(service.db('event').where({ id: event.id })).resolves.toEqual([]);

  await expect(plan(service.deps, [event])).resolves.toMatchObject({ made: 1 });
  await expect(plan(service.deps, [event])).resolves.toMatchObject({ made: 0 });
  await service.run();
  expect(service.subscriber.received).toHaveLength(1);
});

it('a failing subscriber gets three POSTs in all, even if the process dies after each of them', async () => {
  const subscription = service.subscription();
  service.subscriber.answer(500);
  await service.planEvents(subscription);
  for (const pause of service.deps.settings.RETRY_DELAYS_MS) {
    await dieAfterPost();
    service.clock.advance(leaseMs(service.deps.settings) + pause);
  }
  await dieAfterPost();
  service.clock.advance(day);
  await service.run();
  service.clock.advance(day);
  await service.run();

  expect(service.subscriber.received).toHaveLength(3);
  expect(new Set(service.subscriber.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 3 }]);
});

it('a subscriber that accepted a POST before the process died gets it once more, with the same id and bytes', async () => {
  const subscription = service.subscription();
  await service.planEvents(subscription);
  await dieAfterPost();
  service.clock.advance(leaseMs(service.deps.settings) + 4_000);
  await service.run();
  service.clock.advance(day);
  await service.run();

  const [first, second, ...more] = service.subscriber.received;
  expect(more).toEqual([]);
  expect(second).toMatchObject({ body: first?.body, headers: { 'webhook-id': first?.headers['webhook-id'] } });
  await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'succeeded', attempts: 2 }]);
});

it('an outcome is never half recorded: if the process dies while settling it, the attempt counts as lost', async () => {
  const subscription = service.subscription();
  await service.planEvents(subscription);
  const {
    db,
    clock,
    deps: { settings },
  } = service;
  const {
    claims: [claim],
  } = await claimDue(db, {
    clock,
    look: new Slots(settings).look(),
    leaseMs: leaseMs(settings),
    retryDelaysMs: settings.RETRY_DELAYS_MS,
  });
  if (!claim) throw new Error('nothing was due');
  const breaking = await connectionsDieAt(db, 'before update on delivery');
  const settlement = settlementOf(claim, { status: 200, durationMs: 5 }, settings.RETRY_DELAYS_MS, clock.now());
  await expect(db.transaction((trx) => settle(trx, clock, [settlement]))).rejects.toThrow();
  expect(await breaking.deaths()).toBe(1);
  await breaking.end();

  await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 1 }]);
  await expect(service.attempts(claim.id)).resolves.toEqual([{ number: 1, status: null, error: 'interrupted' }]);
  clock.advance(leaseMs(settings) + 4_000);
  await service.run();
  await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'succeeded', attempts: 2 }]);
});
