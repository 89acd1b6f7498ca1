import { newId } from '@sheaf/kernel';
import { callAs, eventually, TestClock } from '@sheaf/testing';
import { RememberedListeners } from './remembered-listeners';

const keepMs = 60_000;
const call = callAs({ kind: 'service', id: 'delivery' });
const aTopic = () => ({ instance_id: newId(), form_id: newId(), event: 'submission.created' });
const [topic, other] = [aTopic(), aTopic()];

/** `hooks` with one subscription to each topic, whose revision is the number of calls to `hooks` so far. */
function beside({ keep_ms = keepMs } = {}) {
  const clock = new TestClock();
  const asked: string[][] = [];
  let away = false;
  const hooks = {
    listListeners: (_: unknown, request: object) => {
      const { topics } = request as { topics: (typeof topic)[] };
      asked.push(topics.map(({ form_id }) => form_id));
      if (away) return Promise.reject(new Error('away'));
      return Promise.resolve({
        listeners: topics.map((one) => ({ ...one, id: one.form_id, url: 'https://hooks.example.org', revision: asked.length })),
        keep_ms,
      });
    },
  };
  const listeners = new RememberedListeners({ hooks, clock });
  const revisions = async (...topics: (typeof topic)[]) =>
    (await listeners.listListeners(call, { topics })).listeners.map(({ revision }) => revision);
  return { clock, asked, revisions, goAway: () => (away = true) };
}

it('an answer of hooks is used for as long as hooks allows, and not beyond', async () => {
  const { clock, asked, revisions, goAway } = beside();
  expect(await revisions(topic)).toEqual([1]);
  clock.advance(keepMs / 2);
  expect(await revisions(topic)).toEqual([1]);
  expect(asked).toHaveLength(1);

  goAway();
  clock.advance(keepMs / 2 - 1);
  expect(await revisions(topic)).toEqual([1]);
  clock.advance(1);
  await expect(revisions(topic)).rejects.toThrow('away');
});

it('no answer is used twice where hooks allows nothing, as one of the version before', async () => {
  const { revisions } = beside({ keep_ms: 0 });
  expect([await revisions(topic), await revisions(topic)]).toEqual([[1], [2]]);
});

it('an answer that is ageing is asked for again once, and nobody waits for that', async () => {
  const { clock, asked, revisions } = beside();
  await revisions(topic);
  clock.advance(keepMs / 2 + 1);
  expect(await Promise.all([revisions(topic), revisions(topic)])).toEqual([[1], [1]]);

  await eventually(async () => expect(await revisions(topic)).toEqual([2]));
  expect(asked).toHaveLength(2);
});

it('what is known of one topic says nothing of another one', async () => {
  const { asked, revisions } = beside();
  await revisions(topic);
  expect(await revisions(topic, other)).toEqual([2, 2]);
  expect(asked).toEqual([[topic.form_id], [topic.form_id, other.form_id]]);
  expect(await revisions(other)).toEqual([2]);
});
