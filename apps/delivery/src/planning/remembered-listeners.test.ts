import { newId } from '@sheaf/kernel';
import { callAs, eventually, TestClock } from '@sheaf/testing';
import { RememberedListeners } from './remembered-listeners';

const keepMs = 60_000;
const call = callAs({ kind: 'service', id: 'delivery' });
const aTopic = () => ({ instance_id: newId(), form_id: newId(), event: 'submission.created' });
const [topic, other] = [aTopic(), aTopic()];

/** A cache and a fake `hooks` with one subscription to each topic; its revision is the number of calls to `hooks` so far. */
function startWith({ keep_ms = keepMs, unplaced = '', exists = true } = {}) {
  const clock = new TestClock();
  const calls: string[][] = [];
  /** The forms whose workspaces `forms` was asked for. */
  const asked: string[][] = [];
  let isDown = false;
  const hooks = {
    listListeners: (_: unknown, request: object) => {
      const { topics, places } = request as { topics: (typeof topic)[]; places: { form_id: string }[] };
      calls.push(topics.map(({ form_id }) => form_id));
      if (isDown) return Promise.reject(new Error('down'));
      return Promise.resolve({
        listeners: topics.map((one) => ({
          ...one,
          id: one.form_id,
          url: 'https://hooks.example.org',
          revision: calls.length,
          wide: false,
          payload: 'contract',
          events: [],
          active_with_options: false,
        })),
        inactive: [],
        keep_ms,
        unplaced_form_ids: topics
          .map(({ form_id }) => form_id)
          .filter((id) => id === unplaced && !places.some(({ form_id }) => form_id === id)),
      });
    },
  };
  const forms = {
    listFormPlaces: (_: unknown, { form_ids = [] }: { form_ids?: string[] }) => {
      asked.push(form_ids);
      return Promise.resolve({ places: exists ? form_ids.map((form_id) => ({ form_id, workspace_id: newId() })) : [] });
    },
  };
  const listeners = new RememberedListeners({ hooks, forms, clock });
  const revisions = async (...topics: (typeof topic)[]) =>
    (await listeners.listListeners(call, { topics })).listeners.map(({ revision }) => revision);
  return { clock, calls, asked, revisions, goDown: () => (isDown = true) };
}

it('an answer from hooks is used until its lease ends, and no longer', async () => {
  const { clock, calls, revisions, goDown } = startWith();
  expect(await revisions(topic)).toEqual([1]);
  clock.advance(keepMs / 2);
  expect(await revisions(topic)).toEqual([1]);
  expect(calls).toHaveLength(1);

  goDown();
  clock.advance(keepMs / 2 - 1);
  expect(await revisions(topic)).toEqual([1]);
  clock.advance(1);
  await expect(revisions(topic)).rejects.toThrow('down');
});

it('an answer without a lease, as from the previous version, is used only once', async () => {
  const { revisions } = startWith({ keep_ms: 0 });
  expect([await revisions(topic), await revisions(topic)]).toEqual([[1], [2]]);
});

it('an ageing answer is refreshed once, in the background', async () => {
  const { clock, calls, revisions } = startWith();
  await revisions(topic);
  clock.advance(keepMs / 2 + 1);
  expect(await Promise.all([revisions(topic), revisions(topic)])).toEqual([[1], [1]]);

  await eventually(async () => expect(await revisions(topic)).toEqual([2]));
  expect(calls).toHaveLength(2);
});

it('an answer for one topic is not used for another', async () => {
  const { calls, revisions } = startWith();
  await revisions(topic);
  expect(await revisions(topic, other)).toEqual([2, 2]);
  expect(calls).toEqual([[topic.form_id], [topic.form_id, other.form_id]]);
  expect(await revisions(other)).toEqual([2]);
});

it('hooks gets the workspace of a form that it needs, and is asked again', async () => {
  const { calls, asked, revisions } = startWith({ unplaced: topic.form_id });
  expect(await revisions(topic, other)).toEqual([2, 2]);
  expect(asked).toEqual([[topic.form_id]]);
  expect(calls).toEqual([
    [topic.form_id, other.form_id],
    [topic.form_id, other.form_id],
  ]);
});

it('a form that does not exist any more has no workspace, and nobody asks again', async () => {
  const { calls, revisions } = startWith({ unplaced: topic.form_id, exists: false });
  expect(await revisions(topic)).toEqual([1]);
  expect(calls).toHaveLength(1);
});
