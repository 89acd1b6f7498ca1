import { eventually } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import { plan } from '../src/planning/plan';
import type { Listener } from '../src/planning/remembered-listeners';
import { heldAttempts, isTextEvent, provenSubscription, receivedTexts, textEvents } from './support/planned';
import { startService, type Service } from './support/service';

// Deliveries that planning leaves in the queue, and when they begin.

let service: Service;
let proven: Listener;

beforeEach(async () => {
  service = await startService();
  proven = await provenSubscription(service);
});
afterEach(() => service.stop());

it('a delivery does not overtake those that are already waiting', async () => {
  const attempts = new Attempts(service.deps);
  await plan(service.deps, textEvents(service, proven, ['first']));
  await expect(plan(service.deps, textEvents(service, proven, ['second']), attempts)).resolves.toEqual({ made: 1, waiting: 1 });

  await expect(service.run(attempts)).resolves.toBe(2);
  await expect(plan(service.deps, textEvents(service, proven, ['third']), attempts)).resolves.toEqual({ made: 1, waiting: 0 });
  await attempts.idle();
  expect(receivedTexts(service).sort()).toEqual(['first', 'second', 'third']);
});

it('a subscription gets no more than its share at once, oldest first, and the rest waits', async () => {
  const { attempts, sent, answer } = heldAttempts(service.deps);
  await expect(plan(service.deps, textEvents(service, proven, ['a', 'b', 'c', 'd', 'e']), attempts)).resolves.toEqual({
    made: 5,
    waiting: 2,
  });
  await eventually(() => expect(sent).toEqual(['a', 'b', 'c']));
  await expect(attempts.runDue()).resolves.toMatchObject({ begun: 0 });

  answer();
  await eventually(async () => expect(await attempts.runDue()).toMatchObject({ begun: 2 }));
  await eventually(() => expect(sent).toEqual(['a', 'b', 'c', 'd', 'e']));
  answer();
  await attempts.idle();
});

it('planning triggers a look only if the subscription has a free slot', async () => {
  const { attempts, sent, answer } = heldAttempts(service.deps);
  const looks = jest.fn();
  await attempts.runDue(looks);
  await plan(service.deps, textEvents(service, proven, ['a', 'b', 'c', 'd']), attempts);
  await plan(service.deps, textEvents(service, proven, ['e']), attempts);
  await eventually(() => expect(sent).toEqual(['a', 'b', 'c']));
  expect(looks).not.toHaveBeenCalled();

  answer();
  await eventually(() => expect(looks).toHaveBeenCalled());
  await expect(attempts.runDue(looks)).resolves.toMatchObject({ begun: 2 });
  looks.mockClear();

  // There is a free slot for this one, but one of its deliveries already waits.
  const behind = await provenSubscription(service);
  await plan(service.deps, textEvents(service, behind, ['f']));
  await plan(service.deps, textEvents(service, behind, ['g']), attempts);
  expect(looks).toHaveBeenCalled();

  await expect(attempts.runDue()).resolves.toMatchObject({ begun: 2 });
  await eventually(() => expect(sent).toHaveLength(7));
  answer();
  await attempts.idle();
});

it('a subscription waits in its current lane, whatever lane this process remembers', async () => {
  const [slow, unknown] = [await provenSubscription(service), service.subscription()];
  await service.db('turn').where({ subscription_id: slow.id }).update({ lane: 'slow' });
  const attempts = new Attempts(service.deps);

  // This process does not know the subscription yet and takes it for quick.
  await expect(plan(service.deps, textEvents(service, slow, ['x', 'y']), attempts)).resolves.toEqual({ made: 2, waiting: 2 });
  await expect(plan(service.deps, textEvents(service, unknown, ['x']), attempts)).resolves.toEqual({ made: 1, waiting: 1 });
  await expect(service.run(attempts)).resolves.toBe(2);
  await service.run(attempts);
});

it('the first event of a subscription is sent at once, even if its lane was guessed wrong', async () => {
  const [unknown, slow] = [service.subscription(), await provenSubscription(service)];
  await service.db('turn').where({ subscription_id: slow.id }).update({ lane: 'slow' });
  const attempts = new Attempts(service.deps);
  // Looks only when called, never on its own.
  const looks: Promise<unknown>[] = [];
  const look = () => void looks.push(attempts.runDue(look));
  look();
  await Promise.all(looks);

  for (const [n, one] of [unknown, slow].entries()) {
    await expect(plan(service.deps, textEvents(service, one, ['first']), attempts)).resolves.toEqual({ made: 1, waiting: 1 });
    await service.subscriber.waitFor(n + 1, isTextEvent);
  }
  await attempts.idle();
  await Promise.all(looks);
});

it('deliveries that wait in a full lane are not overtaken by a new one for another subscription', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, () => provenSubscription(service)));
  const { attempts, sent, answer } = heldAttempts({ ...service.deps, settings: { ...service.deps.settings, DELIVERY_CONCURRENCY: 4 } });
  // Two of the four slots are for the quick lane.
  await plan(
    service.deps,
    others.flatMap((one, n) => textEvents(service, one, [`${n}`])),
  );
  await expect(attempts.runDue()).resolves.toMatchObject({ begun: 2 });
  answer();
  await eventually(() => expect(sent).toHaveLength(2));

  await expect(plan(service.deps, textEvents(service, proven, ['new']), attempts)).resolves.toEqual({ made: 1, waiting: 1 });
  await eventually(async () => expect(await attempts.runDue()).toMatchObject({ begun: 2 }));
  await eventually(() => expect(sent).toEqual(['0', '1', '2', 'new']));
  answer();
  await attempts.idle();
});
