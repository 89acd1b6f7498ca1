import { Attempts } from '../src/attempts/attempts';
import { leaseMs } from '../src/attempts/claims.queries';
import { claimDue } from '../src/attempts/claims.queries';
import { settleAll } from '../src/attempts/settlements.queries';
import { Slots } from '../src/attempts/slots';
import { settlementOf } from '../src/attempts/judge';
import { serviceSettings, startService, type Service } from './support/service';

const lease = leaseMs(serviceSettings);
let service: Service;

beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

describe('a process that dies during an attempt', () => {
  const claim = async () => {
    const { claims } = await claimDue(service.db, {
      clock: service.clock,
      look: new Slots(serviceSettings).look(),
      leaseMs: lease,
      retryDelaysMs: serviceSettings.RETRY_DELAYS_MS,
    });
    return claims;
  };

  it('has used up that attempt: the delivery falls due again on its own, and fails after the third', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);

    await expect(claim()).resolves.toMatchObject([{ number: 1 }]);
    service.clock.advance(lease + 4_000 - 1);
    await expect(claim()).resolves.toEqual([]);
    service.clock.advance(1);
    await expect(claim()).resolves.toMatchObject([{ number: 2 }]);
    service.clock.advance(lease + 16_000);
    await expect(claim()).resolves.toMatchObject([{ number: 3 }]);

    service.clock.advance(lease - 1);
    await service.run();
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'pending', attempts: 3 }]);
    service.clock.advance(1);
    await expect(service.run()).resolves.toBe(0);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([
      { state: 'failed', attempts: 3, settled_at: service.clock.now() },
    ]);
    service.clock.advance(24 * 60 * 60 * 1_000);
    await expect(service.run()).resolves.toBe(0);

    expect(service.subscriber.received).toEqual([]);
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject(
      [1, 2, 3].map((number) => ({ number, error: 'interrupted', status: null })),
    );
  });

  it('leaves the remaining attempts to the other processes', async () => {
    const subscription = service.subscription();
    service.subscriber.answer(500);
    await service.planAsQuick([service.event(subscription.form_id)]);
    await claim();
    service.clock.advance(lease + 4_000);
    await service.run();
    service.clock.advance(16_000);
    await service.run();
    service.clock.advance(24 * 60 * 60 * 1_000);
    await service.run();

    expect(service.subscriber.received).toHaveLength(2);
    await expect(service.deliveries(subscription)).resolves.toMatchObject([{ state: 'failed', attempts: 3 }]);
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject([
      { error: 'interrupted' },
      { error: 'status' },
      { error: 'status' },
    ]);
  });

  it('cannot settle a delivery that another process has begun again', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    // The answer to the first attempt arrives after its lease has ended and another process has begun the second.
    service.subscriber.answer(() => {
      service.clock.advance(lease + 4_000);
      return 500;
    });
    const late = new Attempts({
      ...service.deps,
      egress: {
        post: async (...args) => {
          const outcome = await service.deps.egress.post(...args);
          await claim();
          return outcome;
        },
      },
    });
    await service.run(late);

    await expect(service.deliveries(subscription)).resolves.toMatchObject([
      { state: 'pending', attempts: 2, next_attempt_at: service.later(lease + 16_000) },
    ]);
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject([
      { number: 1, status: 500 },
      { number: 2, error: 'interrupted' },
    ]);
  });

  it('leaves an attempt that may be settled together with the next one, and the later outcome counts', async () => {
    const subscription = service.subscription();
    await service.planAsQuick([service.event(subscription.form_id)]);
    const first = await claim();
    service.clock.advance(lease + 4_000);
    const second = await claim();

    await settleAll(
      service.db,
      service.clock,
      [...first, ...second].map((one) =>
        settlementOf(one, { status: 490 + one.number, durationMs: one.number }, serviceSettings.RETRY_DELAYS_MS, service.clock.now()),
      ),
    );

    await expect(service.deliveries(subscription)).resolves.toMatchObject([
      { state: 'pending', attempts: 2, next_attempt_at: service.later(16_000) },
    ]);
    await expect(service.attemptsTo(subscription)).resolves.toMatchObject([
      { number: 1, status: 491, duration_ms: 1 },
      { number: 2, status: 492, duration_ms: 2 },
    ]);
  });

  it('leaves deliveries that several processes look for at once, and none is claimed twice', async () => {
    const subscriptions = Array.from({ length: 4 }, () => service.subscription());
    await service.planAsQuick(subscriptions.flatMap(({ form_id }) => [service.event(form_id), service.event(form_id)]));
    const processes = Array.from({ length: 5 }, () => new Attempts(service.deps));
    await Promise.all(processes.map((attempts) => service.run(attempts)));

    expect(service.subscriber.received).toHaveLength(8);
    expect(new Set(service.subscriber.received.map(({ headers }) => headers['webhook-id'])).size).toBe(8);
  });
});
