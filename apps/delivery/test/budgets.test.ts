import { newId } from '@sheaf/kernel';
import { Attempts } from '../src/attempts/attempts';
import { plan } from '../src/planning/plan';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

let service: Service;
let attempts: Attempts;
let loud: Listener;

beforeEach(async () => {
  service = await startService({ DELIVERY_PER_INSTANCE_PER_MINUTE: 6 });
  attempts = new Attempts(service.deps);
  loud = service.subscription();
});
afterEach(() => service.stop());

const bodies = () => service.subscriber.received.map(({ body }) => body);
const planOne = (body: string, { form_id, instance_id }: Listener, sender?: Attempts) =>
  plan(service.deps, [service.event(form_id, { instanceId: instance_id, body: JSON.stringify(body) })], sender);
/** Looks until nothing more begins. */
async function runAll(): Promise<number> {
  let begun = 0;
  for (let found = -1; found !== 0; begun += found) {
    ({ begun: found } = await attempts.runDue());
    await attempts.idle();
  }
  return begun;
}

describe('deliveries beyond the budget of their instance', () => {
  beforeEach(async () => {
    await service.planEvents(loud, 10);
    await service.markQuick(loud);
    // At most three attempts to one subscription run at once, so the budget is used up without being overdrawn.
    await expect(runAll()).resolves.toBe(6);
  });

  it('wait until the budget has refilled, and none is lost', async () => {
    service.clock.advance(9_000);
    await expect(runAll()).resolves.toBe(0);
    await expect(service.metrics()).resolves.toContain('sheaf_delivery_instances_over_budget 1');
    service.clock.advance(1_000);
    // A look fills all free slots, and the overdraft is paid back.
    await expect(runAll()).resolves.toBe(3);
    service.clock.advance(29_000);
    await expect(runAll()).resolves.toBe(0);
    service.clock.advance(1_000);
    await expect(runAll()).resolves.toBe(1);
    await expect(service.deliveries(loud)).resolves.toMatchObject(Array.from({ length: 10 }, () => ({ state: 'succeeded', attempts: 1 })));
  });

  it('keep their order: later ones wait behind them, even once there is budget again', async () => {
    await expect(planOne('later', loud, attempts)).resolves.toEqual({ made: 1, waiting: 1 });
    await expect(runAll()).resolves.toBe(0);
    service.clock.advance(60_000);
    await expect(planOne('last', loud, attempts)).resolves.toEqual({ made: 1, waiting: 1 });
    await expect(runAll()).resolves.toBe(6);
    expect(bodies().slice(10)).toEqual(['"later"', '"last"']);
  });

  it('do not delay those of another instance', async () => {
    const quiet = service.subscription({ instance_id: newId() });
    await planOne('queued', quiet);
    await service.markQuick(quiet);
    await expect(runAll()).resolves.toBe(1);
    service.clock.advance(1);
    await service.db('turn').where({ subscription_id: quiet.id }).update({ due_at: null });
    await expect(planOne('at once', quiet, attempts)).resolves.toEqual({ made: 1, waiting: 0 });
    await attempts.idle();
    expect(bodies().slice(6)).toEqual(['"queued"', '"at once"']);
  });
});

it('an instance beyond its budget delays no others, however many of its subscriptions are held', async () => {
  const many = Array.from({ length: 30 }, () => service.subscription({ form_id: loud.form_id }));
  await service.planEvents(loud, 3);
  await service.markQuick(loud, ...many);
  const begun = await runAll();
  expect(begun).toBeLessThan(31 * 3);
  const quiet = service.subscription({ instance_id: newId() });
  await planOne('hello', quiet);
  await expect(runAll()).resolves.toBe(1);
  expect(bodies()).toContain('"hello"');
});
