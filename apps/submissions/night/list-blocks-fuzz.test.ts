import { Problem } from '@sheaf/kernel';
import { callAs, propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { StartedWithLists, statuses } from '../test/started-with-lists';

const lists = new StartedWithLists();
const { started, inMinutes, aFormWith, createBlocks, submitAt, expectPage } = lists;
const { owner } = started;
beforeAll(lists.start);
afterAll(lists.stop);

// The database decides how the operations interleave, so the seed repeats which operations are run but not their order.
it('every page equals the plain order during concurrent operations', async () => {
  const { form, ids } = await aFormWith(34_000);
  const one = fc.nat(ids.length - 1).map((n) => ids[n] ?? '');
  const status = fc.constantFrom(...statuses);
  const { client } = started;
  const ofForm = { form_id: form };
  const operation = fc.oneof(
    fc.record({ id: one, status }).map(
      ({ id, status: to }) =>
        () =>
          client.changeStatus(callAs(owner), { ...ofForm, id, status: to }),
    ),
    fc.record({ from: fc.nat(ids.length - 1), count: fc.integer({ min: 1, max: 400 }), status }).map(
      ({ from, count, status: to }) =>
        () =>
          client.changeStatuses(callAs(owner), { ...ofForm, submission_ids: ids.slice(from, from + count), status: to }),
    ),
    one.map((id) => () => client.deleteSubmission(callAs(owner), { ...ofForm, id })),
    one.map((id) => async () => {
      await client.deleteSubmission(callAs(owner), { ...ofForm, id });
      return client.restoreSubmission(callAs(owner), { ...ofForm, id });
    }),
    fc.record({ id: one, spam: fc.boolean() }).map(
      ({ id, spam }) =>
        () =>
          client.markSpam(callAs(owner), { ...ofForm, id, spam }),
    ),
    fc.constant(() => started.submit(form)),
    fc.integer({ min: 1, max: 4 }).map((atOnce) => () => createBlocks(form, { atOnce })),
    fc.record({ offset: fc.nat(ids.length), status: fc.option(status, { nil: undefined }) }).map(
      ({ offset, status: of }) =>
        () =>
          expectPage(form, offset, of),
    ),
  );
  const round = fc.record({
    operations: fc.array(operation, { minLength: 12, maxLength: 24 }),
    late: fc.array(fc.nat(60_000), { maxLength: 2 }),
    offsets: fc.array(fc.nat(ids.length), { minLength: 4, maxLength: 4 }),
  });

  await fc.assert(
    fc.asyncProperty(round, async ({ operations, late, offsets }) => {
      const outcomes = await Promise.allSettled(operations.map((run) => run()));
      const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
      // Submissions that are, or just were, in the trash are not found.
      expect(failures.filter((failure) => !(failure instanceof Problem && ['not_found', 'bad_request'].includes(failure.code)))).toEqual(
        [],
      );
      await Promise.all([createBlocks(form, { atOnce: 1 }), ...late.map((minutes) => submitAt(form, inMinutes(-60 - minutes)))]);
      for (const offset of offsets) await expectPage(form, offset);
      for (const of of statuses) await expectPage(form, Math.floor((offsets[0] ?? 0) / 4), of);
    }),
    { ...propertyRuns(25), endOnFailure: true },
  );
});
