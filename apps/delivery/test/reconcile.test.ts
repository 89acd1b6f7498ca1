import { newId } from '@sheaf/kernel';
import { firstIdOf } from '../src/ids-by-time';
import { plan } from '../src/planning/plan';
import { tallyPlanned, unplannedAmong, type Announced } from '../src/reconcile';
import { startService, type Service } from './support/service';

const dayMs = 86_400_000;
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.clock.advance(1_000));

/** A submission and its event, whose id is of its moment whatever the clock of this machine says. */
function announced(form_id: string, at = service.clock.now()) {
  const id = newId();
  const event = service.event(form_id, { id: firstIdOf(at).slice(0, 14) + newId().slice(14), subject: id, occurredAt: at });
  return { submission: { id, form_id, at } satisfies Announced, event };
}

const unplanned = async (submissions: readonly { submission: Announced }[]) =>
  (
    await unplannedAmong(
      service.deps,
      submissions.map(({ submission }) => submission),
    )
  ).missing.map(({ id, certain }) => ({ id, certain }));

it('misses no event that was planned, whether or not anybody listened, and though many are of one millisecond', async () => {
  const [heard, unheard] = [service.subscription().form_id, newId()];
  const all = [heard, unheard].flatMap((form) => Array.from({ length: 20 }, () => announced(form)));
  await plan(
    service.deps,
    all.map(({ event }) => event),
  );
  await expect(unplanned(all)).resolves.toEqual([]);
});

it('misses exactly the events that are gone', async () => {
  const { form_id } = service.subscription();
  const all = Array.from({ length: 20 }, () => announced(form_id));
  const lost = all.slice(5, 8);
  await plan(
    service.deps,
    all.filter((one) => !lost.includes(one)).map(({ event }) => event),
  );
  const certain = lost.map(({ submission: { id } }) => ({ id, certain: true }));
  await expect(unplanned(all)).resolves.toEqual(certain);

  // Another event about it is not its announcement.
  const [first] = lost;
  if (!first) throw new Error('none is lost');
  await plan(service.deps, [service.event(form_id, { ...first.event, id: newId(), type: 'submission.deleted' })]);
  await expect(unplanned(all)).resolves.toEqual(certain);
});

it('does not say which of a millisecond is missing if nobody listened', async () => {
  const form = newId();
  const all = [announced(form), announced(form)];
  await plan(
    service.deps,
    all.slice(0, 1).map(({ event }) => event),
  );
  await expect(unplanned(all)).resolves.toEqual([{ id: expect.any(String) as unknown, certain: false }]);
});

it('says nothing of submissions from before the log, and from when on it looks', async () => {
  const old = announced(newId(), new Date(service.clock.now().getTime() - 90 * dayMs));
  const { from, missing } = await unplannedAmong(service.deps, [old.submission]);
  expect(missing).toEqual([]);
  expect(from.getTime()).toBeGreaterThan(service.clock.now().getTime() - 3 * dayMs);
});

it('tallies announcements alone, by minutes', async () => {
  service.clock.advance(120_000);
  const [form, begin] = [newId(), service.clock.now()];
  const all = Array.from({ length: 3 }, () => announced(form));
  const [one] = all;
  if (!one) throw new Error('none is there');
  const removed = { ...one.event, id: firstIdOf(begin).slice(0, 14) + newId().slice(14), type: 'submission.deleted' as const };
  await plan(service.deps, [...all.map(({ event }) => event), removed]);
  const before = new Date(begin.getTime() + 1);
  const { tallies, last } = await tallyPlanned(service.deps.db, { after: firstIdOf(begin), before, limit: 100 });
  expect(tallies).toEqual([[Math.floor(begin.getTime() / 60_000), 3, expect.any(String)]]);
  expect(last).toBeNull();
});
