import { newId } from '@sheaf/kernel';
import type { Listener } from '../src/planning/remembered-listeners';
import { redeliverManyAs } from '../src/log/redeliver';
import { recordRestore } from '../src/restored/record-restore';
import { startService, type Service } from './support/service';

const hourMs = 3_600_000;
let service: Service;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const outcomes = ({ id }: Listener) =>
  service
    .db('delivery')
    .where({ subscription_id: id })
    .orderBy('id')
    .select<{ event_id: string; state: string; reason: string | null; attempts: number }[]>('event_id', 'state', 'reason', 'attempts');

describe('A system that was restored from a backup', () => {
  it('sends nothing on its own that the lost one may have sent: no subscriber gets a fourth POST', async () => {
    const subscription = service.subscription();
    const [tried, waiting, unplanned] = [
      service.event(subscription.form_id),
      service.event(subscription.form_id),
      service.event(subscription.form_id),
    ];
    service.subscriber.answer(500);
    await service.planAsQuick([tried]);
    await service.run();
    await service.planAsQuick([waiting]);
    const before = service.subscriber.received.length;

    service.clock.advance(1_000);
    await expect(recordRestore(service.db, service.clock.now())).resolves.toBe(2);
    // The event was in the outbox when the backup was made: it arrives again, or for the first time.
    service.clock.advance(1_000);
    await service.planAsQuick([tried, unplanned]);
    for (const pause of [0, ...service.deps.settings.RETRY_DELAYS_MS]) {
      service.clock.advance(pause);
      await service.run();
    }
    expect(service.subscriber.received).toHaveLength(before);
    await expect(outcomes(subscription)).resolves.toEqual([
      { event_id: tried.id, state: 'failed', reason: 'restored', attempts: before },
      { event_id: waiting.id, state: 'failed', reason: 'restored', attempts: 0 },
      { event_id: unplanned.id, state: 'failed', reason: 'restored', attempts: 0 },
    ]);
    await expect(service.metrics()).resolves.not.toContain('sheaf_delivery_dropped_total 1');
  });

  it('sends what happens from then on', async () => {
    const subscription = service.subscription();
    await recordRestore(service.db, service.clock.now());
    service.clock.advance(1);
    await service.planAsQuick([service.event(subscription.form_id, { occurredAt: service.clock.now() })]);
    await service.run();
    await expect(outcomes(subscription)).resolves.toMatchObject([{ state: 'succeeded', reason: null }]);
  });

  it('sends what was held back when somebody asks for it, and nothing else that has failed', async () => {
    const subscription = service.subscription();
    service.subscriber.answer(500);
    await service.planEvents(subscription);
    for (const pause of [0, ...service.deps.settings.RETRY_DELAYS_MS]) {
      service.clock.advance(pause);
      await service.run();
    }
    await service.planEvents(subscription, 2);
    service.clock.advance(1_000);
    await recordRestore(service.db, service.clock.now());
    service.subscriber.answer(200);
    const { instanceId } = service;
    const by = { caller: { kind: 'service', id: 'operator', instanceId } as const, call: { requestId: newId() }, workspaceId: undefined };
    const range = {
      formId: subscription.form_id,
      from: new Date(Date.now() - hourMs),
      to: new Date(Date.now() + hourMs),
      state: 'failed',
      reason: 'restored',
      subscriptionId: undefined,
    };
    await expect(redeliverManyAs({ ...service.deps, wake: () => undefined }, by, range)).resolves.toBe(2);
    await service.run();
    await expect(outcomes(subscription)).resolves.toMatchObject([
      { state: 'failed', reason: null },
      { state: 'succeeded', reason: null },
      { state: 'succeeded', reason: null },
    ]);
  });

  it('may record it again, after a start that ended early', async () => {
    const subscription = service.subscription();
    await service.planEvents(subscription, 1_500);
    const at = service.clock.now();
    await expect(recordRestore(service.db, at)).resolves.toBe(1_500);
    await expect(recordRestore(service.db, at)).resolves.toBe(0);
  });
});
