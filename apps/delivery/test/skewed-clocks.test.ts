import type { Outcome } from '@sheaf/egress';
import { systemClock } from '@sheaf/kernel';
import { eventually } from '@sheaf/testing';
import { Attempts } from '../src/attempts/attempts';
import type { Deps } from '../src/deps';
import { plan } from '../src/planning/plan';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

let service: Service;
let subscription: Listener;

beforeEach(async () => {
  service = await startService();
  subscription = service.subscription();
});
afterEach(() => service.stop());

/** A process whose POSTs end on command. */
function aProcess(skewMs: number) {
  const answers: ((outcome: Outcome) => void)[] = [];
  const post = () => new Promise<Outcome>((resolve) => answers.push(resolve));
  const clock = skewMs === 0 ? systemClock : { now: () => new Date(Date.now() + skewMs) };
  const deps: Deps = { ...service.otherProcess(), clock, egress: { post } };
  const attempts = new Attempts(deps);
  const answer = async (status: number) => {
    await eventually(() => expect(answers).not.toEqual([]));
    answers.splice(0).forEach((end) => end({ status, durationMs: 1 }));
    await attempts.idle();
  };
  const planned = (sender?: Attempts) => plan(deps, [service.event(subscription.form_id, { occurredAt: clock.now() })], sender);
  return { attempts, answer, planned, begun: async () => (await attempts.runDue()).begun };
}

describe.each([
  ['25 s behind', -25_000],
  ['25 s ahead', 25_000],
])('a process whose clock is %s', (_, skewMs) => {
  it('neither claims attempts in flight in another process nor loses its own', async () => {
    const [wrong, right] = [aProcess(skewMs), aProcess(0)];
    // The first delivery goes through the queue; the second begins as it is planned.
    await right.planned();
    await service.markQuick(subscription);
    for (const [one, other] of [
      [wrong, right],
      [right, wrong],
    ] as const) {
      if (one === right) await one.planned(one.attempts);
      else await expect(one.begun()).resolves.toBe(1);
      await expect(other.begun()).resolves.toBe(0);
      await one.answer(200);
      await expect(other.begun()).resolves.toBe(0);
    }
    await wrong.planned(wrong.attempts);
    await expect(right.begun()).resolves.toBe(0);
    await wrong.answer(200);
    await expect(service.deliveries(subscription)).resolves.toMatchObject(
      Array.from({ length: 3 }, () => ({ state: 'succeeded', attempts: 1 })),
    );
  });

  it('plans deliveries that are due at once for every process, and retries after their pause', async () => {
    const [wrong, right] = [aProcess(skewMs), aProcess(0)];
    for (const [one, other] of [
      [wrong, right],
      [right, wrong],
    ] as const) {
      await one.planned();
      await expect(other.begun()).resolves.toBe(1);
      await other.answer(500);
    }
    const [delayMs = 0] = service.deps.settings.RETRY_DELAYS_MS;
    const due = await service
      .db('queue')
      .select(
        service.db.raw(
          `next_attempt_at > now() - interval '1 minute' and next_attempt_at <= now() + ? * interval '1 millisecond' as in_time`,
          [delayMs],
        ),
      );
    expect(due).toEqual([{ in_time: true }, { in_time: true }]);
  });
});
